import { expect } from 'vitest';
import { type Dialect, FileBlobs, sql } from '../../../../src/storage/index.ts';
import { startGitServer } from '../../../support/git-server.ts';
import { startApi, type TestApi } from './api.ts';
import { created, newOrganization, type TestOrganization } from './organization.ts';

/** Starts a Git server, and an API with an organization that has a connection to it. */
export async function startWithGit(kind: Dialect) {
  const server = await startGitServer();
  server.credential = { username: 'ada', password: 'secret' };
  const api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
  const acme = await newOrganization(api);
  const token = await newConnection(api, acme, server.address);
  const stop = async () => {
    await api.close();
    await server.stop();
  };
  return { server, api, acme, token, stop };
}

/** Creates a checked connection to a Git server. Returns the id of its token. */
export async function newConnection(
  api: TestApi,
  acme: TestOrganization,
  url: string,
  attributes: object = {},
): Promise<string> {
  const answer = await acme.owner.call('POST', `/organizations/${acme.name}/oauth-clients`, {
    data: {
      type: 'oauth-clients',
      attributes: {
        ...{ 'service-provider': 'git', 'http-url': url, 'api-url': url, 'oauth-token-string': 'ada:secret' },
        ...attributes,
      },
    },
  });
  created(answer);
  for (const loop of api.workspaces.vcs.connectionChecks) {
    await loop.begin();
    await loop.settled();
  }
  return answer.body.data.relationships['oauth-tokens'].data[0].id;
}

/** Works on everything that is due in the queues of repositories, until nothing is left. */
export async function workOff(api: Pick<TestApi, 'workspaces'>): Promise<void> {
  for (let round = 0; round < 4; round++) {
    for (const loop of api.workspaces.vcs.vcsQueues.loops) {
      await loop.begin();
      await loop.settled();
    }
  }
}

/** Lets a minute pass, so that all repositories are looked up, and works on what they have. */
export async function lookUp(api: TestApi): Promise<void> {
  api.advance(61_000);
  await workOff(api);
}

/** Returns the runs of a workspace, oldest first. */
export async function runsIn(acme: TestOrganization, workspaceId: string) {
  const answer = await acme.owner.call('GET', `/workspaces/${workspaceId}/runs`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.toReversed();
}

export async function messagesIn(acme: TestOrganization, workspaceId: string): Promise<string[]> {
  const runs = await runsIn(acme, workspaceId);
  return runs.map(({ attributes }: { attributes: { message: string } }) => attributes.message);
}

const selectVerdicts = sql<{ workspaceId: string }, { outcome: string; detail: string }>(
  'SELECT outcome, detail FROM vcs_verdict WHERE workspace_id = :workspaceId ORDER BY created_at, event_id',
);

/** Returns the verdicts of a workspace: the outcome, and the code of what decided it. */
export async function verdictsIn(api: TestApi, workspaceId: string): Promise<string[]> {
  const rows = await api.workspaces.database.all(selectVerdicts, { workspaceId });
  return rows.map(({ outcome, detail }) => `${outcome} ${JSON.parse(detail).code}`);
}

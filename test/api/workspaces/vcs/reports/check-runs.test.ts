import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenantFetch } from '../../../../../src/outbound/tenant-fetch.ts';
import { type Dialect, sql } from '../../../../../src/storage/index.ts';
import { insertApp, linkInstallation } from '../../../../../src/workspaces/vcs/connection/app/app-store.ts';
import { GitHubApps, TOKEN_PERMISSIONS } from '../../../../../src/workspaces/vcs/provider/github/app/app-client.ts';
import { ProviderClients } from '../../../../../src/workspaces/vcs/provider/http/provider-clients.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { type FakeProvider, fakeGitHub } from '../../../../support/vcs/fake-github.ts';
import { createFakeApp, grantOf } from '../../../../support/vcs/github-app.ts';
import { commitId, deliver, eventsOf, otherNode, type Reporting, startReporting } from '../support/reporting.ts';

const INSTALLATION = 'ghain-1111111111111111';
const makeOk = sql<{ id: string }>("UPDATE github_app_installation SET status = 'ok' WHERE id = :id");
const makeOfApp = sql<{ id: string; connectionId: string; providerId: string; identifier: string }>(
  `UPDATE vcs_repository SET connection_id = :connectionId, provider_id = :providerId, identifier = :identifier
   WHERE id = :id`,
);

describe.each(databaseKinds)('check runs of a GitHub App on %s', { timeout: 60_000 }, (kind) => {
  let reporting: Reporting;
  let github: FakeProvider;
  beforeAll(async () => {
    reporting = await startReporting(kind);
    github = await fakeGitHub();
  });
  afterAll(async () => {
    await reporting.stop();
    await github.stop();
  });

  test('a commit has one check run, updated in place, with a table of its runs', async () => {
    const { followed, node } = await followWithApp(reporting, github, kind);
    const events = eventsOf(reporting, followed);
    const commit = commitId('checked');
    const event = await events.add({ kind: 'pull', afterId: commit, pull: { number: 1 } });
    const [net, dns] = [await events.workspace('net'), await events.workspace('dns')];
    await deliver(node);
    const { name } = followed.organization;
    expect(github.checks).toMatchObject([
      { of: commit, body: { name: `lockkeeper/${name}`, status: 'queued', head_sha: commit } },
    ]);
    const [one = '', two = ''] = await events.start(event, [net, dns]);
    await events.end(event);
    await events.plan(one, [2, 1, 0]);
    await events.plan(two);
    // The runs ended at the other node of this test.
    reporting.api.advance(15_000);
    await deliver(node);
    expect(github.statuses).toEqual([]);
    expect(github.checks).toMatchObject([
      {
        of: commit,
        body: {
          ...{ name: `lockkeeper/${name}`, status: 'completed', conclusion: 'success' },
          details_url: `https://keeper.example.com/app/${name}/vcs-events/${event}`,
          output: {
            title: '2 plans: 1 with changes, 1 without changes',
            summary: expect.stringContaining(`/app/${name}/net/runs/${one}) | Planned | 2 | 1 | 0 |`),
          },
        },
      },
    ]);
  });

  /** Lets a repository be followed by an installation, and returns a node that reports to it. */
  async function followWithApp({ api }: Reporting, fake: FakeProvider, dialect: Dialect) {
    const { database } = api.workspaces;
    const followed = await reporting.follow();
    const repository = await fake.createRepository(`acme/app-${dialect}`);
    const made = createFakeApp(fake, 'Lockkeeper');
    made.installations.push({ id: 21, login: 'acme', type: 'Organization', users: [] });
    const { organizationId } = followed;
    const app = {
      ...{ id: 'gha-1', organizationId, httpUrl: fake.httpUrl, apiUrl: fake.apiUrl, appId: '11', slug: 'l' },
      ...{ clientId: made.clientId, name: 'Lockkeeper', createdAt: api.now() },
    };
    const installation = {
      id: 21,
      name: 'acme',
      type: 'Organization',
      isSuspended: false,
      iconUrl: '',
      url: '',
    } as const;
    await database.transaction(async (tx) => {
      await insertApp(tx, app, new Uint8Array());
      const row = { id: INSTALLATION, target: 'test', now: api.now() };
      await linkInstallation(tx, { ...app, organizationName: '' }, installation, row);
      await tx.run(makeOk, { id: INSTALLATION });
      const place = { providerId: String(repository.id), identifier: repository.fullName };
      await tx.run(makeOfApp, { id: followed.id, connectionId: INSTALLATION, ...place });
    });
    const clients = new ProviderClients({ fetchFor: () => createTenantFetch(['127.0.0.1']), clock: Date.now });
    const http = clients.clientOf({ ...app, id: INSTALLATION }, { writePauseMs: 0 });
    const apps = new GitHubApps(Date.now);
    const { connections } = api.workspaces.vcs;
    // The key of this App is not stored, because only a person at GitHub can create an App.
    const node = otherNode(reporting, {
      find: (db, id) => connections.find(db, id),
      checkSoon: (id) => connections.checkSoon(id),
      access: async (_connection, { purpose = 'read', repositoryIds = [] } = {}) => {
        const scope = { repositoryIds, permissions: TOKEN_PERMISSIONS[purpose] };
        const token = await apps.token({ ...app, privateKey: made.privateKey, http }, 21, scope);
        expect(grantOf(fake, token)).toMatchObject({
          repositoryIds: [repository.id],
          permissions: { checks: 'write' },
        });
        return { ...app, http, credential: { kind: 'app', token } };
      },
    });
    return { followed, node };
  }
});

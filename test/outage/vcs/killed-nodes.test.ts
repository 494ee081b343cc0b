import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Dialect, FileBlobs, sql } from '../../../src/storage/index.ts';
import { startApi, type TestApi } from '../../api/workspaces/support/api.ts';
import { newOrganization, type TestOrganization } from '../../api/workspaces/support/organization.ts';
import { messagesIn, newConnection, workOff } from '../../api/workspaces/support/vcs.ts';
import { placeOf } from '../../support/databases.ts';
import { type GitServer, startGitServer, type TestRepository } from '../../support/git-server.ts';

const NODE = fileURLToPath(new URL('../../api/workspaces/support/vcs-node.ts', import.meta.url));
const POLL = { timeout: 60_000, interval: 50 };
const WORKSPACES = 12;
/** The suite of outages has a PostgreSQL server. */
const KINDS: readonly Dialect[] = ['sqlite', 'postgres'];

const countVerdicts = sql<{ commitId: string }, { count: number }>(
  `SELECT count(*) AS count FROM vcs_verdict v JOIN vcs_event e ON e.id = v.event_id WHERE e.after_id = :commitId`,
);
const selectStates = sql<{ commitId: string }, { state: string }>(
  'SELECT state FROM vcs_event WHERE after_id = :commitId',
);

describe.each(KINDS)('nodes that are killed while a push is worked on, on %s', { timeout: 180_000 }, (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let server: GitServer;
  let repository: TestRepository;
  let workspaces: string[];
  const nodes: ChildProcess[] = [];
  beforeAll(async () => {
    server = await startGitServer();
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
    const token = await newConnection(api, acme, server.address);
    repository = await server.createRepository('team/infra.git');
    await repository.commit({ 'main.tf': '# 1' }, 'first');
    workspaces = [];
    for (let index = 0; index < WORKSPACES; index++) {
      const repo = { identifier: 'team/infra.git', 'oauth-token-id': token };
      const settings = { 'execution-mode': 'remote', 'queue-all-runs': true, 'vcs-repo': repo };
      workspaces.push(await acme.workspace(`w-${index}`, settings));
    }
    const hasRun = async (workspace: string) => {
      await workOff(api);
      return (await messagesIn(acme, workspace)).includes('first');
    };
    for (const workspace of workspaces) await vi.waitUntil(() => hasRun(workspace), POLL);
  }, 240_000);
  afterEach(() => {
    server.misbehave = undefined;
    for (const node of nodes.splice(0)) node.kill('SIGKILL');
  });
  afterAll(async () => {
    await api.close();
    await server.stop();
  });

  /** Starts a process that works on the same database, at the time of the test's clock. */
  async function startNode(): Promise<ChildProcess> {
    const args = [...(await placeOf(api.workspaces.database, kind)), api.folder, String(api.now())];
    const node = spawn(process.execPath, [NODE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    nodes.push(node);
    await once(node.stdout, 'data');
    return node;
  }

  async function kill(node: ChildProcess): Promise<void> {
    const exited = once(node, 'exit');
    node.kill('SIGKILL');
    await exited;
    // Its claims expire.
    api.advance(61_000);
  }

  const verdictsOf = async (commitId: string) =>
    (await api.workspaces.database.one(countVerdicts, { commitId }))?.count ?? 0;
  const stateOf = async (commitId: string) =>
    (await api.workspaces.database.all(selectStates, { commitId })).map(({ state }) => state);

  /** Lets another node finish, and checks that each workspace has run the commit once. */
  async function expectOneRunEach(commitId: string, message: string): Promise<void> {
    await startNode();
    await expect.poll(() => stateOf(commitId), POLL).toEqual(['done']);
    for (const workspace of workspaces) {
      const messages = await messagesIn(acme, workspace);
      expect(messages.filter((each) => each === message)).toHaveLength(1);
    }
    expect(await verdictsOf(commitId)).toBe(WORKSPACES);
  }

  // The Git server does not respond: the node is killed while it waits.
  test.each([
    ['refs', 1],
    ['changed files or the commit', 3],
    ['the archive', 4],
  ])('while it reads %s', async (name, requests) => {
    api.advance(61_000);
    const message = `killed at ${name}`;
    const commitId = await repository.commit({ 'main.tf': `# ${name}` }, message);
    server.requests.length = 0;
    server.misbehave = (_request, _response, next) => {
      if (server.requests.length < requests) next();
    };
    const node = await startNode();
    await expect.poll(() => server.requests.length, POLL).toBeGreaterThanOrEqual(requests);
    await kill(node);
    expect(await verdictsOf(commitId)).toBe(0);
    server.misbehave = undefined;
    await expectOneRunEach(commitId, message);
  });

  test('while it starts runs', async () => {
    api.advance(61_000);
    const commitId = await repository.commit({ 'main.tf': '# runs' }, 'killed at runs');
    const node = await startNode();
    await expect.poll(() => verdictsOf(commitId), { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
    await kill(node);
    await expectOneRunEach(commitId, 'killed at runs');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FileBlobs, sql } from '../../../../src/storage/index.ts';
import { Command } from '../../../support/command.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type FakeProvider, fakeGitea } from '../../../support/vcs/fake-github.ts';
import { agentsOf, type TestAgent } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { created, newOrganization, type TestOrganization } from '../support/organization.ts';
import { lookUp, messagesIn, workOff } from '../support/vcs.ts';

const count = sql<Record<string, never>, { requests: number; parts: number }>(
  `SELECT (SELECT COUNT(*) FROM forwarded_request) AS requests, (SELECT COUNT(*) FROM forwarded_part) AS parts`,
);
const selectRequests = sql<Record<string, never>, { request: Uint8Array }>('SELECT request FROM forwarded_request');

/** The server may not connect to this machine, so only the agent reaches the provider. */
describe.each(databaseKinds)('requests that agents forward, on %s', { timeout: 60_000 }, (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let gitea: FakeProvider;
  let agents: ReturnType<typeof agentsOf>;
  let pool: string;
  let address: string;
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-forwarding-'));
  const processes: Command[] = [];
  let names = 0;
  beforeAll(async () => {
    gitea = await fakeGitea();
    api = await startApi(kind, FileBlobs);
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    address = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    acme = await newOrganization(api);
    agents = agentsOf(api, acme);
    pool = await agents.pool('rack');
    gitea.server.requests.length = 0;
  });
  afterEach(async () => {
    for (const { process } of processes.splice(0)) process.kill('SIGKILL');
    expect(await left()).toEqual({ requests: 0, parts: 0 });
  });
  afterAll(async () => {
    api.app.server.closeAllConnections();
    await api.close();
    await gitea.stop();
    rmSync(folder, { recursive: true });
  });

  async function left() {
    const { requests, parts } = (await api.workspaces.database.one(count, {})) ?? {};
    return { requests: Number(requests), parts: Number(parts) };
  }

  const related = (id: string | null) => ({ 'agent-pool': { data: id && { type: 'agent-pools', id } } });

  /** Creates a connection to the provider that only agents reach. */
  async function connect(poolId: string | null = pool, attributes: object = {}) {
    const answer = await acme.owner.call('POST', `/organizations/${acme.name}/oauth-clients`, {
      data: {
        type: 'oauth-clients',
        attributes: {
          ...{ 'service-provider': 'gitea', 'http-url': gitea.git.address, 'api-url': gitea.apiUrl },
          ...{ 'oauth-token-string': gitea.token, ...attributes },
        },
        relationships: related(poolId),
      },
    });
    created(answer);
    const { id, relationships } = answer.body.data;
    return { id, token: relationships['oauth-tokens'].data[0].id };
  }

  /** Checks a connection. Returns its status and the reason. */
  async function check({ id }: { id: string }): Promise<[string, string | null]> {
    const { status, body, text } = await acme.owner.call('POST', `/oauth-clients/${id}/actions/check`);
    expect(status, text).toBe(200);
    return [body.data.attributes['connection-status'], body.data.attributes['connection-status-reason']];
  }

  /** Starts an agent as a process, and waits until the server knows it. */
  async function startAgent(...flags: string[]): Promise<Command> {
    const { text } = await agents.token(pool);
    const place = join(folder, `${++names}`);
    const tokenFile = `${place}.token`;
    writeFileSync(tokenFile, text);
    const settings = ['--token-file', tokenFile, '--folder', place, '--name', `a-${names}`, '--isolation', 'none'];
    const agent = new Command(['agent', '--address', address, ...settings, '--engine-downloads', 'false', ...flags]);
    processes.push(agent);
    await until(async () => {
      const { data } = (await acme.owner.call('GET', `/agent-pools/${pool}/agents`)).body;
      return data.some(({ attributes }: { attributes: { name: string } }) => attributes.name === `a-${names}`);
    });
    return agent;
  }

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await isSo()); tries++) {
      if (tries > 300) throw new Error('it did not happen in 30 seconds');
      await sleep(100);
    }
  }

  const claim = (agent: TestAgent, wait = 0) =>
    agent.call('POST', `/agents/${agent.id}/actions/claim-forwarded-request?wait=${wait}`);
  const respond = (agent: TestAgent, id: string, attributes: object) =>
    agent.call('POST', `/agents/${agent.id}/forwarded-requests/${id}/actions/respond`, {
      data: { type: 'forwarded-responses', attributes },
    });
  /** An agent whose answers the test decides, and that counts as one that forwards. */
  async function testAgent(poolId = pool): Promise<TestAgent> {
    const agent = await agents.agent(poolId);
    expect((await claim(agent)).status).toBe(204);
    return agent;
  }
  /** Starts a check and claims its request. */
  async function claimed(agent: TestAgent, connection: { id: string }) {
    const checked = check(connection);
    const { body, text, status } = await claim(agent, 20);
    expect(status, text).toBe(200);
    return { checked, id: body.data.id as string, attributes: body.data.attributes };
  }

  test('a connection without a pool is not contacted, and one with a pool says which agent is missing', async () => {
    expect(await check(await connect(null))).toEqual(['unreachable', expect.stringContaining('vcs.allowed_addresses')]);
    const connection = await connect();
    const host = new URL(gitea.apiUrl).host;
    expect(await check(connection)).toEqual([
      'unreachable',
      `${host} cannot be reached, because no agent of the pool rack is connected`,
    ]);
    await agents.agent(pool);
    expect(await check(connection)).toEqual([
      'unreachable',
      expect.stringContaining(
        'no connected agent of the pool rack forwards requests. Start an agent with forward_hosts',
      ),
    ]);
    expect(gitea.server.requests).toEqual([]);
  });

  test('an agent forwards API calls and Git: a push in a private network starts a run', async () => {
    const connection = await connect();
    await startAgent('--forward-hosts', '127.0.0.1');
    await until(async () => (await check(connection))[0] === 'ok');
    const repository = await gitea.createRepository(`acme/${acme.name}`);
    const workspace = await acme.workspace('one', {
      ...{ 'execution-mode': 'remote', 'queue-all-runs': true, 'file-triggers-enabled': false },
      'vcs-repo': { identifier: repository.fullName, 'oauth-token-id': connection.token },
    });
    await workOff(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first']);
    // Two megabytes that cannot be compressed: a pack of many parts.
    const noise = Buffer.from(Array.from({ length: 2 * 1_048_576 }, () => Math.floor(Math.random() * 256)));
    await repository.git.commit({ 'main.tf': '# 2', 'noise.bin': noise }, 'second');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second']);
    expect(gitea.git.requests.length).toBeGreaterThan(0);
  });

  test('a repository that is not on the servers of the connection is not contacted', async () => {
    const connection = await connect(pool, { 'http-url': gitea.httpUrl });
    await startAgent('--forward-hosts', '127.0.0.1');
    await until(async () => (await check(connection))[0] === 'ok');
    const repository = await gitea.createRepository(`acme/${acme.name}`);
    gitea.git.requests.length = 0;
    await acme.workspace('one', {
      ...{ 'execution-mode': 'remote', 'queue-all-runs': true, 'file-triggers-enabled': false },
      'vcs-repo': { identifier: repository.fullName, 'oauth-token-id': connection.token },
    });
    await workOff(api);
    const { data } = (await acme.owner.call('GET', `/oauth-clients/${connection.id}/vcs-repositories`)).body;
    expect(data[0].attributes['health-reason']).toContain('is neither the server of http-url nor of api-url');
    expect(gitea.git.requests).toEqual([]);
  });

  test('an agent forwards only to the hosts of its setting', async () => {
    const connection = await connect();
    await startAgent('--forward-hosts', 'git.example.com,10.0.0.0/8');
    await until(async () => (await check(connection))[1]?.includes('their setting forward_hosts') === true);
    expect(gitea.server.requests).toEqual([]);
  });

  test('a request is encrypted in the database, goes to one agent of the pool, and only this one may answer', async () => {
    const [agent, colleague] = [await testAgent(), await testAgent()];
    const stranger = await testAgent(await agents.pool('other'));
    const { checked, id, attributes } = await claimed(agent, await connect());
    const { origin } = new URL(attributes.url);
    expect([origin, attributes.headers.authorization]).toEqual([gitea.httpUrl, `Bearer ${gitea.token}`]);
    for (const { request } of await api.workspaces.database.all(selectRequests, {}))
      expect(Buffer.from(request).toString('latin1')).not.toContain(gitea.token);
    for (const other of [colleague, stranger]) {
      expect((await claim(other)).status).toBe(204);
      expect((await respond(other, id, { part: 0, status: 200 })).status).toBe(404);
    }
    expect((await acme.owner.call('POST', `/agents/${agent.id}/actions/claim-forwarded-request`)).status).toBe(404);
    expect((await respond(agent, `${id}x`, { part: 0, status: 200 })).status).toBe(404);
    expect((await respond(agent, id, { part: 1 })).status).toBe(409);
    const content = Buffer.from(JSON.stringify({ id: 1, login: 'ada' })).toString('base64');
    for (const _ of ['first', 'repeated'])
      expect((await respond(agent, id, { part: 0, status: 200, headers: {} })).status).toBe(204);
    expect((await respond(agent, id, { part: 1, content, last: true })).status).toBe(204);
    expect(await checked).toEqual(['ok', null]);
    expect((await respond(agent, id, { part: 2, content })).status).toBe(404);
  });

  test('a response that is too large, never ends or does not come fails the request alone', async () => {
    const agent = await testAgent();
    const connection = await connect();
    const large = await claimed(agent, connection);
    expect((await respond(agent, large.id, { part: 0, status: 200 })).status).toBe(204);
    const content = Buffer.alloc(262_144, 0x20).toString('base64');
    const statuses: number[] = [];
    for (let part = 1; part <= 40 && statuses.at(-1) !== 404; part++)
      statuses.push((await respond(agent, large.id, { part, content })).status);
    expect([statuses.at(-1), statuses.length < 30]).toEqual([404, true]);
    expect(await large.checked).toEqual(['unreachable', expect.stringContaining('sent more than 2097152 bytes')]);
    expect((await respond(agent, large.id, { part: 0, content: 'A'.repeat(600_000) })).status).toBe(422);

    const cut = await claimed(agent, connection);
    const unclaimed = check(await connect());
    expect((await respond(agent, cut.id, { part: 0, status: 200 })).status).toBe(204);
    expect((await respond(agent, cut.id, { part: 1, content: 'e30=' })).status).toBe(204);
    expect(await cut.checked).toEqual([
      'unreachable',
      expect.stringContaining('did not answer through the agent of the pool rack within 10 seconds'),
    ]);
    expect(await unclaimed).toEqual([
      'unreachable',
      expect.stringContaining('no agent of the pool rack took the request within 10 seconds'),
    ]);
  });

  test('a provider with odd headers works, and one with an odd status is an error at once', async () => {
    const connection = await connect();
    await startAgent('--forward-hosts', '127.0.0.1');
    await until(async () => (await check(connection))[0] === 'ok');
    const odd = { "x'y": 'a', 'x`y': 'a', ['x'.repeat(200)]: 'a', 'x-long': 'a'.repeat(9_000), 'x-many': ['a', 'b'] };
    gitea.server.misbehave = (_request, response) => response.writeHead(401, odd).end('{}');
    expect(await check(connection)).toEqual(['refused', expect.stringContaining('status 401')]);
    gitea.server.misbehave = (_request, response) => response.writeHead(999).end();
    expect(await check(connection)).toEqual(['unreachable', expect.stringContaining('cannot be read')]);
    gitea.server.misbehave = undefined;
    expect(await check(connection)).toEqual(['ok', null]);
  });

  test('an agent that dies in the middle fails the request, and another agent takes the next one', async () => {
    const repository = await gitea.createRepository(`acme/${acme.name}`);
    const connection = await connect();
    const first = await startAgent('--forward-hosts', '127.0.0.1');
    await until(async () => (await check(connection))[0] === 'ok');
    let arrived = () => {};
    const isThere = new Promise<void>((resolve) => (arrived = resolve));
    gitea.server.misbehave = () => arrived();
    const checked = check(connection);
    await isThere;
    first.process.kill('SIGKILL');
    expect(await checked).toEqual(['unreachable', expect.stringContaining('did not answer through the agent')]);
    gitea.server.misbehave = undefined;
    await startAgent('--forward-hosts', '127.0.0.1');
    await until(async () => (await check(connection))[0] === 'ok');
    expect(repository.fullName).toBe(`acme/${acme.name}`);
  });

  test('a stored token goes to the agents of another pool only if it is sent again', async () => {
    const { id } = await connect(null);
    const patch = (poolId: string | null, attributes: object = {}) =>
      acme.owner.call('PATCH', `/oauth-clients/${id}`, {
        data: { type: 'oauth-clients', attributes, relationships: related(poolId) },
      });
    const refused = await patch(pool);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('OAuth token must be sent again')]);
    expect((await patch(pool, { 'oauth-token-string': gitea.token })).status).toBe(200);
    expect((await patch(pool, { name: 'same pool' })).status).toBe(200);
    expect((await patch(await agents.pool('other'))).status).toBe(422);
    expect((await patch(null)).status).toBe(200);
  });
});

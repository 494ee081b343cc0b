import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../../../src/lib/http/http-request.ts';
import { FileBlobs, sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, type TestAgent } from '../support/agents.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { created, newOrganization, type TestOrganization } from '../support/organization.ts';

const count = sql<Record<string, never>, { requests: number; parts: number }>(
  `SELECT (SELECT COUNT(*) FROM forwarded_request) AS requests, (SELECT COUNT(*) FROM forwarded_part) AS parts`,
);

/** Agents that the tests play themselves. No request reaches a provider. */
describe.each(databaseKinds)('hostile and lost agents that forward requests, on %s', { timeout: 60_000 }, (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let agents: ReturnType<typeof agentsOf>;
  let pool: string;
  beforeAll(async () => {
    api = await startApi(kind, FileBlobs);
  });
  beforeEach(async () => {
    acme = await newOrganization(api);
    agents = agentsOf(api, acme);
    pool = await agents.pool('rack');
  });
  afterEach(async () => {
    const { requests, parts } = (await api.workspaces.database.one(count, {})) ?? {};
    expect([Number(requests), Number(parts)]).toEqual([0, 0]);
  });
  afterAll(() => api.close());

  async function connect(): Promise<string> {
    const answer = await acme.owner.call('POST', `/organizations/${acme.name}/oauth-clients`, {
      data: {
        type: 'oauth-clients',
        attributes: {
          ...{ 'service-provider': 'gitea', 'http-url': 'https://git.corp.example' },
          ...{ 'api-url': 'https://git.corp.example/api/v1', 'oauth-token-string': 'secret' },
        },
        relationships: { 'agent-pool': { data: { type: 'agent-pools', id: pool } } },
      },
    });
    created(answer);
    return answer.body.data.id;
  }

  /** Checks a connection. Returns its status and the reason. */
  async function check(id: string): Promise<[string, string | null]> {
    const { status, body, text } = await acme.owner.call('POST', `/oauth-clients/${id}/actions/check`);
    expect(status, text).toBe(200);
    return [body.data.attributes['connection-status'], body.data.attributes['connection-status-reason']];
  }

  const claim = (agent: TestAgent, wait = 0) =>
    agent.call('POST', `/agents/${agent.id}/actions/claim-forwarded-request?wait=${wait}`);
  const respond = (agent: TestAgent, id: string, attributes: object) =>
    agent.call('POST', `/agents/${agent.id}/forwarded-requests/${id}/actions/respond`, {
      data: { type: 'forwarded-responses', attributes },
    });

  /** An agent that counts as one that forwards. */
  async function forwarder(): Promise<TestAgent> {
    const agent = await agents.agent(pool);
    expect((await claim(agent)).status).toBe(204);
    return agent;
  }

  /** Claims the request of a check. */
  async function claimed(agent: TestAgent, connection: string) {
    const checked = check(connection);
    const { body, text, status } = await claim(agent, 20);
    expect(status, text).toBe(200);
    return { checked, id: body.data.id as string };
  }

  /** Waits until a long poll has arrived at the server. */
  const arrived = () => sleep(300);

  describe('an agent that waits for a request gets none, and no credential, once', () => {
    test.each<[string, number, (agent: TestAgent) => Promise<Answer>]>([
      ['its token is deleted', 401, ({ tokenId }) => acme.owner.call('DELETE', `/authentication-tokens/${tokenId}`)],
      ['it has unregistered', 404, (agent) => agent.say('exited')],
    ])('%s', async (_, refusal, revoke) => {
      const connection = await connect();
      const [lost, honest] = [await forwarder(), await forwarder()];
      const waiting = claim(lost, 20);
      await arrived();
      expect((await revoke(lost)).status).toBeLessThan(300);
      const checked = check(connection);
      const { status, text } = await waiting;
      expect([status, text.includes('authorization')]).toEqual([refusal, false]);
      // The request is still there for the others.
      const { body } = await claim(honest, 20);
      await respond(honest, body.data.id, { part: 0, status: 401, last: true });
      expect((await checked)[0]).toBe('refused');
    });
  });

  test.each([
    ['is not read', (response: HttpResponse) => response.discard()],
    ['has a reader that ends before it starts', (response: HttpResponse) => endOf(response.body)],
  ])('an agent learns at once that its response %s', async (_, end) => {
    const agent = await forwarder();
    const { forwarding } = api.workspaces.execution;
    const fetched = forwarding.fetchThrough(pool)('https://git.corp.example', { timeoutMs: 60_000, maxBytes: 1e6 });
    const { id } = (await claim(agent, 20)).body.data;
    expect((await respond(agent, id, { part: 0, status: 200 })).status).toBe(204);
    const response = await fetched;
    for (let part = 1; part <= 8; part++) expect((await respond(agent, id, { part })).status).toBe(204);
    const waiting = respond(agent, id, { part: 9 });
    await arrived();
    end(response);
    expect((await waiting).status).toBe(404);
  });

  test('parts that are empty, repeated or after the last one do not keep a request alive', async () => {
    const agent = await forwarder();
    const { checked, id } = await claimed(agent, await connect());
    expect((await respond(agent, id, { part: 0, status: 200 })).status).toBe(204);
    let last: Answer | undefined;
    for (let part = 1; last?.status !== 404 && part < 100_000; part++) {
      last = await respond(agent, id, { part });
      if (part % 50 === 0) api.advance(1000);
    }
    expect(last?.status).toBe(404);
    expect((await checked)[0]).toBe('unreachable');
  });

  test('above 32 requests of a pool, further ones fail at once and say why', async () => {
    await forwarder();
    const fetch = api.workspaces.execution.forwarding.fetchThrough(pool);
    const ends = Array.from({ length: 500 }, () =>
      fetch('https://git.corp.example', { timeoutMs: 3_000, maxBytes: 1 }).then(
        () => 'answered',
        (error: Error) => error.message,
      ),
    );
    const reasons = await Promise.all(ends);
    expect(reasons.filter((reason) => reason.includes('took the request within 3 seconds')).length).toBe(32);
    expect(reasons.filter((reason) => reason.includes('the agents of the pool rack are busy')).length).toBe(468);
  });

  test('a pool cannot be deleted under a connection, which the server would then contact itself', async () => {
    const connection = await connect();
    const refused = await acme.owner.call('DELETE', `/agent-pools/${pool}`);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('in use by a workspace, a VCS connection'),
    ]);
    expect((await acme.owner.call('DELETE', `/oauth-clients/${connection}`)).status).toBe(204);
    expect((await acme.owner.call('DELETE', `/agent-pools/${pool}`)).status).toBe(204);
  });

  test('a pool that is deleted in the middle fails its requests, and hands out none', async () => {
    const agent = await forwarder();
    const connection = await connect();
    const { checked, id } = await claimed(agent, connection);
    const data = { type: 'oauth-clients', relationships: { 'agent-pool': { data: null } } };
    expect((await acme.owner.call('PATCH', `/oauth-clients/${connection}`, { data })).status).toBe(200);
    expect((await acme.owner.call('DELETE', `/agent-pools/${pool}`)).status).toBe(204);
    expect([401, 404]).toContain((await respond(agent, id, { part: 0, status: 200 })).status);
    expect((await checked)[0]).toBe('unreachable');
  });

  test('the agent and the server may use different nodes', async () => {
    const other = await api.forgetful();
    const agent = await forwarder();
    const there = other.holder(agent.token);
    const at = (path: string, body?: object) => there.call('POST', path, body, { 'agent-id': agent.id });
    const checked = check(await connect());
    const { body, text } = await at(`/agents/${agent.id}/actions/claim-forwarded-request?wait=20`);
    const path = `/agents/${agent.id}/forwarded-requests/${body.data?.id}/actions/respond`;
    const part = (attributes: object) => ({ data: { type: 'forwarded-responses', attributes } });
    expect((await at(path, part({ part: 0, status: 401, last: true }))).status, text).toBe(204);
    expect((await checked)[0]).toBe('refused');
    await other.close();
  });

  test('headers that no provider sends do not reach further than the response', async () => {
    const agent = await forwarder();
    for (const headers of [
      { location: 'file:///etc/passwd' },
      { location: 'http://169.254.169.254/latest' },
      { location: '//evil.example/' },
      { constructor: 'x', 'content-length': '9999999999', 'transfer-encoding': 'chunked' },
      { 'retry-after': '1e400', 'x-ratelimit-remaining': '-0', 'x-ratelimit-reset': '9'.repeat(300) },
    ]) {
      const { checked, id } = await claimed(agent, await connect());
      expect((await respond(agent, id, { part: 0, status: 302, headers, last: true })).status).toBe(204);
      expect(await checked).toEqual([expect.stringMatching(/refused|unreachable/), expect.any(String)]);
    }
  });
});

const endOf = (body: AsyncIterable<Uint8Array>) => void body[Symbol.asyncIterator]().return?.();

import { Agent } from 'node:https';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import type { Answer } from '../support/http.ts';
import { createRoot } from '../support/pki.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

const MANY = 40;
/** Each test starts a server with limits of its own. */
const SLOW = { timeout: 90_000 };

describe.each(databaseKinds)('rate limits, on %s', SLOW, (kind) => {
  const servers: TestServer[] = [];
  const agent = new Agent({ keepAlive: true });
  afterAll(() => agent.destroy());
  const ca = createRoot();
  const client = ca.issue({ subject: 'web-1.example.com', dns: ['web-1.example.com'] });
  const stranger = createRoot().issue({ subject: 'web-1.example.com', dns: ['web-1.example.com'] });

  const start = async (rateLimits: TestServerOptions['rateLimits'], beside?: TestServer) => {
    const server = await startTestServer(kind, { ...(rateLimits && { rateLimits }), ...(beside && { beside }) });
    servers.push(server);
    return server;
  };
  const many = (ask: (i: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: MANY }, (_, i) => ask(i)));
  const statusesOf = (answers: readonly Answer[]) => new Set(answers.map(({ status }) => status));
  const otherUser = async ({ application }: TestServer) => {
    const { tenancy } = application.workspaces;
    const user = await tenancy.users.create({ username: 'second', email: 'second@example.com' });
    return (await tenancy.tokens.issue(user.id, { description: '', expiresAt: null })).text;
  };
  afterEach(async () => {
    for (const server of servers.splice(0).reverse()) await server.stop();
  });

  it('are off unless they are set', async () => {
    const server = await start(undefined);
    const answers = await many(() => server.user('GET', '/api/v2/account/details'));
    expect(statusesOf(answers)).toEqual(new Set([200]));
    expect(answers[0]?.headers).not.toHaveProperty('x-ratelimit-limit');
  });

  it('refuse only the user who sends too many requests, in the form that official clients expect', async () => {
    const server = await start({ workspaces: 2 });
    const honest = await otherUser(server);
    const details = '/api/v2/account/details';
    const first = await server.call('GET', details, { token: honest });
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-reset': '0.000' });
    await server.user('GET', details);
    const answers = await many(() => server.user('GET', details));
    expect(statusesOf(answers)).toEqual(new Set([200, 429]));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers).toMatchObject({
      'content-type': 'application/vnd.api+json',
      'retry-after': '1',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^0\.[0-9]{3}$/),
    });
    expect(refused?.body).toEqual({
      errors: [{ status: '429', title: 'Too many requests', detail: "You have exceeded the API's rate limit." }],
    });
    expect((await server.call('GET', details, { token: honest })).status).toBe(200);
  });

  it('count requests with invalid tokens for their IP address: other clients continue', async () => {
    const server = await start({ access: 2, workspaces: 2 });
    await server.root('GET', '/v1/auth/token/lookup-self');
    await server.user('GET', '/api/v2/account/details');
    const made = await many((i) => server.call('GET', '/v1/auth/token/lookup-self', { agent, token: `lks.${i}` }));
    expect(statusesOf(made)).toEqual(new Set([403, 429]));
    const elsewhere = await many((i) => server.call('GET', '/api/v2/account/details', { agent, token: `lku.${i}` }));
    expect(statusesOf(elsewhere)).toEqual(new Set([401, 429]));
    expect((await server.root('GET', '/v1/auth/token/lookup-self')).status).toBe(200);
    expect((await server.user('GET', '/api/v2/account/details')).status).toBe(200);
  });

  it('refuse tokens of the access API in its error format, and exempt health and metrics', async () => {
    const server = await start({ access: 2 });
    await server.root('GET', '/v1/auth/token/lookup-self');
    const answers = await many(() => server.root('GET', '/v1/auth/token/lookup-self'));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toEqual({ errors: ['request path "auth/token/lookup-self": rate limit quota exceeded'] });
    expect(refused?.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': '2' });
    const healthy = [
      ...(await many(() => server.call('GET', '/v1/sys/health', { agent }))),
      ...(await many(() => server.call('GET', '/healthz/live', { agent }))),
    ];
    expect(statusesOf(healthy)).toEqual(new Set([200]));
    const page = await server.call('GET', '/metrics');
    expect(page.text).toMatch(/rate_limited_requests_total\{limit="access"\} [1-9]/);
    // A refused request has done nothing: it is logged but not audited.
    const ids = new Set(answers.filter(({ status }) => status === 429).map(({ headers }) => headers['x-request-id']));
    expect(server.auditLines().filter(({ request_id: id }) => ids.has(`${id}`))).toEqual([]);
    expect(server.logLines().filter(({ request_id: id }) => ids.has(`${id}`))).toHaveLength(ids.size);
  });

  it('apply to logins of an IP address, and more strictly to refused ones', async () => {
    const server = await start({ logins: 6, failedLogins: 2 });
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
    const login = (certificate = client) => server.call('POST', '/v1/auth/cert/login', { certificate, body: {} });
    const { auth } = (await login()).body;
    expect((await login(stranger)).status).toBe(400);
    expect((await login(stranger)).status).toBe(400);
    const refused = await login();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const own = await server.call('GET', '/v1/auth/token/lookup-self', { token: auth.client_token });
    expect(own.status).toBe(200);
  });

  it.runIf(kind === 'postgres')('count refused logins of all nodes together', async () => {
    const server = await start({ failedLogins: 2 });
    const other = await start({ failedLogins: 2 }, server);
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
    const login = (at: TestServer, certificate = client) =>
      at.call('POST', '/v1/auth/cert/login', { certificate, body: {} });
    for (let i = 0; i < 2; i++) expect((await login(server, stranger)).status).toBe(400);
    await expect.poll(async () => (await login(other)).status, { timeout: 10_000 }).toBe(429);
  });
});

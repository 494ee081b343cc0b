import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const INVALID = { errors: ['wrapping token is not valid or does not exist'] };
/** Clients recognize a spent wrapping token by 400 and this text. */
const isSpent = ({ status, body }: { status: number; body: unknown }) => expect([status, body]).toEqual([400, INVALID]);

describe.each(databaseKinds)('wrapped responses, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const certificate = ca.issue({ subject: 'device' });

  const wrapped = (path: string, ttl: string, body: unknown = {}, token = server.rootToken) =>
    server.call('POST', `/v1/${path}`, { token, body, headers: { 'x-vault-wrap-ttl': ttl } });
  const wrap = async (body: unknown, ttl = '300'): Promise<string> =>
    (await wrapped('sys/wrapping/wrap', ttl, body)).body.wrap_info.token;
  const withToken = (operation: string, token: string, body: unknown = {}) =>
    server.call('POST', `/v1/sys/wrapping/${operation}`, { token, body });
  const named = (operation: string, token: string) => withToken(operation, server.rootToken, { token });
  /** A token with the `default` policy. */
  const machine = async (): Promise<string> =>
    (await server.call('POST', '/v1/auth/cert/login', { certificate })).body.auth.client_token;

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
  });
  afterAll(() => server.stop());

  it('are recorded as a token, without their content', async () => {
    const { status, body, text } = await wrapped('sys/wrapping/wrap', '5m', { secret: 'hunter2' });
    expect(status).toBe(200);
    expect(body).toEqual({
      request_id: expect.any(String),
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: null,
      wrap_info: {
        token: expect.stringMatching(/^lks\./),
        accessor: expect.any(String),
        ttl: 300,
        creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        creation_path: 'sys/wrapping/wrap',
      },
      warnings: null,
      auth: null,
    });
    expect(text).not.toContain('hunter2');
  });

  it('are unwrapped by the token itself, once', async () => {
    const token = await wrap({ secret: 'hunter2' });
    const { status, body } = await withToken('unwrap', token);
    expect([status, body.data, body.wrap_info]).toEqual([200, { secret: 'hunter2' }, null]);
    isSpent(await withToken('unwrap', token));
    isSpent(await named('unwrap', token));
  });

  it('are unwrapped once by a token in the body, for any caller', async () => {
    for (const caller of [server.rootToken, await machine(), undefined]) {
      const token = await wrap({ secret: 1 });
      const ask = () =>
        server.call('PUT', '/v1/sys/wrapping/unwrap', { body: { token }, ...(caller && { token: caller }) });
      expect((await ask()).body.data).toEqual({ secret: 1 });
      isSpent(await ask());
    }
  });

  it('are unwrapped by one of many concurrent callers', async () => {
    const token = await wrap({ secret: 1 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => withToken('unwrap', token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) isSpent(answer);
  });

  it('may be empty objects, with every form of a duration', async () => {
    for (const [ttl, seconds] of [
      ['60', 60],
      ['1h30m', 5400],
      ['2d', 172_800],
    ] as const) {
      const { body } = await wrapped('sys/wrapping/wrap', ttl);
      expect(body.wrap_info.ttl).toBe(seconds);
      expect((await withToken('unwrap', body.wrap_info.token)).body.data).toEqual({});
    }
  });

  it('last no longer than tokens may', async () => {
    expect((await wrapped('sys/wrapping/wrap', '10000h')).body.wrap_info.ttl).toBe(768 * 3600);
  });

  it('are refused for a time that is none, and without one where there is nothing else to do', async () => {
    for (const ttl of ['-5', 'soon', '1e9999', '99999999999']) {
      expect((await wrapped('sys/wrapping/wrap', ttl)).status).toBe(400);
    }
    for (const ttl of ['0', '0s', '']) {
      const { status, body } = await wrapped('sys/wrapping/wrap', ttl);
      expect([status, body.errors]).toEqual([400, [expect.stringContaining('X-Vault-Wrap-TTL')]]);
    }
  });

  it('hold a bounded amount', async () => {
    expect((await wrapped('sys/wrapping/wrap', '60', { a: 'x'.repeat(200_000) })).status).toBe(200);
    expect((await wrapped('sys/wrapping/wrap', '60', { a: 'x'.repeat(300_000) })).status).toBe(413);
  });

  it('can be looked up any number of times, with or without another token', async () => {
    const token = await wrap({ secret: 1 }, '90');
    const asked = [
      await server.call('POST', '/v1/sys/wrapping/lookup', { body: { token } }),
      await withToken('lookup', token),
      await named('lookup', token),
      await server.call('GET', '/v1/sys/wrapping/lookup', { token }),
    ];
    for (const { status, body } of asked) {
      expect(status).toBe(200);
      expect(body.data).toEqual({
        creation_ttl: 90,
        creation_time: expect.any(String),
        creation_path: 'sys/wrapping/wrap',
      });
    }
    expect((await server.call('GET', `/v1/sys/wrapping/lookup?token=${token}`)).status).toBe(400);
    expect((await withToken('unwrap', token)).status).toBe(200);
    isSpent(await named('lookup', token));
  });

  it('can be given another token', async () => {
    const first = await wrap({ secret: 1 }, '90');
    const { status, body } = await named('rewrap', first);
    expect([status, body.wrap_info.ttl, body.wrap_info.creation_path]).toEqual([200, 90, 'sys/wrapping/wrap']);
    isSpent(await withToken('unwrap', first));
    const again = await withToken('rewrap', body.wrap_info.token);
    expect((await withToken('unwrap', again.body.wrap_info.token)).body.data).toEqual({ secret: 1 });
    isSpent(await named('rewrap', again.body.wrap_info.token));
  });

  it('are deleted when they expire', async () => {
    const token = await wrap({ secret: 1 }, '60');
    server.advance(60);
    for (const operation of ['unwrap', 'lookup', 'rewrap']) isSpent(await named(operation, token));
  });

  it('can be unwrapped only by wrapping tokens', async () => {
    for (const token of [server.rootToken, await machine(), server.userToken, 'lks.x', 'x'.repeat(9000), '']) {
      for (const operation of ['unwrap', 'lookup', 'rewrap']) isSpent(await named(operation, token));
    }
    isSpent(await server.call('POST', '/v1/sys/wrapping/unwrap'));
    expect((await withToken('unwrap', server.rootToken, { token: ['x'] })).status).toBe(400);
    expect((await server.root('GET', '/v1/auth/token/lookup-self')).status).toBe(200);
  });

  it('have tokens that are valid for nothing else', async () => {
    for (const [method, path] of [
      ['GET', 'auth/token/lookup-self'],
      ['POST', 'auth/token/renew-self'],
      ['POST', 'auth/token/create'],
      ['GET', 'auth/cert/certs/web'],
      ['POST', 'sys/wrapping/wrap'],
    ] as const) {
      const answer = await server.call(method, `/v1/${path}`, { token: await wrap({ secret: 1 }) });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect((await server.call('GET', '/api/v2/account/details', { token: await wrap({}) })).status).toBe(401);
  });

  it('can be logins, for every client that can log in', async () => {
    const headers = { 'x-vault-wrap-ttl': '60' };
    const { body, text } = await server.call('POST', '/v1/auth/cert/login', { certificate, headers });
    expect([body.auth, body.wrap_info.creation_path]).toEqual([null, 'auth/cert/login']);
    const { auth } = (await withToken('unwrap', body.wrap_info.token)).body;
    expect(auth.accessor).toBe(body.wrap_info.wrapped_accessor);
    expect(text).not.toContain(auth.client_token);
    const self = await server.call('GET', '/v1/auth/token/lookup-self', { token: auth.client_token });
    expect([self.status, self.body.data.accessor]).toEqual([200, auth.accessor]);
  });

  it('still open when the token inside was revoked by its accessor', async () => {
    const { wrap_info } = (await wrapped('auth/token/create', '60', { policies: ['default'] })).body;
    await server.root('POST', '/v1/auth/token/revoke-accessor', { accessor: wrap_info.wrapped_accessor });
    const unwrapped = await withToken('unwrap', wrap_info.token);
    expect(unwrapped.status).toBe(200);
    const { client_token: token } = unwrapped.body.auth;
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token })).status).toBe(403);
  });

  it('are gone when their token is revoked by its accessor', async () => {
    const { wrap_info } = (await wrapped('sys/wrapping/wrap', '60')).body;
    const revoked = await server.root('POST', '/v1/auth/token/revoke-accessor', { accessor: wrap_info.accessor });
    expect(revoked.status).toBe(204);
    isSpent(await withToken('unwrap', wrap_info.token));
  });

  it('can be reads, and keep the fields beside the envelope for old clients', async () => {
    const headers = { 'x-vault-wrap-ttl': '60' };
    const read = await server.call('GET', '/v1/auth/cert/certs/web', { token: server.rootToken, headers });
    const plain = await server.root('GET', '/v1/auth/cert/certs/web');
    expect((await withToken('unwrap', read.body.wrap_info.token)).body.data).toEqual(plain.body.data);
    const flat = await server.call('GET', '/v1/sys/policy', { token: server.rootToken, headers });
    expect(flat.body.keys).toBeUndefined();
    expect((await withToken('unwrap', flat.body.wrap_info.token)).body.keys).toContain('default');
  });

  it('are never errors or empty responses', async () => {
    const headers = { 'x-vault-wrap-ttl': '60' };
    const absent = await server.call('GET', '/v1/auth/cert/certs/none', { token: server.rootToken, headers });
    expect([absent.status, absent.body]).toEqual([404, { errors: [] }]);
    const deleted = await server.call('DELETE', '/v1/auth/cert/certs/none', { token: server.rootToken, headers });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const health = await server.call('GET', '/v1/sys/health', { headers });
    expect(health.body).toMatchObject({ initialized: true });
  });

  it('are not created without a token, except by a login', async () => {
    const headers = { 'x-vault-wrap-ttl': '60' };
    const mounts = await server.call('GET', '/v1/sys/internal/ui/mounts', { headers });
    expect([mounts.status, mounts.body.wrap_info]).toEqual([200, null]);
    const token = await wrap({ secret: 1 });
    const facts = await server.call('POST', '/v1/sys/wrapping/lookup', { body: { token }, headers });
    expect([facts.status, facts.body.wrap_info]).toEqual([200, null]);
  });

  it('leave no secret in the log and the audit log', async () => {
    const token = await wrap({ secret: 'hunter2-audited' });
    await withToken('unwrap', token);
    await expect.poll(() => JSON.stringify(server.auditLines())).toContain('/v1/sys/wrapping/unwrap');
    await expect.poll(() => JSON.stringify(server.logLines())).toContain('/v1/sys/wrapping/unwrap');
    for (const lines of [server.auditLines(), server.logLines()]) {
      const text = JSON.stringify(lines);
      expect(text).not.toContain('hunter2-audited');
      expect(text).not.toContain(token);
    }
  });
});

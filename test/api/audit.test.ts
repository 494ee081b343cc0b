import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import type { Answer } from '../support/http.ts';
import { ask2, dial, dialHttp2, message, type Reply } from '../support/listening.ts';
import { createRoot } from '../support/pki.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe.each(databaseKinds)('the audit log, on %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-audit-'));
  const auditFile = join(folder, 'audit.log');
  const ca = createRoot();
  const client = ca.issue({ subject: 'web-1.example.com', dns: ['web-1.example.com'] });
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(kind, { auditFile });
    await server.root('POST', '/v1/auth/cert/certs/web', {
      certificate: ca.pem,
      allowed_common_names: '*.example.com',
      token_policies: ['deploy'],
    });
    await server.user('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name: 'acme', email: 'hidden@example.com' } },
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const entriesOf = ({ headers }: Pick<Answer, 'headers'>) =>
    server.auditLines().filter((entry) => entry.request_id === headers['x-request-id']);
  const hash = (value: string) => server.application.audit.hash(value);
  const login = (certificate = client) =>
    server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'web' } });

  it('contains a login twice: the client, and a hash of the new token', async () => {
    const answer = await login();
    const { client_token: token, accessor } = answer.body.auth;
    const common = { service: 'access', method: 'POST', path: '/v1/auth/cert/login', remote_address: '127.0.0.1' };
    expect(entriesOf(answer)).toMatchObject([
      { ...common, type: 'request', request: { name: 'web' } },
      {
        ...common,
        type: 'response',
        status: 200,
        actor_subject: 'CN=web-1.example.com',
        actor_serial: String(client.serial),
        response: { auth: { client_token: hash(token), accessor, policies: ['default', 'deploy'] } },
      },
    ]);
  });

  it('contains the reasons of a refused login, which the client does not get', async () => {
    const reason = expect.objectContaining({ check: 'allowed_common_names', actual: 'web-1.example.org' });
    const answer = await login(ca.issue({ subject: 'web-1.example.org', dns: ['web-1.example.org'] }));
    expect(answer.body).toEqual({ errors: ['failed to match all constraints for this login certificate'] });
    expect(entriesOf(answer).at(-1)).toMatchObject({
      status: 400,
      error: 'failed to match all constraints for this login certificate',
      actor_subject: 'CN=web-1.example.org',
      verdicts: [{ role: 'web', verdicts: expect.arrayContaining([reason]) }],
    });
  });

  it('contains the owner of a used token, and nothing that allows its use', async () => {
    const { client_token: token, accessor } = (await login()).body.auth;
    const answer = await server.call('GET', '/v1/auth/token/lookup-self', { token });
    expect(entriesOf(answer)).toMatchObject([
      { type: 'request', actor_kind: 'token', actor_accessor: accessor },
      {
        type: 'response',
        actor_accessor: accessor,
        response: { data: { id: hash(token), accessor, type: 'service' } },
      },
    ]);
  });

  it('contains a role with its harmless settings in clear text, and a hash of its certificate', async () => {
    const body = { certificate: ca.pem, allowed_dns_sans: ['*.example.net'], token_ttl: '1h' };
    const answer = await server.root('POST', '/v1/auth/cert/certs/other', body);
    expect(entriesOf(answer)[0]).toMatchObject({
      path: '/v1/auth/cert/certs/other',
      request: { certificate: hash(ca.pem), allowed_dns_sans: ['*.example.net'], token_ttl: '1h' },
    });
  });

  it('describes a response of the workspace API by its resources', async () => {
    const made = await server.user('POST', `/api/v2/users/${server.userId}/authentication-tokens`, {
      data: { type: 'authentication-tokens', attributes: { description: 'for hidden things' } },
    });
    const { id } = made.body.data;
    expect(entriesOf(made)).toMatchObject([
      {
        actor_kind: 'user',
        actor_id: server.userId,
        request: { data: { type: 'authentication-tokens', attributes: { description: hash('for hidden things') } } },
      },
      { status: 201, response: { type: 'authentication-tokens', id } },
    ]);
    const list = await server.user('GET', '/api/v2/organizations?q=hidden');
    expect(entriesOf(list)).toMatchObject([
      { query: { q: hash('hidden') } },
      { response: { count: list.body.data.length } },
    ]);
  });

  it('contains unauthenticated requests and their responses', async () => {
    const onAccess = await server.call('GET', `/v1/auth/token/lookup/${server.rootToken}`);
    expect(entriesOf(onAccess).at(-1)).toMatchObject({
      path: `/v1/auth/token/lookup/${hash(server.rootToken)}`,
      status: onAccess.status,
      error: 'permission denied',
    });
    const onWorkspaces = await server.call('DELETE', '/api/v2/organizations/acme', { token: 'lku.forged' });
    expect(entriesOf(onWorkspaces).at(-1)).toMatchObject({ service: 'workspaces', method: 'DELETE', status: 401 });
  });

  describe('contains the one path that served a request', () => {
    const own = 'my-own-id-0815';
    const at = () => ({ port: Number(new URL(server.address).port), secure: true });
    const authorization = () => `Bearer ${server.rootToken}`;

    /** A raw path, which every client would normalize. */
    async function sent(method: string, target: string, headers: Record<string, string>): Promise<Reply> {
      const wire = await dial(at(), { ca: server.ca });
      onTestFinished(() => void wire.socket.destroy());
      return wire.ask(message(method, target, headers));
    }

    async function sent2(method: string, path: string, headers: Record<string, string>): Promise<Reply> {
      const session = await dialHttp2(at(), { ca: server.ca });
      onTestFinished(() => session.destroy());
      return ask2(session, { ':method': method, ':path': path, ...headers });
    }

    beforeAll(async () => {
      expect((await server.root('POST', '/v1/auth/token/create', { id: own, ttl: '1h' })).status).toBe(200);
    });

    it.each([
      ['GET', '/v1/auth/token/lookup%2fTOKEN', '/v1/auth/token/lookup/HASH', 200],
      ['GET', '/v1/auth/token/look%75p/TOKEN', '/v1/auth/token/lookup/HASH', 200],
      ['GET', '/v1/auth%2ftoken%2flookup%2fTOKEN', '/v1/auth/token/lookup/HASH', 200],
      ['GET', '/%761/auth/token/lookup/TOKEN/', '/v1/auth/token/lookup/HASH/', 200],
      ['GET', '/v1/auth/token/lookup/TOKEN/more', '/v1/auth/token/lookup/HASH/MORE', 404],
      ['LIST', '/v1/auth/token/lookup/TOKEN', '/v1/auth/token/lookup/HASH', 405],
      ['PUT', '/v1/auth/token/renew%2FTOKEN', '/v1/auth/token/renew/HASH', 200],
      ['POST', '/v1/auth/token/revoke%2fTOKEN', '/v1/auth/token/revoke/HASH', 404],
      ['POST', '/v1/auth/token/revoke-orphan%2fTOKEN', '/v1/auth/token/revoke-orphan/HASH', 404],
      ['POST', '/v1/sys/wrapping/lookup%2fTOKEN', '/v1/sys/wrapping/lookup/HASH', 404],
      ['GET', '/v1/auth/tokne/lookup/TOKEN', '/v1/TOKNE', 404],
    ])('%s %s, over HTTP/1.1 and 2', async (method, target, path, status) => {
      for (const ask of [sent, sent2]) {
        const answer = await ask(method, target.replace('TOKEN', own), { authorization: authorization() });
        expect(answer.status).toBe(status);
        const expected = path
          .replace('TOKNE', [...['auth', 'tokne', 'lookup'], own].map(hash).join('/'))
          .replace('HASH', hash(own))
          .replace('MORE', hash('more'));
        const lines = entriesOf(answer);
        expect(lines.length).toBeGreaterThan(0);
        for (const line of lines) expect(line).toMatchObject({ service: 'access', path: expected });
        expect(JSON.stringify(lines)).not.toContain(own);
      }
      expect(JSON.stringify(server.logLines())).not.toContain(own);
    });

    it.each([
      ['/%61pi/v2/organizations/acme', 'workspaces', '/api/v2/organizations/acme'],
      ['https://elsewhere.example/api/v2/organizations/acme', 'workspaces', '/api/v2/organizations/acme'],
      ['/api/v2/organizations/acme/workspaces/a%2fb', 'workspaces', '/api/v2/organizations/acme/workspaces/a%2Fb'],
      ['/%761/sys/internal/ui/mounts', 'access', '/v1/sys/internal/ui/mounts'],
      ['http://elsewhere.example/v1/sys/internal/ui/mounts?x=1', 'access', '/v1/sys/internal/ui/mounts'],
    ])('%s, and the service that executed it', async (target, service, path) => {
      const token = service === 'access' ? server.rootToken : server.userToken;
      const answer = await sent('GET', target, { authorization: `Bearer ${token}` });
      expect(answer.status).toBe(path.endsWith('%2Fb') ? 404 : 200);
      for (const line of entriesOf(answer)) expect(line).toMatchObject({ service, path });
      const logged = () => server.logLines().find((line) => line.request_id === answer.headers['x-request-id']);
      await expect.poll(logged).toMatchObject({ service });
    });

    it('and links lead to the host of an absolute target', async () => {
      const target = 'https://elsewhere.example:1/api/v2/organizations?page%5Bsize%5D=1';
      const answer = await sent('GET', target, { authorization: `Bearer ${server.userToken}` });
      expect(new URL(answer.body.links.self).host).toBe('elsewhere.example:1');
    });
  });

  it('leaves out requests that neither change nor reveal anything', async () => {
    for (const path of ['/healthz/live', '/healthz/ready', '/metrics', '/v1/sys/health', '/v1/sys/seal-status']) {
      const answer = await server.call('GET', path);
      expect([path, answer.status, entriesOf(answer)]).toEqual([path, 200, []]);
    }
  });

  it('never has a secret in it', async () => {
    const { client_token: token } = (await login()).body.auth;
    const text = readFileSync(auditFile, 'utf8');
    for (const secret of [server.rootToken, server.userToken, token, 'BEGIN CERTIFICATE', 'hidden']) {
      expect(text).not.toContain(secret);
    }
  });

  it('blocks every request while it cannot be written, and health gives the reason', async () => {
    const { client_token: token } = (await login()).body.auth;
    rmSync(auditFile);
    symlinkSync('/dev/full', auditFile);
    server.application.audit.reopen();
    const text = 'the audit log cannot be written';

    const write = await server.root('POST', '/v1/auth/cert/certs/late', { certificate: ca.pem });
    expect([write.status, write.body]).toEqual([
      503,
      { errors: [`${text}, so the request was not executed; an operator has to check the audit sinks`] },
    ]);
    const revoke = await server.call('POST', '/v1/auth/token/revoke-self', { token });
    expect(revoke.status).toBe(503);
    const read = await server.root('GET', '/v1/auth/cert/certs/web');
    expect([read.status, Object.keys(read.body)]).toEqual([503, ['errors']]);
    expect((await login()).status).toBe(503);
    const organizations = await server.user('GET', '/api/v2/organizations');
    expect(organizations).toMatchObject({ status: 503, body: { errors: [{ status: '503' }] } });
    expect(organizations.headers['content-type']).toBe('application/vnd.api+json');
    expect((await server.call('GET', '/v1/sys/seal-status')).status).toBe(200);
    // The readiness result is cached for a second.
    const ready = () => server.call('GET', '/healthz/ready');
    await expect.poll(ready, { timeout: 10_000 }).toMatchObject({
      status: 503,
      body: { checks: expect.arrayContaining([{ name: 'audit', ok: false, reason: 'file: ENOSPC' }]) },
    });
    expect((await server.call('GET', '/metrics')).text).toMatch(/^audit_failures_total\{sink="file"\} [1-9]/m);

    rmSync(auditFile);
    await expect.poll(ready, { timeout: 10_000 }).toMatchObject({ status: 200 });
    expect((await server.root('GET', '/v1/auth/cert/certs/late')).status).toBe(404);
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token })).status).toBe(200);
  });
});

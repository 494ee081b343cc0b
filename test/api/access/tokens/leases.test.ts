import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const POLICIES = {
  maker: `path "auth/token/create*" { capabilities = ["update"] }`,
  plain: `path "sys/leases/*" { capabilities = ["create", "read", "update", "delete", "list"] }`,
};

describe.each(databaseKinds)('leases, on %s', (kind) => {
  let server: TestServer;
  let plain: string;
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'web-1.example.com' });

  const login = async (): Promise<string> =>
    (await server.call('POST', '/v1/auth/cert/login', { certificate: client, body: { name: 'web' } })).body.auth
      .client_token;
  const make = async (body: unknown, token = server.rootToken, path = 'create'): Promise<string> =>
    (await server.call('POST', `/v1/auth/token/${path}`, { token, body })).body.auth.client_token;
  const list = async (prefix: string) => (await server.root('LIST', `/v1/sys/leases/lookup${prefix}`)).body.data?.keys;
  const lease = (operation: string, body: unknown, token = server.rootToken) =>
    server.call('PUT', `/v1/sys/leases/${operation}`, { token, body });
  const alive = async (...tokens: string[]) => {
    const answers = tokens.map((token) => server.call('GET', '/v1/auth/token/lookup-self', { token }));
    return (await Promise.all(answers)).map(({ status }) => status === 200);
  };
  const refused = (text: string) => ({ status: 400, body: { errors: [text] } });

  beforeAll(async () => {
    server = await startTestServer(kind);
    for (const [name, policy] of Object.entries(POLICIES)) {
      await server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
    }
    await server.root('POST', '/v1/auth/cert/certs/web', {
      certificate: ca.pem,
      token_policies: 'maker',
      token_ttl: '1h',
    });
    plain = await make({ policies: 'plain' });
  });
  afterAll(() => server.stop());

  it('are listed as a tree of paths, to callers with sudo', async () => {
    const token = await login();
    await server.root('POST', '/v1/auth/token/roles/ci', { path_suffix: 'v1' });
    await make({ policies: 'maker' }, server.rootToken, 'create/ci');
    await make({ policies: 'maker' }, server.rootToken, 'create-orphan');
    expect(await list('')).toEqual(['auth/']);
    expect(await list('/auth')).toEqual(['cert/', 'token/']);
    expect(await list('/auth/token/')).toEqual(['create-orphan/', 'create/']);
    expect(await list('/auth/token?limit=1&after=create-orphan/')).toEqual(['create/']);
    expect(await list('/auth/token/create')).toEqual([expect.any(String), 'ci/']);
    expect(await list('/auth/token/create/ci')).toEqual(['v1/']);
    const [id = ''] = await list('/auth/cert/login');
    expect(token).toContain(`.${id}.`);
    expect(await list('/auth/nothing')).toBeUndefined();
    for (const path of ['', '/auth']) {
      expect((await server.call('LIST', `/v1/sys/leases/lookup${path}`, { token: plain })).status).toBe(403);
    }
  });

  it('are looked up and revoked by their id, which is no token', async () => {
    const token = await login();
    const id = `auth/cert/login/${token.split('.')[1]}`;
    const { status, body } = await lease('lookup', { lease_id: id });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, renewable: true, ttl: 3600, last_renewal: null, path: 'auth/cert/login' });
    expect(Date.parse(body.data.expire_time) - Date.parse(body.data.issue_time)).toBe(3_600_000);
    expect(await alive(id, token.split('.')[1] ?? '')).toEqual([false, false]);
    expect(await lease('renew', { lease_id: id })).toMatchObject(
      refused('tokens cannot be renewed through this endpoint'),
    );
    const child = await make({}, token);
    expect((await lease('revoke', { lease_id: id })).status).toBe(204);
    expect(await alive(token, child)).toEqual([false, false]);
    expect((await lease('revoke', { lease_id: id })).status).toBe(204);
    for (const wrong of [id, 'nope', '/', id.replace('cert', 'other')]) {
      expect(await lease('lookup', { lease_id: wrong })).toMatchObject(refused('invalid lease'));
    }
    expect(await lease('lookup', {})).toMatchObject(refused('lease_id must be specified'));
  });

  it('are revoked by their id in the path, which has slashes', async () => {
    for (const method of ['PUT', 'POST']) {
      const token = await login();
      const id = `auth/cert/login/${token.split('.')[1]}`;
      const answer = await server.root(method, `/v1/sys/leases/revoke/${id}`);
      expect([method, answer.status, await alive(token)]).toEqual([method, 204, [false]]);
    }
    const [one, other] = [await login(), await login()];
    const [first, second] = [one, other].map((token) => `auth/cert/login/${token.split('.')[1]}`);
    expect(await lease(`renew/${first}`, {})).toMatchObject(refused('tokens cannot be renewed through this endpoint'));
    expect(await lease('renew/auth/cert/login/nothing', {})).toMatchObject(refused('lease not found'));
    expect((await lease(`revoke/${first}`, {}, await make({ policies: ['default'] }))).status).toBe(403);
    expect(await alive(one, other)).toEqual([true, true]);
    // The lease ID in the body takes precedence over the one in the path.
    expect((await lease(`revoke/${first}`, { lease_id: second, sync: false })).status).toBe(202);
    expect(await alive(one, other)).toEqual([true, false]);
    expect((await lease(`revoke/${first}`, { sync: 'perhaps' })).status).toBe(400);
    expect(await alive(one)).toEqual([true]);
    expect((await lease('revoke-prefix/auth/cert', { sync: false })).status).toBe(202);
    expect(await alive(one)).toEqual([false]);
  });

  it('that are revoked by their path are in the audit log; a token is not', async () => {
    const token = await login();
    const id = `auth/cert/login/${token.split('.')[1]}`;
    await server.root('PUT', `/v1/sys/leases/revoke/${id}`);
    await server.root('PUT', `/v1/sys/leases/revoke/${token}`);
    const paths = server.auditLines().map(({ path }) => path);
    expect(paths).toContain(`/v1/sys/leases/revoke/${id}`);
    expect(JSON.stringify(server.auditLines())).not.toContain(token);
  });

  it('are not those of root tokens without an end', async () => {
    const id = `auth/token/root/${server.rootToken.split('.')[1]}`;
    expect(await lease('lookup', { lease_id: id })).toMatchObject(refused('invalid lease'));
    expect((await lease('revoke', { lease_id: id })).status).toBe(204);
    expect((await lease('revoke-prefix/auth/token/root', {})).status).toBe(204);
    expect(await alive(server.rootToken)).toEqual([true]);
  });

  it('are revoked below a path, with all that came from them, and nothing beside it', async () => {
    const logins = await Promise.all([login(), login(), login()]);
    const [first = ''] = logins;
    const child = await make({}, first);
    const grandchild = await make({ type: 'batch' }, child);
    const elsewhere = await make({ policies: 'maker' });
    expect((await lease('revoke-prefix/auth/cert', {}, plain)).status).toBe(403);
    for (const near of ['auth/cer', 'auth/cert/log', 'auth/cert/login/x']) {
      expect((await lease(`revoke-prefix/${near}`, {})).status).toBe(204);
    }
    expect(await alive(...logins, child)).toEqual([true, true, true, true]);
    expect((await lease('revoke-prefix/auth/cert', {})).status).toBe(204);
    expect(await alive(...logins, child, grandchild, elsewhere)).toEqual([false, false, false, false, false, true]);
    expect(await list('/auth/cert')).toBeUndefined();
    expect(await alive(await login())).toEqual([true]);
    const last = await login();
    expect((await lease(`revoke-force/auth/cert/login/${last.split('.')[1]}`, {})).status).toBe(204);
    expect(await alive(last)).toEqual([false]);
  });

  it('are not found by the old names (CVE-2026-45808)', async () => {
    const token = await login();
    const id = `auth/cert/login/${token.split('.')[1]}`;
    for (const path of ['renew', 'revoke', `renew/${id}`, `revoke/${id}`, 'revoke-prefix/auth', 'revoke-force/auth']) {
      expect((await server.root('PUT', `/v1/sys/${path}`, { lease_id: id })).status).toBe(404);
    }
    expect(await alive(token)).toEqual([true]);
  });

  it('are tidied on request', async () => {
    expect((await lease('tidy', {})).status).toBe(202);
  });
});

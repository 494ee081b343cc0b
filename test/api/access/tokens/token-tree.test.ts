import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const POLICIES = {
  maker: `path "auth/token/create*" { capabilities = ["update"] }`,
  revoker: `path "auth/token/re*" { capabilities = ["update"] }
            path "auth/token/lookup*" { capabilities = ["update"] }
            path "auth/token/accessors" { capabilities = ["list"] }`,
  boss: `path "auth/token/*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }`,
};

interface Made {
  readonly client_token: string;
  readonly accessor: string;
}

describe.each(databaseKinds)('trees of tokens, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'web-1.example.com' });

  const make = async (body: unknown = {}, token = server.rootToken): Promise<Made> => {
    const answer = await server.call('POST', '/v1/auth/token/create', { token, body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.auth;
  };
  const root = (operation: string, body: unknown) => server.root('POST', `/v1/auth/token/${operation}`, body);
  const alive = async (...made: Made[]) => {
    const answers = made.map(({ client_token: token }) => server.call('GET', '/v1/auth/token/lookup-self', { token }));
    return (await Promise.all(answers)).map(({ status }) => status === 200);
  };
  const refused = (text: string) => ({ status: 400, body: { errors: [text] } });
  const login = async (): Promise<Made> =>
    (await server.call('POST', '/v1/auth/cert/login', { certificate: client, body: { name: 'web' } })).body.auth;

  beforeAll(async () => {
    server = await startTestServer(kind);
    for (const [name, policy] of Object.entries(POLICIES)) {
      await server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
    }
    const role = { certificate: ca.pem, token_policies: 'maker', token_ttl: '1h', token_bound_cidrs: '127.0.0.0/8' };
    expect((await server.root('POST', '/v1/auth/cert/certs/web', role)).status).toBeLessThan(300);
  });
  afterAll(() => server.stop());

  it('are revoked with their root, by any of its identifiers', async () => {
    const ways: ((token: Made) => [string, unknown])[] = [
      ({ client_token: token }) => ['revoke', { token }],
      ({ accessor }) => ['revoke-accessor', { accessor }],
    ];
    for (const way of ways) {
      const top = await make({ policies: 'maker' });
      const middle = await make({}, top.client_token);
      const [leaf, batch] = [await make({}, middle.client_token), await make({ type: 'batch' }, middle.client_token)];
      expect(await alive(top, middle, leaf, batch)).toEqual([true, true, true, true]);
      const [operation, body] = way(middle);
      expect((await root(operation, body)).status).toBe(204);
      expect(await alive(top, middle, leaf, batch)).toEqual([true, false, false, false]);
      expect(await root('lookup-accessor', { accessor: leaf.accessor })).toMatchObject(refused('invalid accessor'));
      expect(await root('renew', { token: leaf.client_token })).toMatchObject(refused('token not found'));
      const self = await server.call('POST', '/v1/auth/token/revoke-self', { token: top.client_token });
      expect([self.status, await alive(top)]).toEqual([204, [false]]);
    }
  });

  it('end when their root expires', async () => {
    const top = await make({ policies: 'maker', ttl: 60 });
    const leaf = await make({ ttl: '2h' }, top.client_token);
    server.advance(60);
    expect(await alive(top, leaf)).toEqual([false, false]);
    server.advance(-60);
  });

  it('stay dead when the text of their root is given to a new token', async () => {
    const fixed = () => make({ id: 'fixed', policies: 'maker' });
    const old = await fixed();
    const [leaf, batch] = [await make({}, 'fixed'), await make({ type: 'batch' }, 'fixed')];
    expect(await alive(old, leaf, batch)).toEqual([true, true, true]);
    await root('revoke', { token: 'fixed' });
    server.advance(1);
    const young = await make({}, (await fixed()).client_token);
    expect(await alive(leaf, batch, young)).toEqual([false, false, true]);
    expect((await root('tidy', {})).status).toBe(202);
    expect(await alive(leaf, batch, young)).toEqual([false, false, true]);
    server.advance(-1);
  });

  it('do not come back as orphans of a new token with the text of their root', async () => {
    const fixed = () => make({ id: 'fixed-2', policies: 'maker' });
    await fixed();
    const leaf = await make({}, 'fixed-2');
    await root('revoke', { token: 'fixed-2' });
    server.advance(1);
    const young = await make({}, (await fixed()).client_token);
    expect((await root('revoke-orphan', { token: 'fixed-2' })).status).toBe(204);
    expect(await alive(leaf, young)).toEqual([false, true]);
    server.advance(-1);
  });

  it('work on a node whose clock is behind', async () => {
    const top = await make({ policies: 'maker' });
    server.advance(-60);
    const [leaf, batch] = [await make({}, top.client_token), await make({ type: 'batch' }, top.client_token)];
    expect(await alive(leaf, batch)).toEqual([true, true]);
    server.advance(60);
  });

  it('of a login end with it, and stay where it may be used', async () => {
    const top = await login();
    const leaf = await make({}, top.client_token);
    const { data } = (await root('lookup', { token: leaf.client_token })).body;
    expect(data).toMatchObject({ bound_cidrs: ['127.0.0.0/8'], orphan: false, path: 'auth/token/create' });
    expect(await server.application.access.certificateLogin(leaf.client_token, '127.0.0.1')).toBeUndefined();
    expect((await root('revoke', { token: top.client_token })).status).toBe(204);
    expect(await alive(top, leaf)).toEqual([false, false]);
  });

  it('of a mount end when it is disabled', async () => {
    expect((await server.root('POST', '/v1/sys/auth/passing', { type: 'cert' })).status).toBe(204);
    await server.root('POST', '/v1/auth/passing/certs/web', { certificate: ca.pem, token_policies: 'maker' });
    const answer = await server.call('POST', '/v1/auth/passing/login', { certificate: client });
    const top: Made = answer.body.auth;
    const [leaf, batch] = [await make({}, top.client_token), await make({ type: 'batch' }, top.client_token)];
    expect(await alive(top, leaf, batch)).toEqual([true, true, true]);
    expect((await server.root('DELETE', '/v1/sys/auth/passing')).status).toBe(204);
    expect(await alive(top, leaf, batch)).toEqual([false, false, false]);
    expect(await root('lookup-accessor', { accessor: leaf.accessor })).toMatchObject(refused('invalid accessor'));
  });

  it('are renewed by accessor within the limits of their auth method, for any caller', async () => {
    const top = await login();
    const renew = (certificate?: typeof client) =>
      server.call('POST', '/v1/auth/token/renew-accessor', {
        token: server.rootToken,
        body: { accessor: top.accessor, increment: 1200 },
        ...(certificate && { certificate }),
      });
    expect(await renew()).toMatchObject(refused('client certificate must be supplied'));
    const { status, body } = await renew(client);
    expect([status, body.auth.client_token, body.auth.lease_duration]).toEqual([200, '', 1200]);
    const other = ca.issue({ subject: 'web-1.example.com' });
    expect((await renew(other)).status).toBe(400);
  });

  it('lose their root and stay valid when only it is revoked, with sudo', async () => {
    const top = await make({ policies: 'maker' });
    const middle = await make({}, top.client_token);
    const leaf = await make({}, middle.client_token);
    const [plain, boss] = [await make({ policies: 'revoker' }), await make({ policies: 'boss' })];
    const orphan = (token: string, body: unknown) =>
      server.call('PUT', '/v1/auth/token/revoke-orphan', { token, body });
    const { client_token: token } = top;
    expect(await orphan(plain.client_token, { token })).toMatchObject(
      refused('root or sudo privileges required to revoke and orphan'),
    );
    expect(await orphan(boss.client_token, { token: 'nope' })).toMatchObject(refused('token to revoke not found'));
    expect((await orphan(boss.client_token, { token })).status).toBe(204);
    expect(await alive(top, middle, leaf)).toEqual([false, true, true]);
    expect((await root('lookup', { token: middle.client_token })).body.data.orphan).toBe(true);
    expect((await root('lookup', { token: leaf.client_token })).body.data.orphan).toBe(false);
  });

  it('are named by accessors that are no tokens', async () => {
    const made = await make({ policies: 'revoker', ttl: '1h' });
    const { data } = (await root('lookup-accessor', { accessor: made.accessor })).body;
    expect(data).toMatchObject({ id: '', accessor: made.accessor, ttl: 3600 });
    expect(JSON.stringify(data)).not.toContain(made.client_token);
    const { auth } = (await root('renew-accessor', { accessor: made.accessor })).body;
    expect(auth).toMatchObject({ client_token: '', accessor: made.accessor, lease_duration: 3600 });
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token: made.accessor })).status).toBe(403);
    expect((await root('lookup', { token: made.accessor })).body.errors).toEqual(['bad token']);
    expect((await root('revoke', { token: made.accessor })).status).toBe(204);
    for (const operation of ['lookup-accessor', 'renew-accessor']) {
      for (const accessor of ['nope', made.client_token, `${made.accessor}1`]) {
        expect(await root(operation, { accessor })).toMatchObject(refused('invalid accessor'));
      }
      expect(await root(operation, {})).toMatchObject(refused('missing accessor'));
    }
    expect(await root('revoke-accessor', { accessor: 'nope' })).toMatchObject({
      status: 200,
      body: { warnings: ['No token found with this accessor'] },
    });
    expect(await alive(made)).toEqual([true]);
  });

  it('are listed by accessor, to callers with sudo', async () => {
    const [one, two] = [await make({ policies: 'revoker' }), await make({ policies: 'boss' })];
    const list = (token: string, query = '') => server.call('LIST', `/v1/auth/token/accessors${query}`, { token });
    expect((await list(one.client_token)).status).toBe(403);
    const all: string[] = (await list(two.client_token)).body.data.keys;
    expect(all).toEqual([...all].sort());
    expect(all).toEqual(expect.arrayContaining([one.accessor, two.accessor]));
    const [, second] = all;
    expect((await list(two.client_token, `?limit=1&after=${all[0]}`)).body.data.keys).toEqual([second]);
    const get = await server.call('GET', '/v1/auth/token/accessors?list=true', { token: two.client_token });
    expect(get.body.data.keys).toEqual(all);
  });

  it('of the batch type cannot be revoked', async () => {
    const batch = await make({ policies: 'maker', type: 'batch' });
    expect(await root('revoke', { token: batch.client_token })).toMatchObject(
      refused('batch tokens cannot be revoked'),
    );
    expect(await root('renew', { token: batch.client_token })).toMatchObject(refused('batch tokens cannot be renewed'));
  });

  it('count every request as a use, those too that are refused', async () => {
    const token = (await make({ policies: 'maker', num_uses: 3 })).client_token;
    expect((await server.call('LIST', '/v1/auth/token/accessors', { token })).status).toBe(403);
    expect((await server.call('GET', '/v1/nowhere', { token })).status).toBe(403);
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token })).body.data.num_uses).toBe(0);
    expect(await root('lookup', { token })).toMatchObject({ status: 403 });
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token })).status).toBe(403);
  });

  it('are swept on request', async () => {
    const top = await make({ policies: 'maker' });
    await make({}, top.client_token);
    await root('revoke', { token: top.client_token });
    const { status, body } = await root('tidy', {});
    expect([status, body.warnings.length]).toEqual([202, 1]);
    expect(await server.application.access.tokens.sweep()).toBe(0);
  });
});

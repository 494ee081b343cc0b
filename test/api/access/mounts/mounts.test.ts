import { describe, expect, it } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { mountServer, NOBODY, shown, TTL } from './mount-server.ts';

const REFUSED = { errors: ['failed to match all constraints for this login certificate'] };
const DENIED = { errors: ['1 error occurred:\n\t* permission denied\n\n'] };

type Counts = { roles: number; tokens: number };
const count = sql<{ mount_id: string }, Counts>(
  `SELECT (SELECT count(*) FROM role WHERE mount_id = :mount_id) AS roles,
     (SELECT count(*) FROM token WHERE mount_id = :mount_id) AS tokens`,
);
const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)';
const addRoles = sql<{ mount_id: string }>(
  `${numbers} INSERT INTO role (mount_id, name, version, settings) SELECT :mount_id, 'big-' || i, 1, '{}' FROM n`,
);
const addTokens = sql<{ mount_id: string; hash: Uint8Array }>(
  `${numbers} INSERT INTO token (id, secret_hash, accessor, path, display_name, policies, bound_cidrs, orphan, period,
     explicit_max_ttl, creation_ttl, created_at, mount_id)
   SELECT 'big-' || i, :hash, 'big-' || i, 'auth/big/login', '', '[]', '[]', 1, 0, 0, 60, 0, :mount_id FROM n`,
);

describe.each(databaseKinds)('mounts, on %s', (kind) => {
  const {
    root,
    call,
    enable,
    disable,
    tune,
    tuning,
    entry,
    role,
    login,
    tokenOf,
    lookup,
    tokenFor,
    authority,
    certificate,
    server,
  } = mountServer(kind);

  describe('are enabled', () => {
    it('at any path, with a slash at its end or without', async () => {
      for (const path of ['plain', 'deep/er', 'with-slash/']) {
        const bare = path.replace(/\/$/, '');
        expect((await enable(bare)).status).toBe(204);
        expect((await role(bare)).status).toBe(204);
        const { auth } = (await login(bare)).body;
        expect((await lookup(auth.client_token)).body.data).toMatchObject({
          path: `auth/${bare}/login`,
          display_name: `${bare.replace('/', '-')}-web`,
        });
        expect((await disable(path)).status).toBe(204);
      }
    });

    it.each([
      ['x', { type: undefined }, 'backend type must be specified as a string'],
      ['x', { type: 7 }, 'backend type must be specified as a string'],
      ['x', { type: 'github' }, 'plugin not found in the catalog: github'],
      ['x', { type: '<script>' }, 'plugin not found in the catalog'],
      ['x', { type: 'toString' }, 'plugin not found in the catalog: toString'],
      ['x', { type: 'token' }, 'token credential backend cannot be instantiated'],
      ['x', { config: { default_lease_ttl: 'soon' } }, 'unable to parse default TTL: '],
      [
        'x',
        { config: { default_lease_ttl: '2h', max_lease_ttl: '1h' } },
        'given default lease TTL greater than given max lease TTL',
      ],
      ['x', { config: { token_type: 'paper' } }, "invalid value for 'token_type'"],
      ['x', { config: 'no object' }, "'config' must be an object"],
      ['x', { description: { a: 1 } }, "'description' must be a string"],
      ['cert', {}, 'path is already in use at cert/'],
      ['token', {}, 'path is already in use at token/'],
      ['token/x', {}, 'path is already in use at token/'],
      ['cert/below', {}, 'existing mount at cert/'],
      ['a%20b', {}, 'invalid mount path'],
      ['a/.b', {}, 'invalid mount path'],
      ['a*', {}, 'invalid mount path'],
      ['x/y/tune', {}, 'tune of path "auth/x/y" failed: no mount entry found'],
      [`x${'y'.repeat(128)}`, {}, 'invalid mount path'],
    ])('not at %s with %j', async (path, body, text) => {
      const [status, error] = shown(await enable(path, body));
      expect([status, error.slice(0, text.length)]).toEqual([400, text]);
      expect(Object.keys((await root('GET', '/v1/sys/auth')).body.data).sort()).toEqual(['cert/', 'token/']);
    });

    it('not where a path would go up, nor around another mount', async () => {
      expect((await root('POST', '/v1/sys/auth/..%2fx', { type: 'cert' })).status).toBe(400);
      await enable('outer/inner');
      expect(shown(await enable('outer'))).toEqual([400, 'existing mount at outer/inner/']);
      expect((await enable('outer-1')).status).toBe(204);
      await Promise.all([disable('outer/inner'), disable('outer-1')]);
    });

    it('only by callers with sudo there', async () => {
      const without = await tokenFor(
        'mounts-plain',
        'path "sys/auth/*" { capabilities = ["read", "update", "delete"] }',
      );
      const withSudo = await tokenFor('mounts-sudo', 'path "sys/auth/mine/*" { capabilities = ["update", "sudo"] }');
      const as = (token: string, path: string) =>
        call('POST', `/v1/sys/auth/${path}`, { token, body: { type: 'cert' } });
      expect((await as(without, 'mine/a')).body).toEqual(DENIED);
      expect((await call('DELETE', '/v1/sys/auth/cert', { token: without })).body).toEqual(DENIED);
      expect((await call('GET', '/v1/sys/auth/cert', { token: without })).body).toEqual(DENIED);
      expect((await as(withSudo, 'other')).body).toEqual(DENIED);
      expect((await as(withSudo, 'mine/a')).status).toBe(204);
      expect((await as(NOBODY, 'mine/b')).status).toBe(403);
      await disable('mine/a');
    });
  });

  it('share nothing: roles, lists, configuration', async () => {
    await Promise.all([enable('one'), enable('two')]);
    await role('one', { token_policies: 'first' });
    expect((await root('LIST', '/v1/auth/two/certs')).status).toBe(404);
    expect((await login('two')).body).toEqual(REFUSED);
    await role('two', { token_policies: 'second' });
    expect((await login('one')).body.auth.policies).toEqual(['default', 'first']);
    expect((await login('two')).body.auth.policies).toEqual(['default', 'second']);
    await root('POST', '/v1/auth/one/crls/list', { crl: authority.crl({ revoked: [certificate.serial] }).pem });
    await root('POST', '/v1/auth/one/config', { ocsp_cache_size: 7 });
    expect((await login('one')).body).toEqual(REFUSED);
    expect((await login('two')).status).toBe(200);
    expect((await root('GET', '/v1/auth/two/config')).body.data.ocsp_cache_size).toBe(100);
    expect((await root('LIST', '/v1/auth/two/crls')).status).toBe(404);
    await root('DELETE', '/v1/auth/two/certs/web');
    expect((await root('GET', '/v1/auth/one/certs/web')).status).toBe(200);
    await Promise.all([disable('one'), disable('two')]);
  });

  describe('are tuned', () => {
    it('by both paths, and read with the times in force', async () => {
      await enable('tuned');
      expect(await tuning('tuned')).toEqual({
        description: '',
        default_lease_ttl: TTL,
        max_lease_ttl: TTL,
        force_no_cache: false,
        token_type: 'default-service',
      });
      const body = {
        description: 'new',
        default_lease_ttl: '1h',
        max_lease_ttl: 12_345_678,
        listing_visibility: 'unauth',
      };
      expect((await tune('tuned', body)).status).toBe(204);
      expect(await tuning('tuned')).toMatchObject({ ...body, default_lease_ttl: 3600 });
      expect((await root('POST', '/v1/sys/auth/tuned/tune', { max_lease_ttl: '2h' })).status).toBe(204);
      expect((await root('GET', '/v1/sys/auth/tuned/tune')).body.data).toMatchObject({
        description: 'new',
        default_lease_ttl: 3600,
        max_lease_ttl: 7200,
      });
      await tune('tuned', { default_lease_ttl: 'system', max_lease_ttl: 'system', description: '' });
      expect(await tuning('tuned')).toMatchObject({ description: '', default_lease_ttl: TTL, max_lease_ttl: TTL });
      await disable('tuned');
    });

    it.each([
      ['cert', { token_type: 'paper' }, "invalid value for 'token_type'"],
      ['cert', { default_lease_ttl: '9999h' }, 'given default lease TTL greater than system max lease TTL'],
      ['cert', { max_lease_ttl: -1 }, 'unable to parse max TTL'],
      ['cert', { options: [] }, "'options' must be an object"],
      ['nowhere', {}, 'tune of path "auth/nowhere" failed: no mount entry found'],
      ['token', {}, 'the token store cannot be tuned'],
    ])('not %s with %j', async (path, body, text) => {
      const before = await tuning('cert');
      const [status, error] = shown(await tune(path, body));
      expect([status, error.slice(0, text.length)]).toEqual([400, text]);
      expect(await tuning('cert')).toEqual(before);
    });

    it('and limits the TTLs of roles at once', async () => {
      await enable('bound');
      await role('bound', { token_ttl: '10h', token_type: 'service' });
      expect((await login('bound')).body.auth).toMatchObject({ lease_duration: 36_000, token_type: 'service' });
      const before = await tokenOf('bound');
      await tune('bound', { max_lease_ttl: '1h', token_type: 'batch' });
      expect((await login('bound')).body.auth).toMatchObject({ lease_duration: 3600, token_type: 'batch' });
      const renewed = await call('POST', '/v1/auth/token/renew-self', { token: before, certificate });
      expect(renewed.body.auth.lease_duration).toBeLessThanOrEqual(3600);
      await disable('bound');
    });

    it('and a batch token that would have to count its uses is refused, not given', async () => {
      await enable('counted');
      const counting = { certificate: authority.pem, token_num_uses: 2 };
      expect((await root('POST', '/v1/auth/counted/certs/web', counting)).status).toBe(204);
      for (const type of ['batch', 'default-batch']) {
        await tune('counted', { token_type: type });
        expect(shown(await login('counted'))).toEqual([400, 'batch tokens cannot have "num_uses" set']);
      }
      const { status, body } = await root('POST', '/v1/auth/counted/certs/web', counting);
      expect([status, body.warnings]).toEqual([200, [expect.stringContaining('token_num_uses')]]);
      await role('counted', { token_type: 'service' });
      const auth = (await login('counted')).body.auth;
      expect(auth).toMatchObject({ token_type: 'service', num_uses: 2 });
      await disable('counted');
    });
  });

  describe('are disabled', () => {
    it('with their tokens, stored and encrypted, at once', async () => {
      await enable('short');
      await role('short');
      const service = await tokenOf('short');
      await role('short', { token_type: 'batch' });
      const batch = await tokenOf('short');
      const other = await tokenOf('cert');
      expect([(await lookup(service)).status, (await lookup(batch)).status]).toEqual([200, 200]);
      expect((await disable('short')).status).toBe(204);
      expect([(await lookup(service)).status, (await lookup(batch)).status]).toEqual([403, 403]);
      expect((await lookup(other)).status).toBe(200);
      expect((await login('short')).status).toBe(403);
      expect(shown(await root('GET', '/v1/auth/short/certs/web'))).toEqual([
        404,
        'no handler for route "auth/short/certs/web". route entry not found.',
      ]);
      expect(shown(await root('GET', '/v1/sys/auth/short'))).toEqual([400, 'No auth engine at short/']);
    });

    it('and their path is free for one that is new and empty', async () => {
      await enable('again');
      await role('again');
      const before = { token: await tokenOf('again'), ...(await entry('again')) };
      await disable('again');
      expect((await enable('again')).status).toBe(204);
      expect((await entry('again')).accessor).not.toBe(before.accessor);
      expect((await root('LIST', '/v1/auth/again/certs')).status).toBe(404);
      expect((await login('again')).body).toEqual(REFUSED);
      expect((await lookup(before.token)).status).toBe(403);
      await disable('again');
    });

    it('also when they are not there; the token store is always there', async () => {
      expect((await disable('nowhere')).status).toBe(204);
      expect((await disable('..%2fcert')).status).toBe(400);
      expect(shown(await disable('token'))).toEqual([400, 'token credential backend cannot be disabled']);
    });

    it('however much is in them, while others log in', async () => {
      await enable('big');
      const mountId = (await entry('big')).uuid;
      const { access: database } = server().application.databases;
      const left = async () => {
        const counted = await database.one(count, { mount_id: mountId });
        return counted && { roles: Number(counted.roles), tokens: Number(counted.tokens) };
      };
      await database.run(addRoles, { mount_id: mountId });
      await database.run(addTokens, { mount_id: mountId, hash: new Uint8Array(32) });
      expect(await left()).toEqual({ roles: 5000, tokens: 5000 });
      expect((await disable('big')).status).toBe(204);
      const statuses = new Set<number>();
      do statuses.add((await login('cert')).status);
      while (((await left())?.roles ?? 0) > 0);
      expect([...statuses]).toEqual([200]);
      expect(await left()).toEqual({ roles: 0, tokens: 0 });
    });
  });

  describe('are moved', () => {
    const remount = (from: string, to: string) => root('POST', '/v1/sys/remount', { from, to });

    it('with everything in them; tokens of their logins stay valid', async () => {
      await enable('old', { description: 'the same' });
      await role('old');
      const token = await tokenOf('old');
      const { accessor } = await entry('old');
      const { status, body } = await remount('auth/old/', 'auth/new/place');
      expect([status, body.data.migration_id]).toEqual([200, expect.any(String)]);
      const done = await root('GET', `/v1/sys/remount/status/${body.data.migration_id}`);
      expect(done.body.data).toEqual({
        migration_id: body.data.migration_id,
        migration_info: { source_mount: 'auth/old/', target_mount: 'auth/new/place/', status: 'success' },
      });
      expect(await entry('new/place')).toMatchObject({ accessor, description: 'the same' });
      expect((await root('GET', '/v1/auth/old/certs/web')).status).toBe(404);
      expect((await login('new/place')).status).toBe(200);
      expect((await call('POST', '/v1/auth/token/renew-self', { token, certificate })).status).toBe(200);
      await disable('new/place');
      expect((await lookup(token)).status).toBe(403);
    });

    it.each([
      ['auth/nowhere', 'auth/x', 'no matching mount at "auth/nowhere/"'],
      ['secret/a', 'auth/x', 'only mounts below "auth/" can be moved'],
      ['auth/cert', 'secret/x', 'only mounts below "auth/" can be moved'],
      ['auth/token', 'auth/x', 'cannot remount "auth/token/"'],
      ['auth/cert', 'auth/token', 'path is already in use at token/'],
      ['auth/cert', 'auth/cert', 'path is already in use at cert/'],
      ['auth/cert', 'auth/cert/x', 'existing mount at cert/'],
      ['auth/cert', 'auth/x/tune', 'invalid mount path'],
      ['auth/cert', 'auth/../x', 'invalid mount path'],
      ['', '', 'only mounts below "auth/" can be moved'],
    ])('not from %s to %s', async (from, to, text) => {
      const [status, error] = shown(await remount(from, to));
      expect([status, error.slice(0, text.length)]).toEqual([400, text]);
      expect((await login('cert')).status).toBe(200);
    });

    it('only by callers with sudo', async () => {
      const token = await tokenFor('remount-plain', 'path "sys/remount" { capabilities = ["update"] }');
      const body = { from: 'auth/cert', to: 'auth/x' };
      expect((await call('POST', '/v1/sys/remount', { token, body })).body).toEqual(DENIED);
      expect((await root('GET', '/v1/sys/remount/status/nothing')).status).toBe(404);
    });
  });

  it('survive any path and any body', async () => {
    for (const path of ['auth/%00', 'auth//x', 'auth/%', `auth/${'x/'.repeat(900)}y`]) {
      for (const method of ['GET', 'POST']) {
        const { status } = await root(method, `/v1/sys/${path}`, { type: 'cert' });
        expect([path, method, status]).toEqual([path, method, 400]);
      }
    }
    for (const body of ['[]', '"x"', '{', '{"type":"cert","config":[]}', '{"type":["cert"]}']) {
      expect((await root('POST', '/v1/sys/auth/odd', body)).status).toBe(400);
    }
  });
});

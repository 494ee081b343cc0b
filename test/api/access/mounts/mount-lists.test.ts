import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { mountServer, NOBODY, shown, TTL } from './mount-server.ts';

describe.each(databaseKinds)('mounts, on %s', (kind) => {
  const { root, call, enable, disable, tune, tuning, entry, tokenFor, server } = mountServer(kind);

  describe('in lists', () => {
    it('show every method, and the token store, as clients decode them', async () => {
      await enable('shown/here', { description: 'a place', config: { default_lease_ttl: '1h', token_type: 'batch' } });
      const { status, body } = await root('GET', '/v1/sys/auth');
      expect(status).toBe(200);
      expect(Object.keys(body.data).sort()).toEqual(['cert/', 'shown/here/', 'token/']);
      expect(body.data['shown/here/']).toEqual({
        accessor: expect.stringMatching(/^auth_cert_[\da-f]{8}$/),
        config: { default_lease_ttl: 3600, max_lease_ttl: 0, force_no_cache: false, token_type: 'batch' },
        deprecation_status: 'supported',
        description: 'a place',
        external_entropy_access: false,
        local: false,
        options: null,
        plugin_version: '',
        running_plugin_version: expect.stringMatching(/^v\d+\..*\+builtin$/),
        running_sha256: '',
        seal_wrap: false,
        type: 'cert',
        uuid: expect.any(String),
      });
      expect(body.data['token/']).toMatchObject({ type: 'token', accessor: 'auth_token' });
      expect(body['cert/']).toEqual(body.data['cert/']);
      expect(await entry('shown/here')).toEqual(body.data['shown/here/']);
      expect(await entry('token')).toEqual(body.data['token/']);
      await disable('shown/here');
    });

    it.each<[object, object]>([
      [{ local: true }, { local: true }],
      [
        { seal_wrap: true, external_entropy_access: true },
        { seal_wrap: true, external_entropy_access: true },
      ],
      // Common clients send a body in this form: options beside empty ones.
      [{ local: null, options: { a: 'b' }, config: { options: null } }, { options: { a: 'b' } }],
    ])('one reads back as it was enabled, at sys/auth and at sys/mounts/auth: %j', async (body, set) => {
      expect((await enable('flags', body)).status).toBe(204);
      const expected = { local: false, seal_wrap: false, external_entropy_access: false, options: null, ...set };
      const there = await root('GET', '/v1/sys/auth/flags');
      expect(there.body.data).toMatchObject(expected);
      for (const path of ['auth/flags', 'auth/flags/']) {
        const { status, body: beside } = await root('GET', `/v1/sys/mounts/${path}`);
        expect([status, beside]).toEqual([200, { ...there.body, request_id: beside.request_id }]);
      }
      await tune('flags', { description: 'tuned' });
      expect((await root('POST', '/v1/sys/remount', { from: 'auth/flags', to: 'auth/moved' })).status).toBe(200);
      expect(await entry('moved')).toMatchObject({ ...expected, description: 'tuned' });
      expect((await tuning('moved')).external_entropy_access ?? false).toBe(expected.external_entropy_access);
      await disable('moved');
    });

    it('one lives through all that the Terraform provider does with it, in the words of the Go client', async () => {
      const unset = { options: null, default_lease_ttl: '', max_lease_ttl: '', force_no_cache: false };
      const body = { type: 'cert', description: 'one', config: unset, local: true, seal_wrap: false };
      const made = await root('POST', '/v1/sys/auth/tf', {
        ...body,
        external_entropy_access: false,
        options: null,
      });
      expect(made.status).toBe(204);
      const tuned = { ...unset, default_lease_ttl: '30m', description: 'two', listing_visibility: 'unauth' };
      for (const change of [tuned, { ...unset, description: 'three' }]) {
        expect((await tune('tf', change)).status).toBe(204);
        expect(await tuning('tf')).toMatchObject({
          description: change.description,
          default_lease_ttl: 1800,
          max_lease_ttl: TTL,
          listing_visibility: 'unauth',
        });
      }
      const moved = await root('POST', '/v1/sys/remount', { from: 'auth/tf', to: 'auth/tf-too' });
      const status = await root('GET', `/v1/sys/remount/status/${moved.body.data.migration_id}`);
      expect(status.body.data.migration_info.status).toBe('success');
      const { body: read } = await root('GET', '/v1/sys/mounts/auth/tf-too');
      expect(read.data).toMatchObject({ type: 'cert', description: 'three', local: true, options: null });
      expect(read.data.config.default_lease_ttl).toBe(1800);
      for (const _ of ['it is there', 'it is gone']) expect((await disable('tf-too')).status).toBe(204);
      expect(shown(await root('GET', '/v1/sys/mounts/auth/tf-too'))).toEqual([400, 'No auth engine at tf-too/']);
    });

    it('an unknown mount gets equal responses at both paths, and the token store is listed', async () => {
      for (const path of ['auth/no', 'mounts/auth/no']) {
        expect(shown(await root('GET', `/v1/sys/${path}`))).toEqual([400, 'No auth engine at no/']);
      }
      const { body } = await root('GET', '/v1/sys/mounts/auth/token');
      expect(body.data).toEqual(await entry('token'));
    });

    it('one is read at sys/mounts/auth without sudo', async () => {
      const token = await tokenFor('reader', 'path "sys/mounts/auth/cert" { capabilities = ["read"] }');
      expect((await call('GET', '/v1/sys/mounts/auth/cert', { token })).status).toBe(200);
      expect((await call('GET', '/v1/sys/mounts/auth/cert/tune', { token })).status).toBe(403);
    });

    it.each([{ local: 'perhaps' }, { seal_wrap: [] }])('one with %j is not enabled', async (body) => {
      expect((await enable('flags', body)).status).toBe(400);
      expect(await entry('flags')).toBeUndefined();
    });

    it('outside of auth/, the built-in mounts of this server are listed, and no secrets engine', async () => {
      const { body } = await root('GET', '/v1/sys/mounts');
      expect(Object.keys(body.data).sort()).toEqual(['identity/', 'sys/']);
      expect(body['sys/']).toMatchObject({ type: 'system', config: { default_lease_ttl: 0 } });
      expect((await root('GET', '/v1/sys/mounts/sys')).body.data).toEqual(body.data['sys/']);
      expect(shown(await root('GET', '/v1/sys/mounts/secret'))).toEqual([400, 'No secret engine mount at secret/']);
    });
  });

  describe('for user interfaces', () => {
    const list = async (token?: string) =>
      (await call('GET', '/v1/sys/internal/ui/mounts', token ? { token } : {})).body.data;
    const one = (path: string, token?: string) =>
      call('GET', `/v1/sys/internal/ui/mounts/${path}`, token ? { token } : {});

    it('show listed mounts to all callers', async () => {
      await enable('public', { description: 'come in', config: { listing_visibility: 'unauth' } });
      const nobody = { auth: { 'public/': { type: 'cert', description: 'come in', options: null } }, secret: {} };
      expect(await list()).toEqual(nobody);
      expect(await list(NOBODY)).toEqual(nobody);
      await disable('public');
    });

    it('show those that the policies of a token are about', async () => {
      await enable('hidden');
      const token = await tokenFor('interface', 'path "auth/hidden/certs/*" { capabilities = ["read"] }');
      expect(Object.keys((await list(token)).auth)).toEqual(['hidden/']);
      expect(Object.keys((await list(server().rootToken)).auth).sort()).toEqual(['cert/', 'hidden/', 'token/']);
      expect((await one('auth/hidden/certs', token)).body.data).toMatchObject({ type: 'cert', path: 'hidden/' });
      for (const path of ['auth/cert', 'auth/nowhere', 'secret/a']) {
        expect([path, (await one(path, token)).status]).toEqual([path, 403]);
      }
      expect((await one('auth/hidden')).status).toBe(403);
      await disable('hidden');
    });

    it('show a token with the default policy only its own information', async () => {
      const { body } = await root('POST', '/v1/auth/token/create', { policies: ['default'] });
      const token = body.auth.client_token;
      for (const [path, status, name] of [
        ['auth/token', 200, 'token/'],
        ['auth/token/lookup-self', 200, 'token/'],
        ['auth/token/create', 200, 'token/'],
        ['sys/tools/hash', 200, 'sys/'],
        ['auth/cert', 403],
        ['auth/cert/login', 403],
        ['auth/tok', 403],
        ['identity/entity', 403],
      ] as const) {
        const answer = await one(path, token);
        expect([path, answer.status, answer.body.data?.path]).toEqual([path, status, name]);
      }
      const { auth, secret } = await list(token);
      expect([Object.keys(auth), Object.keys(secret)]).toEqual([['token/'], ['sys/']]);
    });

    it.each([
      ['path "auth/cert/certs/web" { capabilities = ["list"] }', true],
      ['path "auth/cert" { capabilities = ["read"] }', true],
      ['path "auth/cert/*" { capabilities = ["read"] }', true],
      ['path "auth/*" { capabilities = ["read"] }', true],
      ['path "auth/cert/ce*" { capabilities = ["sudo"] }', true],
      ['path "auth/+/certs/web" { capabilities = ["read"] }', true],
      ['path "+/+/certs/+" { capabilities = ["read"] }', true],
      ['path "auth/+" { capabilities = ["read"] }', true],
      ['path "auth/cert/x" { capabilities = [] }', false],
      ['path "auth/cert/x" { capabilities = ["deny"] }', false],
      ['path "auth/*" { capabilities = ["deny"] }', false],
      ['path "auth/+/x/*" { capabilities = ["deny"] }', false],
      ['path "auth/cert2/x" { capabilities = ["read"] } path "auth/cer*" { capabilities = ["deny"] }', false],
      ['path "auth/+2/x" { capabilities = ["read"] }', false],
      ['path "auth" { capabilities = ["read"] }', false],
      ['path "auth/cert/*" { capabilities = ["deny"] } path "auth/cert/certs/a" { capabilities = ["read"] }', true],
    ])('show a mount to a token that may do anything below it: %s', async (policy, shown) => {
      const token = await tokenFor('below', policy);
      expect((await one('auth/cert/certs', token)).status).toBe(shown ? 200 : 403);
      expect('cert/' in (await list(token)).auth).toBe(shown);
    });
  });
});

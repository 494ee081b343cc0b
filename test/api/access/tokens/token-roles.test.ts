import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const HOUR = 3600;
const POLICIES = {
  user: `path "auth/token/create/*" { capabilities = ["update"] }`,
  creator: `path "auth/token/roles/*" { capabilities = ["create"] }`,
  writer: `path "auth/token/roles/*" { capabilities = ["update"] }`,
};

describe.each(databaseKinds)('token roles, on %s', (kind) => {
  let server: TestServer;
  let user: string;

  const write = (name: string, body: unknown) => server.root('POST', `/v1/auth/token/roles/${name}`, body);
  const read = async (name: string) => (await server.root('GET', `/v1/auth/token/roles/${name}`)).body.data;
  const create = (role: string, body: unknown = {}, token = user) =>
    server.call('POST', `/v1/auth/token/create/${role}`, { token, body });
  const lookup = async (token: string) => (await server.root('POST', '/v1/auth/token/lookup', { token })).body.data;
  const refused = (text: string) => ({ status: 400, body: { errors: [text] } });
  const made = async (body: unknown): Promise<string> =>
    (await server.root('POST', '/v1/auth/token/create', body)).body.auth.client_token;

  beforeAll(async () => {
    server = await startTestServer(kind);
    for (const [name, policy] of Object.entries(POLICIES)) {
      await server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
    }
    user = await made({ policies: 'user' });
  });
  afterAll(() => server.stop());

  it('are written, read, listed and deleted', async () => {
    expect((await server.root('LIST', '/v1/auth/token/roles')).status).toBe(404);
    expect((await server.root('GET', '/v1/auth/token/roles/web')).status).toBe(404);
    expect((await write('web', { allowed_policies: ' Dev,prod, dev' })).status).toBe(204);
    expect(await read('web')).toEqual({
      name: 'web',
      allowed_policies: ['dev', 'prod'],
      disallowed_policies: [],
      allowed_policies_glob: [],
      disallowed_policies_glob: [],
      allowed_entity_aliases: [],
      orphan: false,
      renewable: true,
      path_suffix: '',
      period: 0,
      explicit_max_ttl: 0,
      token_explicit_max_ttl: 0,
      token_no_default_policy: false,
      token_period: 0,
      token_type: 'default-service',
    });
    const more = { orphan: true, period: '1h', token_bound_cidrs: '127.0.0.1/32', token_num_uses: 3 };
    expect((await write('web', more)).status).toBe(204);
    expect(await read('web')).toMatchObject({
      allowed_policies: ['dev', 'prod'],
      orphan: true,
      period: HOUR,
      token_period: HOUR,
      token_bound_cidrs: ['127.0.0.1'],
      token_num_uses: 3,
    });
    const both = await write('web', { period: '2h', token_period: '3h' });
    expect(both.body.warnings).toEqual([
      "Both 'token_period' and deprecated 'period' value supplied, ignoring the deprecated value",
    ]);
    expect(await read('web')).toMatchObject({ period: 0, token_period: 3 * HOUR });
    await write('api', {});
    expect((await server.root('LIST', '/v1/auth/token/roles')).body.data.keys).toEqual(['api', 'web']);
    expect((await server.root('GET', '/v1/auth/token/roles?list=true&after=api')).body.data.keys).toEqual(['web']);
    for (const name of ['web', 'web', 'api']) {
      expect((await server.root('DELETE', `/v1/auth/token/roles/${name}`)).status).toBe(204);
    }
    expect((await server.root('LIST', '/v1/auth/token/roles')).status).toBe(404);
  });

  it('distinguish creation from update', async () => {
    const put = (token: string) => server.call('PUT', '/v1/auth/token/roles/mine', { token, body: {} });
    const [creator, writer] = [await made({ policies: 'creator' }), await made({ policies: 'writer' })];
    expect((await put(writer)).status).toBe(403);
    expect((await put(creator)).status).toBe(204);
    expect((await put(creator)).status).toBe(403);
    expect((await put(writer)).status).toBe(204);
  });

  it('refuse invalid settings, and store none of them', async () => {
    const batch = "'token_type' cannot be 'batch' when role is set to generate";
    const cases: [Record<string, unknown>, string][] = [
      [{ token_type: 'wax' }, "invalid 'token_type' value"],
      [{ token_type: null }, "invalid 'token_type' value"],
      [{ token_num_uses: -1 }, "'token_num_uses' cannot be negative"],
      [{ token_type: 'batch' }, `${batch} non-orphan tokens`],
      [{ token_type: 'batch', orphan: true }, `${batch} renewable tokens`],
      [{ token_type: 'batch', orphan: true, period: 5 }, `${batch} periodic tokens`],
      [
        { token_type: 'batch', orphan: true, renewable: false, token_explicit_max_ttl: 5 },
        `${batch} tokens with an explicit max TTL`,
      ],
    ];
    for (const [body, text] of cases) expect(await write('bad', body)).toMatchObject(refused(text));
    for (const path_suffix of ['../x', 'a/b', '-a', 'a..b', 'a b', 'x'.repeat(200)]) {
      expect((await write('bad', { path_suffix })).body.errors[0]).toMatch('invalid characters');
    }
    expect((await write('bad', { token_bound_cidrs: '300.0.0.1' })).status).toBe(400);
    expect((await write('bad!', {})).status).toBe(404);
    expect(await read('bad')).toBeUndefined();
    expect(await create('nobody')).toMatchObject(refused('unknown role nobody'));
  });

  it('limit the policies of a request', async () => {
    await write('listed', {
      allowed_policies: 'dev,prod',
      allowed_policies_glob: 'team-*',
      disallowed_policies: 'team-x',
    });
    const policies = async (body: unknown) => (await create('listed', body)).body.auth?.policies;
    expect(await policies({})).toEqual(['default', 'dev', 'prod']);
    expect(await policies({ policies: 'DEV' })).toEqual(['default', 'dev']);
    expect(await policies({ policies: 'Team-A', no_default_policy: true })).toEqual(['team-a']);
    const beyond = refused("token policies must be subset of the role's allowed policies or glob policies");
    for (const name of ['user', 'root', ' Root', 'team']) {
      expect(await create('listed', { policies: name })).toMatchObject(beyond);
    }
    for (const name of ['team-x', 'TEAM-X', ' team-x ']) {
      expect(await create('listed', { policies: name })).toMatchObject(
        refused('token policy "team-x" is disallowed by this role'),
      );
    }
  });

  it('do not give root to callers without it', async () => {
    const noRoot = refused('root tokens may not be created without parent token being root');
    await write('all', { allowed_policies_glob: '*' });
    await write('open', { disallowed_policies: 'other' });
    await write('named', { allowed_policies: ['root', 'dev'] });
    for (const policies of ['root', ' Root', 'rOOt', ['ROOT ', 'dev']]) {
      for (const role of ['all', 'open', 'named']) expect(await create(role, { policies })).toMatchObject(noRoot);
    }
    expect(await create('named')).toMatchObject(noRoot);
    for (const role of ['all', 'open']) {
      expect(await create(role, { policies: 'Response-wrapping' })).toMatchObject(
        refused('cannot assign policy "response-wrapping"'),
      );
    }
    expect((await create('open', { policies: 'Other ' })).body.errors).toEqual([
      'token policy "other" is disallowed by this role',
    ]);
  });

  it('without policies leave the rule of the parent as it is', async () => {
    await write('plain', { orphan: true });
    expect((await create('plain')).body.auth).toMatchObject({ policies: ['default', 'user'], orphan: true });
    expect(await create('plain', { policies: 'dev' })).toMatchObject(
      refused('child policies must be subset of parent'),
    );
  });

  it('leave default out if they say so', async () => {
    await write('bare', { allowed_policies: 'dev', token_no_default_policy: true });
    await write('never', { allowed_policies: 'dev', disallowed_policies_glob: 'def*' });
    expect((await create('bare')).body.auth.policies).toEqual(['dev']);
    expect((await create('never')).body.auth.policies).toEqual(['dev']);
    expect((await create('never', { policies: ['dev', 'default'] })).status).toBe(400);
  });

  it('limit the requested TTLs', async () => {
    await write('bound', {
      allowed_policies: 'dev',
      token_explicit_max_ttl: '2h',
      token_period: '30m',
      token_num_uses: 5,
      token_bound_cidrs: '127.0.0.0/8',
      path_suffix: 'v1',
      renewable: false,
    });
    const { auth, warnings } = (await create('bound', { explicit_max_ttl: '1h', num_uses: 9 })).body;
    expect(auth).toMatchObject({ lease_duration: HOUR / 2, num_uses: 5, renewable: false });
    expect(warnings).toContain(
      'Explicit max TTL specified both during creation call and in role; using the lesser value of 3600 seconds',
    );
    expect(await lookup(auth.client_token)).toMatchObject({
      role: 'bound',
      path: 'auth/token/create/bound/v1',
      period: HOUR / 2,
      explicit_max_ttl: HOUR,
      bound_cidrs: ['127.0.0.0/8'],
      num_uses: 5,
      renewable: false,
    });
    for (const [field, settings] of [
      ['num_uses', { token_num_uses: 5, token_period: 0 }],
      ['period', { token_num_uses: 0, token_period: 60 }],
    ] as const) {
      await write('bound', settings);
      expect(await create('bound', { type: 'batch' })).toMatchObject(
        refused(`batch tokens cannot have "${field}" set`),
      );
    }
  });

  it('decide the kind of token', async () => {
    await write('kind', {
      allowed_policies: 'dev',
      orphan: true,
      renewable: false,
      token_type: 'batch',
      token_period: 0,
    });
    const kindOf = async (body: unknown) => (await create('kind', body)).body.auth.token_type;
    expect([await kindOf({}), await kindOf({ type: 'service' })]).toEqual(['batch', 'batch']);
    await write('kind', { token_type: 'default-batch', token_explicit_max_ttl: 600 });
    expect([await kindOf({}), await kindOf({ type: 'service' })]).toEqual(['batch', 'service']);
    expect((await create('kind', { ttl: '1h' })).body.auth.lease_duration).toBe(600);
    await write('kind', { token_type: 'service' });
    expect(await kindOf({ type: 'batch' })).toBe('service');
  });

  it('of today count at a renewal, and a role that is gone renews nothing', async () => {
    await write('today', { allowed_policies: 'dev', token_period: '1h' });
    const token = (await create('today', { explicit_max_ttl: '4h' })).body.auth.client_token;
    const renew = () => server.root('POST', '/v1/auth/token/renew', { token });
    expect((await renew()).body.auth.lease_duration).toBe(HOUR);
    await write('today', { token_period: '2h' });
    expect((await renew()).body.auth.lease_duration).toBe(2 * HOUR);
    await write('today', { token_period: '6h' });
    expect((await renew()).body.auth.lease_duration).toBe(4 * HOUR);
    await server.root('DELETE', '/v1/auth/token/roles/today');
    expect(await renew()).toMatchObject(refused('the token role no longer exists, not renewing'));
  });

  it('limit the entity aliases of a request', async () => {
    await write('alias', { allowed_policies: 'dev', allowed_entity_aliases: 'CI-*' });
    expect(await create('alias', { entity_alias: 'admin' })).toMatchObject(refused("invalid 'entity_alias' value"));
    const { client_token: token, entity_id: id } = (await create('alias', { entity_alias: 'Ci-7' })).body.auth;
    for (const spelling of ['Ci-7', 'ci-7', 'CI-7']) {
      expect((await create('alias', { entity_alias: spelling })).body.auth.entity_id).toBe(id);
    }
    expect((await create('alias')).body.auth.entity_id).toBe('');
    expect((await lookup(token)).entity_id).toBe(id);
    const disable = (disabled: boolean) => server.root('POST', `/v1/identity/entity/id/${id}`, { disabled });
    const status = async () => (await server.call('GET', '/v1/auth/token/lookup-self', { token })).status;
    expect(await status()).toBe(200);
    expect((await disable(true)).status).toBeLessThan(300);
    expect(await status()).toBe(403);
    expect(await create('alias', { entity_alias: 'CI-7' })).toMatchObject(
      refused("'entity_alias' cannot be used: its entity is disabled, or the name is invalid"),
    );
    expect((await disable(false)).status).toBeLessThan(300);
    expect(await status()).toBe(200);
  });
});

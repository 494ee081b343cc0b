import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Issuer, startIssuer } from '../../../support/jwt/issuer.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const HOUR = 3600;

describe.each(databaseKinds)('a mount for tokens of others, on %s', (kind) => {
  let server: TestServer;
  let issuer: Issuer;

  const now = () => Math.floor(server.now() / 1000);
  const role = (name: string, body: Record<string, unknown>) => server.root('POST', `/v1/auth/jwt/role/${name}`, body);
  const sign = (claims: Record<string, unknown> = {}) =>
    issuer.sign({ iss: issuer.url, sub: 'one', aud: 'a', iat: now(), exp: now() + 300, ...claims });
  const login = async (name: string, claims?: Record<string, unknown>, mount = 'jwt') =>
    server.call('POST', `/v1/auth/${mount}/login`, { body: { role: name, jwt: await sign(claims) } });
  const BASE = { user_claim: 'sub', bound_audiences: ['a'] };

  beforeAll(async () => {
    server = await startTestServer(kind);
    issuer = await startIssuer();
    expect((await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' })).status).toBe(204);
    await server.root('POST', '/v1/auth/jwt/config', { jwks_url: issuer.jwksUrl, default_role: 'Standard' });
  });
  afterAll(async () => {
    await issuer.stop();
    await server.stop();
  });

  it('exists beside certificate mounts, under either type name', async () => {
    await server.root('POST', '/v1/sys/auth/ci/github', { type: 'oidc', description: 'pipelines' });
    const { body } = await server.root('GET', '/v1/sys/auth');
    expect(body.data['jwt/']).toMatchObject({ type: 'jwt', accessor: expect.stringMatching(/^auth_jwt_/) });
    expect(body.data['ci/github/']).toMatchObject({ type: 'oidc', description: 'pipelines' });
    expect(body.data['cert/']).toMatchObject({ type: 'cert' });
    expect((await server.root('GET', '/v1/auth/ci/github/config')).status).toBe(404);
    expect((await login('x', {}, 'ci/github')).body.errors).toEqual(['could not load configuration']);
    await server.root('POST', '/v1/auth/ci/github/config', { oidc_discovery_url: issuer.url });
    await server.root('POST', '/v1/auth/ci/github/role/x', { ...BASE, token_ttl: '2h' });
    await server.root('POST', '/v1/sys/auth/ci/github/tune', { max_lease_ttl: '1h', token_type: 'batch' });
    const { auth } = (await login('x', {}, 'ci/github')).body;
    expect(auth).toMatchObject({ lease_duration: HOUR, token_type: 'batch', metadata: { role: 'x' } });
    const self = () => server.call('GET', '/v1/auth/token/lookup-self', { token: auth.client_token });
    expect((await self()).body.data).toMatchObject({ path: 'auth/ci/github/login', display_name: 'ci-github-one' });
    await server.root('DELETE', '/v1/sys/auth/ci/github');
    expect((await self()).status).toBe(403);
    const types = (await server.root('GET', '/v1/sys/plugins/catalog')).body.data.auth;
    expect(types).toEqual(['cert', 'jwt', 'oidc']);
  });

  it('gives a token with the policies, lifetime and metadata of the role', async () => {
    const mappings = { '/run/id': 'run', actor: 'actor', missing: 'nothing' };
    const answer = await role('Full', {
      ...BASE,
      claim_mappings: mappings,
      policies: ['Deploy', 'audit'],
      token_ttl: '1h',
      token_max_ttl: '2h',
    });
    expect(answer.status).toBe(204);
    const { status, body } = await login('FULL', { run: { id: '42' }, actor: 'alice' });
    expect(status).toBe(200);
    expect(body.auth).toMatchObject({
      ...{ token_policies: ['audit', 'default', 'deploy'], lease_duration: HOUR, renewable: true, orphan: true },
      metadata: { role: 'full', run: '42', actor: 'alice' },
    });
    const entity = await server.root('GET', `/v1/identity/entity/id/${body.auth.entity_id}`);
    expect(entity.body.data.aliases[0]).toMatchObject({ name: 'one', mount_type: 'jwt', metadata: { actor: 'alice' } });
    expect((await login('full', { run: { id: 42 } })).status).toBe(400);
    expect((await login('', {})).status).toBe(400);
    await role('standard', BASE);
    expect((await login('', {})).status).toBe(200);
  });

  it('takes a token with white space in it, as a file or a shell leaves it', async () => {
    await role('spaced', BASE);
    const jwt = await sign();
    for (const text of [`${jwt}\n`, `  ${jwt}\r\n`, jwt.replaceAll('.', '.\n')]) {
      const answer = await server.call('POST', '/v1/auth/jwt/login', { body: { role: 'spaced', jwt: text } });
      expect([answer.status, answer.body.auth?.metadata]).toEqual([200, { role: 'spaced' }]);
      const explained = await server.root('POST', '/v1/auth/jwt/login/explain', { role: 'spaced', jwt: text });
      expect(explained.body.data.admitted).toBe(true);
    }
    const empty = await server.call('POST', '/v1/auth/jwt/login', { body: { role: 'spaced', jwt: ' \n' } });
    expect(empty.status).toBe(400);
  });

  it('renews within the current settings, as long as the role gives the same policies', async () => {
    await role('renewed', { ...BASE, token_ttl: '1h', token_max_ttl: '3h', token_policies: ['a'] });
    const { client_token: token } = (await login('renewed')).body.auth;
    const renew = () => server.call('POST', '/v1/auth/token/renew-self', { token, body: {} });
    await role('renewed', { token_ttl: '2h' });
    expect((await renew()).body.auth.lease_duration).toBe(2 * HOUR);
    await role('renewed', { token_policies: ['a', 'b'] });
    expect((await renew()).status).toBe(400);
    await server.root('DELETE', '/v1/auth/jwt/role/renewed');
    expect((await renew()).status).toBe(400);
  });

  it('keeps equal names of two issuers apart', async () => {
    await role('apart', BASE);
    const entity = async (iss: string) => (await login('apart', { iss, sub: 'twin' })).body.auth.entity_id;
    expect(await entity('https://a.example')).toBe(await entity('https://a.example'));
    expect(await entity('https://a.example')).not.toBe(await entity('https://b.example'));
  });

  it('checks claims against the bindings of the role', async () => {
    await role('bound', {
      user_claim: 'sub',
      bound_audiences: 'a',
      bound_claims: { env: ['prod', 'stage'], '/a/b': 7, ok: true },
    });
    const good = { env: ['dev', 'prod'], a: { b: 7 }, ok: true };
    expect((await login('bound', good)).status).toBe(200);
    for (const bad of [
      { env: 'dev' },
      { env: undefined },
      { a: { b: '7' } },
      { ok: 'true' },
      { env: { prod: 1 } },
      { a: [] },
    ]) {
      expect([bad, (await login('bound', { ...good, ...bad })).status]).toEqual([bad, 400]);
    }
    await role('globs', { ...BASE, bound_claims_type: 'glob', bound_claims: '{"repo":"org/*"}' });
    expect((await login('globs', { repo: 'org/one' })).status).toBe(200);
    for (const repo of ['orgs/one', 'x/org/one', 7]) expect((await login('globs', { repo })).status).toBe(400);
    await role('literal', { ...BASE, bound_claims: { repo: 'org/*' } });
    expect((await login('literal', { repo: 'org/one' })).status).toBe(400);
    await role('pointed', {
      ...BASE,
      user_claim: '/who/name',
      user_claim_json_pointer: true,
      bound_cidrs: '10.0.0.0/8',
    });
    expect((await login('pointed', { who: { name: 'x' } })).status).toBe(400);
    await role('pointed', { token_bound_cidrs: ['127.0.0.1'] });
    expect((await login('pointed', { who: { name: 'x' } })).status).toBe(200);
  });

  it('reads back the written settings, and refuses settings that would accept any token', async () => {
    expect(
      (await role('all', { ...BASE, bound_claims: { a: [1, 'b'] }, expiration_leeway: -1, num_uses: 3 })).status,
    ).toBe(204);
    const { data } = (await server.root('GET', '/v1/auth/jwt/role/ALL')).body;
    expect(data).toMatchObject({
      ...{ role_type: 'jwt', bound_claims_type: 'string', bound_claims: { a: [1, 'b'] }, claim_mappings: null },
      ...{ expiration_leeway: -1, token_num_uses: 3, num_uses: 3, bound_audiences: ['a'], user_claim: 'sub' },
    });
    expect((await server.root('LIST', '/v1/auth/jwt/role')).body.data.keys).toContain('all');
    const { key_info: info } = (await server.root('GET', '/v1/auth/jwt/role?list=true&detail=true')).body.data;
    expect(info.all).toEqual(data);
    const refused: Record<string, unknown>[] = [
      { user_claim: 'sub' },
      { bound_audiences: ['a'] },
      { ...BASE, bound_audiences: [] },
      { ...BASE, role_type: 'oidc', allowed_redirect_uris: ['http://localhost'] },
      { ...BASE, role_type: 'other' },
      { ...BASE, bound_claims_type: 'regex' },
      { ...BASE, bound_claims_type: 'glob', bound_claims: { a: 1 } },
      { ...BASE, bound_claims: { a: { b: 1 } } },
      { ...BASE, bound_claims: { a: [] } },
      { ...BASE, bound_claims: { a: null } },
      { ...BASE, bound_claims: { a: 1e300 } },
      { ...BASE, bound_claims: [1] },
      { ...BASE, claim_mappings: { a: 'role' } },
      { ...BASE, claim_mappings: { a: 'x', b: 'x' } },
      { ...BASE, token_policies: ['root'] },
      { ...BASE, clock_skew_leeway: 'soon' },
    ];
    for (const body of refused) expect([body, (await role('refused', body)).status]).toEqual([body, 400]);
    expect((await role('refused', { ...BASE, bound_claims: { a: 'x'.repeat(70_000) } })).status).toBe(400);
    expect((await server.root('GET', '/v1/auth/jwt/role/refused')).status).toBe(404);
    for (const body of [
      {},
      { jwks_url: issuer.jwksUrl, oidc_discovery_url: issuer.url },
      { jwks_url: issuer.jwksUrl, jwt_supported_algs: ['HS256'] },
      { jwks_url: issuer.jwksUrl, jwt_supported_algs: ['none'] },
      { jwks_url: issuer.jwksUrl, oidc_client_id: 'id', oidc_client_secret: 'secret' },
      { jwks_url: issuer.jwksUrl, jwks_ca_pem: 'none' },
      { jwks_url: issuer.jwksUrl, provider_config: { provider: 'azure' } },
      { jwt_validation_pubkeys: ['none'] },
      { jwt_validation_pubkeys: [createRoot().keyPem] },
      { jwks_pairs: 'none' },
    ]) {
      expect([body, (await server.root('POST', '/v1/auth/jwt/config', body)).status]).toEqual([body, 400]);
    }
    const config = (await server.root('GET', '/v1/auth/jwt/config')).body.data;
    expect(config).toMatchObject({ jwks_url: issuer.jwksUrl, default_role: 'standard', bound_issuer: '' });
  });

  it('explains why a token is accepted or refused', async () => {
    const explain = async (body: Record<string, unknown>) =>
      (await server.root('POST', '/v1/auth/jwt/login/explain', body)).body.data;
    await role('explained', { ...BASE, bound_subject: 'two' });
    const told = await explain({ role: 'explained', jwt: await sign({ exp: now() - 500 }) });
    expect(told).toMatchObject({ algorithm: 'ES256', key_id: 'one', admitted: false, claims: { sub: 'one' } });
    expect(told.verdicts).toEqual([
      expect.objectContaining({ check: 'algorithm', outcome: 'passed' }),
      expect.objectContaining({ check: 'signature', outcome: 'passed' }),
    ]);
    const refused = told.roles[0].verdicts.filter(({ outcome }: { outcome: string }) => outcome === 'refused');
    expect(refused).toEqual([
      expect.objectContaining({ check: 'expiration', hint: expect.stringContaining('new token') }),
      expect.objectContaining({ check: 'bound_subject', expected: 'two', actual: '"one"' }),
    ]);
    const good = await explain({ role: 'explained', jwt: await sign({ sub: 'two' }) });
    expect(good).toMatchObject({ admitted: true, roles: [{ role: 'explained', admitted: true, alias_name: 'two' }] });
    expect((await explain({ jwt: await sign() })).roles.length).toBeGreaterThan(3);
    expect(await explain({ jwt: 'none' })).toMatchObject({ admitted: false, claims: null, roles: [] });
    const from = async (address: string) =>
      server.root('POST', '/v1/auth/jwt/login/explain', {
        role: 'explained',
        jwt: await sign({ sub: 'two' }),
        address,
      });
    expect((await from(' 10.1.2.3 ')).body.data.admitted).toBe(true);
    expect((await from('10.1.2.3:443')).body.errors).toEqual([expect.stringContaining('expected an IP address')]);
  });

  it('reports that the default role does not exist', async () => {
    await server.root('POST', '/v1/sys/auth/defaults', { type: 'jwt' });
    const config = (default_role: string) =>
      server.root('POST', '/v1/auth/defaults/config', { jwks_url: issuer.jwksUrl, default_role });
    await server.root('POST', '/v1/auth/defaults/role/here', BASE);
    const jwt = await sign();
    const explain = async () => (await server.root('POST', '/v1/auth/defaults/login/explain', { jwt })).body.data;
    await config('gone');
    const { admitted, verdicts } = await explain();
    expect(admitted).toBe(false);
    expect(verdicts).toContainEqual(
      expect.objectContaining({ check: 'role', outcome: 'refused', actual: 'default_role is "gone"' }),
    );
    await config('here');
    expect((await explain()).verdicts).not.toContainEqual(expect.objectContaining({ check: 'role' }));
    await server.root('DELETE', '/v1/sys/auth/defaults');
  });

  it.each<[string, string, object, Record<string, unknown>]>([
    ['user_claim number', '5', { user_claim: 'number' }, { number: 5 }],
    ['user_claim missing', 'none', { user_claim: 'missing' }, {}],
    ['groups_claim teams', '[1]', { groups_claim: 'teams' }, { teams: [1] }],
    ['groups_claim teams', '501 groups', { groups_claim: 'teams' }, { teams: Array(501).fill('a') }],
    ['claim_mappings mail', '["a"]', { claim_mappings: { mail: 'mail' } }, { mail: ['a'] }],
    ['claim_mappings mail', '3000 characters', { claim_mappings: { mail: 'mail' } }, { mail: 'a'.repeat(3_000) }],
    ['times', 'exp is "tomorrow"', {}, { exp: 'tomorrow' }],
  ])('explains the actual value of a claim: %s, %s', async (check, actual, settings, claims) => {
    await role('instead', { ...BASE, ...settings });
    const body = { role: 'instead', jwt: await sign(claims) };
    const { data } = (await server.root('POST', '/v1/auth/jwt/login/explain', body)).body;
    expect(data.roles[0].verdicts).toContainEqual(expect.objectContaining({ check, outcome: 'refused', actual }));
    await server.root('DELETE', '/v1/auth/jwt/role/instead');
  });

  it('adds an entity at login to the groups that its token names, and to no others', async () => {
    const { accessor } = (await server.root('GET', '/v1/sys/auth')).body.data['jwt/'];
    const group = async (name: string) => {
      const made = await server.root('POST', '/v1/identity/group', {
        name,
        type: 'external',
        policies: [`of-${name}`],
      });
      const { id } = made.body.data;
      const alias = await server.root('POST', '/v1/identity/group-alias', {
        name,
        mount_accessor: accessor,
        canonical_id: id,
      });
      return { id, alias: alias.body.data.id };
    };
    const [admins, users] = [await group('admins'), await group('users')];
    await role('grouped', { ...BASE, groups_claim: '/realm/roles' });
    const held = async (roles: unknown) =>
      (await login('grouped', { sub: 'member', realm: { roles } })).body.auth?.identity_policies ?? [];
    expect(await held(['admins', 'unknown', ''])).toEqual(['of-admins']);
    expect(await held(['admins', 'unknown', ''])).toEqual(['of-admins']);
    const before = (await login('grouped', { sub: 'member', realm: { roles: ['admins', 'users'] } })).body.auth;
    expect(before.identity_policies).toEqual(['of-admins', 'of-users']);
    expect(await held('users')).toEqual(['of-users']);
    // The earlier token has lost the policy with its next request.
    const self = await server.call('GET', '/v1/auth/token/lookup-self', { token: before.client_token });
    expect(self.body.data.identity_policies).toEqual(['of-users']);
    const members = async ({ id }: { id: string }) =>
      (await server.root('GET', `/v1/identity/group/id/${id}`)).body.data.member_entity_ids.length;
    expect([await members(admins), await members(users)]).toEqual([0, 1]);
    for (const roles of [undefined, [7], { a: 1 }, Array.from({ length: 501 }, (_, n) => `g${n}`)]) {
      expect((await login('grouped', { sub: 'member', realm: { roles } })).status).toBe(400);
    }
    // A role without a groups claim adds none.
    await role('groupless', BASE);
    expect((await login('groupless', { sub: 'member' })).body.auth.identity_policies).toBeUndefined();
    expect(await held(['users'])).toEqual(['of-users']);
    await server.root('DELETE', `/v1/identity/group-alias/id/${users.alias}`);
    expect(await members(users)).toBe(0);
  });
});

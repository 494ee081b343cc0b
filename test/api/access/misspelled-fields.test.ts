import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startIssuer } from '../../support/jwt/issuer.ts';
import { createRoot } from '../../support/pki.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const ignored = (...names: string[]) => `Endpoint ignored these unrecognized parameters: [${names.join(' ')}]`;
const meant = (name: string, other: string) => `"${name}" has no effect: did you mean "${other}"?`;

describe.each(databaseKinds)('a field that an operation does not know, on %s', (kind) => {
  let server: TestServer;
  const certificate = createRoot({ subject: 'CA' }).pem;

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
  });
  afterAll(() => server.stop());

  const warnings = async (path: string, body: Record<string, unknown>, status = 200) => {
    const answer = await server.root('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body?.warnings ?? null;
  };

  it('of a certificate role is named, with the bound that was meant', async () => {
    expect(await warnings('/v1/auth/cert/certs/web', { certificate, token_bound_cidr: '10.0.0.0/8' })).toEqual([
      ignored('token_bound_cidr'),
      meant('token_bound_cidr', 'token_bound_cidrs'),
    ]);
    const read = await server.root('GET', '/v1/auth/cert/certs/web');
    expect(read.body.data.token_bound_cidrs).toEqual([]);
  });

  it.each([
    ['allowed_common_name', 'allowed_common_names'],
    ['allowed-dns-sans', 'allowed_dns_sans'],
    ['allowedUriSans', 'allowed_uri_sans'],
    ['requierd_extensions', 'required_extensions'],
    ['ocsp_enable', 'ocsp_enabled'],
    ['bound_cidr', 'bound_cidrs'],
  ])('%s gets a suggestion, and a name far from every field does not', async (name, known) => {
    expect(await warnings('/v1/auth/cert/certs/web', { certificate, [name]: 'x', zebra: 1 })).toEqual([
      ignored(...[name, 'zebra'].sort()),
      meant(name, known),
    ]);
  });

  it('is compared with the fields there are only among the first twenty', async () => {
    const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`allowed_uri_zone${i}`, 'x']));
    const [named, ...suggestions] = await warnings('/v1/auth/cert/certs/web', {
      certificate,
      ...many,
      token_bound_cidr: '10.0.0.0/8',
    });
    expect(named).toContain('Endpoint ignored these unrecognized parameters: [');
    expect(suggestions).not.toContain(meant('token_bound_cidr', 'token_bound_cidrs'));
    expect(suggestions.length).toBeLessThanOrEqual(20);
  });

  it('of every other write is named', async () => {
    expect(await warnings('/v1/auth/cert/config', { disable_bindings: true })).toEqual([
      ignored('disable_bindings'),
      meant('disable_bindings', 'disable_binding'),
    ]);
    expect(await warnings('/v1/sys/policies/acl/p', { policy: 'path "a" {}', expires: '' })).toEqual([
      ignored('expires'),
    ]);
    expect(await warnings('/v1/sys/auth/cert/tune', { max_lease_tll: '1h' })).toEqual([
      ignored('max_lease_tll'),
      meant('max_lease_tll', 'max_lease_ttl'),
    ]);
    expect(await warnings('/v1/auth/token/roles/r', { token_bound_cidr: '10.0.0.0/8' })).toContain(
      meant('token_bound_cidr', 'token_bound_cidrs'),
    );
    expect(await warnings('/v1/auth/token/create', { ttl: '1h', policie: ['a'] })).toEqual([
      ignored('policie'),
      meant('policie', 'policies'),
    ]);
    expect(await warnings('/v1/identity/entity/name/e', { polices: ['a'] })).toContain(meant('polices', 'policies'));
    // A write to an existing entity gets an empty response.
    expect(await warnings('/v1/identity/entity/name/e', { polices: ['a'] })).toContain(meant('polices', 'policies'));
    expect(
      await warnings('/v1/auth/jwt/role/r', { user_claim: 'sub', bound_audience: 'a', bound_subject: 'b' }),
    ).toContain(meant('bound_audience', 'bound_audiences'));
  });

  it('inside of an object is named with it', async () => {
    expect(await warnings('/v1/sys/auth/nested', { type: 'cert', config: { max_lease_tll: '1h' } })).toEqual([
      ignored('config.max_lease_tll'),
      meant('config.max_lease_tll', 'config.max_lease_ttl'),
    ]);
    const issuer = await startIssuer();
    try {
      const pairs = [{ jwks_url: issuer.jwksUrl, jwks_capem: 'x' }];
      const expected = meant('jwks_pairs.jwks_capem', 'jwks_pairs.jwks_ca_pem');
      expect(await warnings('/v1/auth/jwt/config', { jwks_pairs: pairs })).toContain(expected);
      expect(await warnings('/v1/auth/jwt/config', { jwks_pairs: JSON.stringify(pairs) })).toContain(expected);
    } finally {
      await issuer.stop();
    }
  });

  it('is not reported if it is empty, or a parameter of the path', async () => {
    expect(await warnings('/v1/auth/cert/certs/web', { certificate, unset: null, name: 'WEB' }, 204)).toBe(null);
    expect(await warnings('/v1/auth/cert/certs/web', { certificate, name: 'other' })).toEqual([
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
    ]);
  });

  it('is one of many, which are not all named', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${'x'.repeat(300)}${at}`, 1]));
    const [only, ...more] = await warnings('/v1/auth/cert/certs/web', { certificate, ...many });
    expect(more).toEqual([]);
    expect(only.length).toBeLessThan(3_000);
  });
});

describe.each(databaseKinds)('settings that a token role overrides, on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/auth/token/roles/child', { orphan: false, token_type: 'service' });
    await server.root('POST', '/v1/auth/token/roles/orphan', { orphan: true });
  });
  afterAll(() => server.stop());

  const create = (path: string, body: Record<string, unknown>) => server.root('POST', `/v1/auth/token/${path}`, body);

  it('make no_parent have no effect, with a warning', async () => {
    const { body } = await create('create/child', { no_parent: true });
    expect(body.auth.orphan).toBe(false);
    expect(body.warnings).toEqual([expect.stringMatching(/^no_parent has no effect: the token role "child" decides/)]);
  });

  it('cause no warning if the token is as requested', async () => {
    for (const [path, no_parent] of [
      ['create', true],
      ['create/orphan', true],
      ['create/child', false],
      ['create-orphan', false],
    ] as const) {
      expect((await create(path, { no_parent })).body.warnings, path).toBe(null);
    }
  });

  it('make a type have no effect, with a warning', async () => {
    const { body } = await create('create/child', { type: 'batch' });
    expect(body.auth.token_type).toBe('service');
    expect(body.warnings).toEqual(['type has no effect: the token role "child" issues service tokens']);
  });
});

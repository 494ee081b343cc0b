import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field } from '../../src/access/operation/fields.ts';
import { databaseKinds } from '../support/databases.ts';
import { signingKey } from '../support/jwt/issuer.ts';
import { createRoot } from '../support/pki.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Declared, declaredOperations } from './support/operations.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Value that a write sets, and the change that it makes to a later read. */
interface Written {
  readonly write: unknown;
  readonly shown: Fields;
}

/** Resource that can be written and read at one path. */
interface Resource {
  /** Below `/v1`. */
  readonly path: string;
  /** Fields that every write needs. */
  readonly base?: Fields;
  /** Values for fields whose schema does not say enough, or that a read shows in another form. */
  readonly values?: Readonly<Record<string, Written>>;
  /** Fields that no read shows, with the reason. */
  readonly unread?: Readonly<Record<string, string>>;
  /** Fields of a read that any write changes. */
  readonly moving?: readonly string[];
  /** Default: the resource is deleted and created again for each field. */
  readonly isFixed?: true;
}

/** Responses that describe something without storing it. */
const QUESTIONS = ['auth/token/lookup-self', 'sys/init', 'sys/wrapping/lookup'];

const as = (name: string, write: unknown, shown: unknown = write): Written => ({ write, shown: { [name]: shown } });
const also = (names: readonly string[], write: unknown, shown: unknown): Written => ({
  write,
  shown: Object.fromEntries(names.map((name) => [name, shown])),
});
const both = (name: string, write: unknown, shown: unknown) => also([name, `token_${name}`], write, shown);
const BLOCKS = ['10.0.0.0/8'];
const policy = (path: string) => `path "${path}" { capabilities = ["read"] }`;

const ca = createRoot({ subject: 'One' });
const other = createRoot({ subject: 'Another' });

const TUNING: Resource = {
  path: 'sys/mounts/auth/tuned/tune',
  isFixed: true,
  values: {
    description: as('description', 'a mount'),
    max_lease_ttl: as('max_lease_ttl', '800h', 800 * 3600),
    token_type: as('token_type', 'batch'),
    listing_visibility: as('listing_visibility', 'unauth'),
    options: as('options', { a: 'b' }),
  },
};

const POLICY_UNREAD = {
  cas: 'the version that a write means',
  cas_required: 'wants cas beside it (policy-fields.test.ts)',
  ttl: 'shown as the time of its end (policy-fields.test.ts)',
};

/** Resources, by the path of their operations. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  'auth/{cert_mount_path}/certs/:name': {
    path: 'auth/cert/certs/web',
    base: { certificate: ca.pem },
    values: {
      certificate: as('certificate', other.pem),
      required_extensions: as('required_extensions', ['1.2.3:a', 'hex:1.2.4:ff']),
      allowed_ip_sans: as('allowed_ip_sans', ['10.0.0.0/8', '2001:db8::1']),
      allowed_other_sans: as('allowed_other_sans', ['UPN:*@a', 'hex:1.2.3:05*']),
      allowed_subject_attributes: as('allowed_subject_attributes', ['UID=a', '2.5.4.10=b']),
      group_sources: as('group_sources', ['subject:OU', 'uri_san:spiffe://a/*']),
      extended_key_usage: as('extended_key_usage', ['ServerAuth', '1.2.3']),
      token_type: as('token_type', 'batch'),
      token_bound_cidrs: as('token_bound_cidrs', BLOCKS),
      bound_cidrs: both('bound_cidrs', BLOCKS, BLOCKS),
      policies: both('policies', ['a', 'b'], ['a', 'b']),
      ttl: both('ttl', 75, 75),
      max_ttl: both('max_ttl', '75s', 75),
      period: both('period', 75, 75),
      lease: both('ttl', 75, 75),
    },
  },
  'auth/{cert_mount_path}/config': {
    path: 'auth/cert/config',
    isFixed: true,
    values: { alias_source: as('alias_source', 'subject:UID') },
  },
  'auth/{cert_mount_path}/crls/:name': {
    path: 'auth/cert/crls/list',
    base: { crl: other.crl().pem },
    values: { on_stale: as('on_stale', 'refuse'), on_unknown_issuer: as('on_unknown_issuer', 'ignore') },
    unread: { crl: 'shown by what is in it', url: 'it is fetched from there (crl-fetches.test.ts)' },
  },
  'auth/{jwt_mount_path}/role/:name': {
    path: 'auth/jwt/role/web',
    base: { user_claim: 'sub', bound_audiences: ['x'] },
    values: {
      user_claim: as('user_claim', 'email'),
      bound_claims: as('bound_claims', { a: 'b', c: [1, true] }),
      bound_claims_type: as('bound_claims_type', 'glob'),
      claim_mappings: as('claim_mappings', { a: 'b' }),
      token_type: as('token_type', 'batch'),
      token_bound_cidrs: as('token_bound_cidrs', BLOCKS),
      bound_cidrs: both('bound_cidrs', BLOCKS, BLOCKS),
      policies: both('policies', ['a', 'b'], ['a', 'b']),
      ttl: both('ttl', 75, 75),
      max_ttl: both('max_ttl', '75s', 75),
      period: both('period', 75, 75),
      num_uses: both('num_uses', 7, 7),
    },
    unread: { role_type: 'there is but one' },
  },
  'auth/{jwt_mount_path}/config': {
    path: 'auth/jwt/config',
    base: { jwt_validation_pubkeys: [signingKey('one').publicPem] },
    values: {
      jwt_validation_pubkeys: as('jwt_validation_pubkeys', [signingKey('two').publicPem]),
      jwt_supported_algs: as('jwt_supported_algs', ['RS256']),
      oidc_discovery_ca_pem: as('oidc_discovery_ca_pem', ca.pem),
      jwks_ca_pem: as('jwks_ca_pem', ca.pem),
    },
    unread: {
      ...Object.fromEntries(
        ['oidc_discovery_url', 'jwks_url', 'jwks_pairs'].map((name) => [name, 'in place of keys (jwt/keys.test.ts)']),
      ),
      ...Object.fromEntries(
        ['id', 'secret'].map((name) => [`oidc_client_${name}`, 'has to be empty (jwt/mount.test.ts)']),
      ),
      oidc_response_mode: 'has to be empty',
      oidc_response_types: 'has to be empty',
      provider_config: 'has to be empty',
      skip_jwks_validation: 'a matter of the write alone',
    },
  },
  'auth/token/roles/:name': {
    path: 'auth/token/roles/web',
    values: {
      token_type: as('token_type', 'service'),
      token_bound_cidrs: as('token_bound_cidrs', BLOCKS),
      bound_cidrs: both('bound_cidrs', BLOCKS, BLOCKS),
      period: both('period', 75, 75),
      explicit_max_ttl: both('explicit_max_ttl', 75, 75),
    },
  },
  'sys/auth/*path/tune': { ...TUNING, path: 'sys/auth/tuned-too/tune' },
  'sys/mounts/auth/*path/tune': TUNING,
  'sys/policies/acl/*name': {
    path: 'sys/policies/acl/web',
    base: { policy: policy('a') },
    values: { policy: as('policy', policy('b')), expiration: as('expiration', '2101-01-31T12:00:00.000Z') },
    unread: POLICY_UNREAD,
    moving: ['modified', 'version'],
  },
  'sys/policy/*name': {
    path: 'sys/policy/web',
    base: { rules: policy('a') },
    values: {
      policy: as('rules', policy('b')),
      rules: as('rules', policy('b')),
      expiration: as('expiration', '2101-01-31T12:00:00.000Z'),
    },
    unread: POLICY_UNREAD,
    moving: ['modified', 'version'],
  },
};

/** A mount is written once: another write is refused. */
const MOUNT = 'sys/auth/*path';
/** Logins create entities. */
const ENTITY = 'identity/entity/id/:id';
/** Other identity objects have their own tests. */
const IDENTITY = /^identity\//;

describe.each(databaseKinds)('every field reads back as it was written, on %s', (kind) => {
  let server: TestServer;
  let declared: Declared[];

  beforeAll(async () => {
    server = await startTestServer(kind);
    declared = declaredOperations(server);
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    for (const path of ['tuned', 'tuned-too']) await server.root('POST', `/v1/sys/auth/${path}`, { type: 'cert' });
  });
  afterAll(() => server.stop());

  const placeOf = ({ prefix, operation }: Declared) => `${prefix}/${operation.path}`;
  const fieldsOf = (place: string): [string, Field<unknown>][] => {
    const one = declared.find((candidate) => candidate.operation.verb === 'update' && placeOf(candidate) === place);
    return Object.entries(one?.operation.fields ?? {});
  };
  const write = async (path: string, body: object) => {
    const answer = await server.root('POST', `/v1/${path}`, body);
    expect([path, body, answer.status < 300 || answer.body]).toEqual([path, body, true]);
  };
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await server.root('GET', `/v1/${path}`)).body.data;

  it('at every path that can be written and read', () => {
    const written = declared.filter(({ operation }) => operation.verb === 'update').map(placeOf);
    const places = declared.filter(({ operation }) => operation.verb === 'read').map(placeOf);
    const found = places.filter((place) => written.includes(place) && !QUESTIONS.includes(place));
    const known = [...Object.keys(RESOURCES), MOUNT];
    expect(found.filter((place) => !IDENTITY.test(place)).toSorted()).toEqual(known.toSorted());
    expect(found).toContain(ENTITY);
  });

  it.each(Object.entries(RESOURCES))('at %s', async (place, resource) => {
    const { path, base = {}, values = {}, unread = {}, moving = [], isFixed } = resource;
    const fields = fieldsOf(place);
    expect(fields.length).toBeGreaterThan(0);
    for (const [name, field] of fields) {
      if (name in unread) continue;
      const { write: value, shown } = values[name] ?? generic(name, field);
      if (!isFixed) {
        await server.root('DELETE', `/v1/${path}`);
        await write(path, base);
      }
      const before = await read(path);
      expect([name, before]).not.toEqual([name, expect.objectContaining(shown)]);
      await write(path, { ...base, [name]: value });
      const after = await read(path);
      const moved = Object.fromEntries(moving.filter((one) => one in after).map((one) => [one, after[one]]));
      expect([name, after]).toEqual([name, { ...before, ...shown, ...moved }]);
    }
    for (const name of Object.keys({ ...values, ...unread })) expect(fields.map(([known]) => known)).toContain(name);
  });

  it(`of ${MOUNT}, those of its tuning too`, async () => {
    const plain = { type: 'cert' };
    const flags = fieldsOf(MOUNT).filter(([name]) => !['type', 'config', 'description', 'options'].includes(name));
    const tuning = fieldsOf('sys/mounts/auth/*path/tune').filter(
      ([name]) => name !== 'description' && name !== 'options',
    );
    expect(flags.map(([name]) => name)).toContain('local');
    expect(tuning.map(([name]) => name)).toContain('token_type');
    const enabled = async (body: object) => {
      await server.root('DELETE', '/v1/sys/auth/made');
      await write('sys/auth/made', { ...plain, ...body });
      const { uuid: _, accessor: __, ...shown } = await read('sys/auth/made');
      return shown as Record<string, unknown> & { config: object };
    };
    const before = await enabled({});
    for (const [name, field] of flags) {
      const { write: value, shown } = generic(name, field);
      expect(await enabled({ [name]: value })).toEqual({ ...before, ...shown });
    }
    for (const body of [{ description: 'a mount' }, { options: { a: 'b' } }]) {
      expect(await enabled(body)).toEqual({ ...before, ...body });
    }
    for (const [name, field] of tuning) {
      const { write: value, shown } = TUNING.values?.[name] ?? generic(name, field);
      expect(await enabled({ config: { [name]: value } })).toEqual({
        ...before,
        config: { ...before.config, ...shown },
      });
    }
  });

  it('of auth/token/create', async () => {
    const fields = fieldsOf('auth/token/create').map(([name]) => name);
    expect(Object.keys(TOKEN).toSorted()).toEqual(fields.toSorted());
    for (const [name, { write: value, shown }] of Object.entries(TOKEN)) {
      const base = { policies: ['x'], ttl: 3600, ...(name === 'lease' && { ttl: 0 }) };
      const created = await server.root('POST', '/v1/auth/token/create', { ...base, [name]: value });
      const lookup = await server.root('POST', '/v1/auth/token/lookup', { token: created.body.auth?.client_token });
      expect([name, lookup.body.data]).toEqual([name, expect.objectContaining(shown)]);
    }
  });

  it(`of ${ENTITY}`, async () => {
    await server.root('POST', '/v1/auth/cert/certs/made', { certificate: ca.pem });
    const login = await server.call('POST', '/v1/auth/cert/login', { certificate: ca.issue(), body: { name: 'made' } });
    const path = `identity/entity/id/${login.body.auth.entity_id}`;
    const values: Record<string, Written> = {
      name: as('name', 'renamed'),
      metadata: as('metadata', { a: 'b' }),
      policies: as('policies', ['a', 'b']),
    };
    for (const [name, field] of fieldsOf(ENTITY)) {
      const { write: value, shown } = values[name] ?? generic(name, field);
      const before = await read(path);
      await write(path, { [name]: value });
      expect([name, await read(path)]).toEqual([name, { ...before, ...shown }]);
    }
  });
});

/** Parameters of a token request, and the fields of a look-up. */
const TOKEN: Readonly<Record<string, Written>> = {
  id: as('id', 'chosen-by-hand'),
  policies: as('policies', ['x', 'y'], ['default', 'x', 'y']),
  meta: as('meta', { a: 'b' }),
  no_parent: as('orphan', true),
  no_default_policy: { write: true, shown: { policies: ['x'] } },
  renewable: as('renewable', false),
  ttl: as('creation_ttl', '75s', 75),
  lease: as('creation_ttl', '75s', 75),
  type: as('type', 'batch'),
  explicit_max_ttl: as('explicit_max_ttl', '75s', 75),
  display_name: as('display_name', 'shown', 'token-shown'),
  num_uses: as('num_uses', 7),
  period: as('period', '75s', 75),
  // Requires a role (token-roles.test.ts).
  entity_alias: as('entity_id', '', ''),
};

/** The server computes another value when the field is not set. */
function generic(name: string, { schema, initial }: Field<unknown>): Written {
  if (schema?.type === 'boolean') return as(name, !initial);
  if (schema?.type === 'integer') return as(name, Number(initial) + 7);
  if (schema?.type === 'array') return as(name, ['a', 'b']);
  if (schema?.format === 'duration') return as(name, '1m15s', 75);
  if (schema?.type === 'string') return as(name, 'some-text');
  throw new Error(`${name}: say what may be written`);
}

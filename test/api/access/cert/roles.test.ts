import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE_PATTERN_LIMITS } from '../../../../src/access/cert/role/role-write.ts';
import { MAX_BLOCKS } from '../../../../src/lib/cidr.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot, selfSigned } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const HOUR = 3_600_000;

describe.each(databaseKinds)('roles, on %s', (kind) => {
  let server: TestServer;
  const certificate = createRoot().pem;
  const path = (name: string) => `/v1/auth/cert/certs/${name}`;

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  it('are created, read, listed and deleted', async () => {
    expect((await server.root('POST', path('one'), { certificate, token_ttl: '90s' })).status).toBe(204);
    expect((await server.root('PUT', path('two'), { certificate })).status).toBe(204);
    const { status, body } = await server.root('GET', path('one'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ lease_id: '', renewable: false, lease_duration: 0, auth: null, warnings: null });
    expect(body.data).toMatchObject({
      certificate,
      display_name: 'one',
      allowed_common_names: null,
      token_policies: [],
      token_ttl: 90,
      token_max_ttl: 0,
      token_type: 'default',
    });
    for (const [method, url] of [
      ['LIST', '/v1/auth/cert/certs'],
      ['LIST', '/v1/auth/cert/certs/'],
      ['GET', '/v1/auth/cert/certs?list=true'],
    ] as const) {
      expect((await server.root(method, url)).body.data).toEqual({ keys: ['one', 'two'] });
    }
    const page = async (query: string) => (await server.root('LIST', `/v1/auth/cert/certs?${query}`)).body.data?.keys;
    expect(await page('limit=1')).toEqual(['one']);
    expect(await page('after=one&limit=5')).toEqual(['two']);
    expect(await page('after=two')).toBeUndefined();
    expect(await page('limit=-1')).toEqual(await page('limit=0'));
    expect((await server.root('LIST', '/v1/auth/cert/certs?limit=x')).status).toBe(400);
    for (const name of ['one', 'two', 'two']) expect((await server.root('DELETE', path(name))).status).toBe(204);
    expect(await server.root('LIST', '/v1/auth/cert/certs')).toMatchObject({ status: 404, body: { errors: [] } });
    expect(await server.root('GET', path('one'))).toMatchObject({ status: 404, body: { errors: [] } });
  });

  it('have a maximum number of patterns, and of those that are tried one by one', async () => {
    const many = (count: number, pattern: (i: number) => string) => Array.from({ length: count }, (_, i) => pattern(i));
    const write = async (fields: Record<string, readonly string[] | null>) => {
      // The lists are sent as text, because a body may not contain so many values.
      const texts = Object.fromEntries(Object.entries(fields).map(([name, list]) => [name, list?.join() ?? null]));
      const { status, body } = await server.root('POST', path('patterns'), { certificate, ...texts });
      return [status, body?.errors?.[0]];
    };
    const fine = {
      allowed_dns_sans: many(5000, (i) => `host-${i}.example.com`),
      allowed_names: many(5000, (i) => `*.h${i}`),
    };
    expect((await write(fine))[0]).toBeLessThan(300);
    expect(await write({ ...fine, allowed_uri_sans: ['one:more'] })).toEqual([
      400,
      `a role may have at most ${ROLE_PATTERN_LIMITS.patterns} patterns and extensions`,
    ]);
    expect(await write({ allowed_names: many(600, (i) => `${'x'.repeat(1000)}${i}`) })).toEqual([
      400,
      'the patterns and extensions of a role may have at most 524288 characters',
    ]);
    const globs = {
      allowed_email_sans: many(500, (i) => `a*${i}`),
      required_extensions: many(501, (i) => `1.2.${i}:*`),
    };
    expect(await write({ allowed_dns_sans: null, allowed_names: null, ...globs })).toEqual([
      400,
      'a role may have at most 1000 extensions and patterns with a * in the middle or several *',
    ]);
    expect(await write({ token_bound_cidrs: many(1001, (i) => `10.0.${i >> 8}.${i & 255}`) })).toEqual([
      400,
      `at most ${MAX_BLOCKS} address blocks are allowed`,
    ]);
    expect((await server.root('GET', path('patterns'))).body.data).toMatchObject(fine);
  });

  it('take no certificate whose key usage has unused bits that are set', async () => {
    const keyUsage = { oid: '2.5.29.15', value: Buffer.from('03020207', 'hex'), critical: true };
    const { pem } = createRoot({ extensions: [keyUsage] });
    expect(await server.root('POST', path('loose'), { certificate: pem })).toMatchObject({
      status: 400,
      body: { errors: [expect.stringMatching(/^failed to parse certificate: /)] },
    });
    expect((await server.root('GET', path('loose'))).status).toBe(404);
  });

  it('keep fields that a write omits, and clear fields that it empties', async () => {
    await server.root('POST', path('merged'), {
      certificate,
      allowed_common_names: 'a,b',
      token_policies: 'x',
      token_ttl: 60,
    });
    await server.root('POST', path('merged'), { display_name: 'M', allowed_common_names: '' });
    expect((await server.root('GET', path('merged'))).body.data).toMatchObject({
      display_name: 'M',
      allowed_common_names: [],
      token_policies: ['x'],
      token_ttl: 60,
    });
  });

  it('have case-insensitive names', async () => {
    await server.root('POST', path('MiXed'), { certificate });
    expect((await server.root('GET', path('mixed'))).status).toBe(200);
    expect((await server.root('DELETE', path('MIXED'))).status).toBe(204);
    expect((await server.root('GET', path('mixed'))).status).toBe(404);
  });

  it.each([
    ['no certificate', {}, 'failed to parse certificate'],
    ['what is no certificate', { certificate: 'x' }, 'failed to parse certificate'],
    [
      'a cut-off certificate',
      { certificate: createRoot().pem.replace(/\n\w{20}/, '\n') },
      'failed to parse certificate',
    ],
    [
      'a leaf for servers alone',
      { certificate: selfSigned({ extendedKeyUsage: ['serverAuth'] }).pem },
      'nonCA certificates should have TLS client authentication',
    ],
    ['a ttl beyond its maximum', { certificate, token_ttl: 2, token_max_ttl: 1 }, "'token_ttl' cannot be greater than"],
    ['a negative ttl', { certificate, token_ttl: -100 }, "cannot provide negative value '-100'"],
    [
      'a bad block of addresses',
      { certificate, token_bound_cidrs: '10.0.0.0/99' },
      'error parsing address "10.0.0.0/99"',
    ],
    ['a bad type', { certificate, token_type: 'banana' }, "invalid 'token_type' value"],
    [
      'the root policy in any case',
      { certificate, token_policies: ' RooT ' },
      'auth methods cannot create root tokens',
    ],
    [
      'the policy of wrapping tokens',
      { certificate, token_policies: ['web', 'Response-Wrapping'] },
      'cannot assign policy "response-wrapping"',
    ],
    ['a negative lease', { certificate, lease: -5 }, "cannot provide negative value '-5'"],
    ['negative retries', { certificate, ocsp_max_retries: -1 }, 'ocsp_max_retries can not be a negative number'],
    [
      'a list that is an object',
      { certificate, allowed_dns_sans: { a: 1 } },
      'error converting input for field "allowed_dns_sans"',
    ],
  ])('refuse %s, and store nothing', async (_name, body, text) => {
    const answer = await server.root('POST', path('refused'), body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toContain(text);
    expect((await server.root('GET', path('refused'))).status).toBe(404);
  });

  it('show every field of the specification and of Lockkeeper, lists that were never set as null', async () => {
    await server.root('POST', path('whole'), { certificate });
    expect((await server.root('GET', path('whole'))).body.data).toEqual({
      certificate,
      display_name: 'whole',
      allowed_names: null,
      allowed_common_names: null,
      allowed_dns_sans: null,
      allowed_email_sans: null,
      allowed_uri_sans: null,
      allowed_organizational_units: null,
      allowed_organizations: null,
      allowed_ip_sans: null,
      allowed_other_sans: null,
      allowed_subject_attributes: null,
      extended_key_usage: ['ClientAuth'],
      group_sources: [],
      required_extensions: null,
      allowed_metadata_extensions: null,
      ocsp_enabled: false,
      ocsp_ca_certificates: '',
      ocsp_servers_override: null,
      ocsp_fail_open: false,
      ocsp_this_update_max_age: 0,
      ocsp_max_retries: 4,
      ocsp_query_all_servers: false,
      token_bound_cidrs: [],
      token_explicit_max_ttl: 0,
      token_max_ttl: 0,
      token_no_default_policy: false,
      token_num_uses: 0,
      token_period: 0,
      token_policies: [],
      token_strictly_bind_ip: false,
      token_ttl: 0,
      token_type: 'default',
    });
  });

  it('accept the old field names, and return them as long as the last write used them', async () => {
    const read = async () => (await server.root('GET', path('old'))).body.data;
    await server.root('POST', path('old'), {
      certificate,
      policies: ' Foo,bar',
      ttl: '1000s',
      max_ttl: 1200,
      bound_cidrs: '::1',
    });
    expect(await read()).toMatchObject({
      policies: ['foo', 'bar'],
      token_policies: ['foo', 'bar'],
      ttl: 1000,
      token_ttl: 1000,
      max_ttl: 1200,
      token_max_ttl: 1200,
      bound_cidrs: ['::1'],
      token_bound_cidrs: ['::1'],
    });
    await server.root('POST', path('old'), { token_ttl: 60, policies: 'x', token_policies: 'Y' });
    const data = await read();
    expect(data).not.toHaveProperty('ttl');
    expect(data).not.toHaveProperty('period');
    expect(data).toMatchObject({ token_ttl: 60, policies: ['Y'], token_policies: ['Y'], max_ttl: 1200 });
    await server.root('POST', path('old'), { lease: 90, token_max_ttl: 0 });
    expect(await read()).toMatchObject({ ttl: 90, token_ttl: 90 });
  });

  it.each([
    ['that no login can match', { required_extensions: 'x:y' }, 'required_extensions: "x" is not an object identifier'],
    ['of an identifier that is none', { allowed_metadata_extensions: '1' }, 'allowed_metadata_extensions: "1"'],
    ['that cannot match', { allowed_dns_sans: 'a@b' }, 'allowed_dns_sans: "a@b" can never match'],
    [
      'of a long life',
      { token_ttl: '1000h' },
      'Given ttl of 3600000 seconds is greater than current mount/system default',
    ],
    [
      'of a pinned certificate',
      { certificate: selfSigned().pem, allowed_uri_sans: 'urn:x' },
      'allowed_uri_sans can never match the pinned certificate: expected urn:x, found none. Change',
    ],
    [
      'of a pinned certificate whose common name is no DNS name',
      { certificate: selfSigned().pem, allowed_common_names: '*' },
      'common_name can never match the pinned certificate',
    ],
    ['of a common name that is no DNS name', { allowed_common_names: 'device' }, 'strict_dns_names is on'],
    [
      'of a DNS name that is none',
      { allowed_dns_sans: ['web', '*.bad name.com'] },
      'allowed_dns_sans: "*.bad name.com"',
    ],
    ['of an address as a DNS name', { allowed_dns_sans: '10.0.0.1' }, 'not a DNS name, and strict_dns_names is on'],
    ['of a DNS name with a final dot', { allowed_dns_sans: '*.example.com.' }, 'allowed_dns_sans: "*.example.com."'],
    [
      'of any name that is none',
      { allowed_names: ['a@b.c', 'web', 'my web'] },
      'allowed_names: "my web" can never match',
    ],
    ['of a URI without a scheme', { allowed_uri_sans: ['s*', 'example.com/*'] }, 'allowed_uri_sans: "example.com/*"'],
    ['of an empty value', { required_extensions: '1.2.3:' }, 'required_extensions: "1.2.3:" can never match'],
    ['of a value not in hex', { required_extensions: 'hex:1.2.3:0x0C*' }, 'required_extensions: "hex:1.2.3:0x0C*"'],
  ])('warn of a setting %s, and store it', async (_name, settings, text) => {
    const { status, body } = await server.root('POST', path('warned'), { certificate, ...settings });
    expect([status, body.warnings]).toEqual([200, [expect.stringContaining(text)]]);
    expect((await server.root('DELETE', path('warned'))).status).toBe(204);
  });

  it.each([{ allowed_common_names: 'device' }, { allowed_dns_sans: 'ex ample*' }, { allowed_names: 'my web' }])(
    'with %j are saved without a warning where the configuration takes such names',
    async (names) => {
      const configure = (strict: boolean) => server.root('POST', '/v1/auth/cert/config', { strict_dns_names: strict });
      const settings = { certificate, ...names };
      await configure(false);
      expect((await server.root('POST', path('quiet'), settings)).status).toBe(204);
      await configure(true);
      expect((await server.root('POST', path('quiet'), settings)).status).toBe(200);
      await server.root('DELETE', path('quiet'));
    },
  );

  it('warn of a star that is held within its label and would have to stand for a dot', async () => {
    const configure = (held: boolean) => server.root('POST', '/v1/auth/cert/config', { strict_dns_patterns: held });
    const write = () => server.root('POST', path('held'), { certificate, allowed_common_names: 'web*com' });
    expect((await write()).status).toBe(204);
    await configure(true);
    expect((await write()).body.warnings).toEqual([expect.stringContaining('"web*com" can never match')]);
    await configure(false);
  });

  it.each([
    ['has expired', createRoot({ notAfter: new Date(Date.now() - HOUR / 2) }), 'validity'],
    ['is not valid yet', createRoot({ notBefore: new Date(Date.now() + HOUR) }), 'validity'],
    ['may not authenticate clients', createRoot({ extendedKeyUsage: ['serverAuth'] }), 'extended-key-usage'],
    ['may not sign certificates', createRoot({ keyUsage: ['cRLSign'] }), 'key-usage'],
    ['has a weak key', createRoot({ key: 'RSA-1024' }), 'public-key'],
    ['is pinned and has expired', selfSigned({ notAfter: new Date(Date.now() - HOUR / 2) }), 'validity'],
  ])('warn of a certificate that %s', async (_name, { pem }, check) => {
    const { status, body } = await server.root('POST', path('faulty'), { certificate: pem });
    expect(status).toBe(200);
    expect(body.warnings).toEqual([expect.stringContaining(`cannot be used for a login (${check}): expected`)]);
  });

  it('are accessible only to callers with permission', async () => {
    for (const [method, url] of [
      ['POST', path('x')],
      ['GET', path('x')],
      ['DELETE', path('x')],
      ['LIST', '/v1/auth/cert/certs'],
    ] as const) {
      expect(await server.call(method, url)).toMatchObject({ status: 403, body: { errors: ['permission denied'] } });
      expect(await server.call(method, url, { token: 'lks.no.such' })).toMatchObject({ status: 403 });
      expect(await server.call(method, url, { token: server.userToken })).toMatchObject({ status: 403 });
    }
  });

  it('take the token under any of its three names', async () => {
    await server.root('POST', path('aliases'), { certificate });
    for (const headers of [
      { 'x-service-token': server.rootToken },
      { 'x-vault-token': server.rootToken },
      { authorization: `Bearer ${server.rootToken}` },
    ]) {
      expect((await server.call('GET', path('aliases'), { headers })).status).toBe(200);
    }
  });

  it('return for missing roles the response that clients expect', async () => {
    const unsupported = { errors: ['1 error occurred:\n\t* unsupported path\n\n'] };
    expect(await server.root('GET', '/v1/auth/cert/nope')).toMatchObject({ status: 404, body: unsupported });
    expect(await server.root('GET', path('-bad-'))).toMatchObject({ status: 404, body: unsupported });
    expect(await server.root('GET', '/v1/secret/x')).toMatchObject({
      status: 404,
      body: { errors: ['no handler for route "secret/x". route entry not found.'] },
    });
    expect(await server.root('GET', '/v1/auth/cert/certs')).toMatchObject({ status: 405 });
  });

  it('survive any input', async () => {
    const deep = `{"certificate": ${'['.repeat(5000)}${']'.repeat(5000)}}`;
    for (const body of [
      '{',
      '[]',
      '"x"',
      'null',
      deep,
      '{"__proto__": {"certificate": "x"}}',
      '\u0000',
      '{"certificate": "\\u0000"}',
    ]) {
      const answer = await server.root('POST', path('odd'), body);
      expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), 400]);
      expect(answer.body.errors).toHaveLength(1);
    }
    const large = await server.root('POST', path('odd'), { certificate: 'x'.repeat(2_000_000) });
    expect(large.status).toBe(413);
    const nul = await server.root('POST', path('nul'), { certificate, display_name: 'a\u0000b' });
    expect(nul.status).toBe(400);
  });
});

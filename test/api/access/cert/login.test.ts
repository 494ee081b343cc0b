import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Authority, createRoot, type Minted, selfSigned } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const REFUSED = { errors: ['failed to match all constraints for this login certificate'] };
const HOUR = 3_600_000;
/** Options of a certificate that has its common name as a DNS SAN too. */
const host = (name: string) => ({ subject: name, dns: [name] });

describe.each(databaseKinds)('login by certificate, on %s', (kind) => {
  let server: TestServer;
  let root: Authority;
  let client: Minted;

  const role = (name: string, settings: Record<string, unknown>) =>
    server.root('POST', `/v1/auth/cert/certs/${name}`, settings);
  const login = (certificate: { pem: string; keyPem: string }, name?: string) =>
    server.call('POST', '/v1/auth/cert/login', { certificate, ...(name !== undefined && { body: { name } }) });

  beforeAll(async () => {
    server = await startTestServer(kind);
    root = createRoot({ subject: 'Client CA' });
    client = root.issue({ subject: 'web-1.example.com', dns: ['web-1.example.com'] });
    const answer = await role('web', {
      certificate: root.pem,
      allowed_common_names: '*.example.com',
      token_policies: ['Deploy', 'deploy', 'audit'],
      token_ttl: '1h',
      token_max_ttl: '2h',
      display_name: 'web servers',
    });
    expect(answer.status).toBe(204);
  });
  afterAll(() => server.stop());

  it('gives a token with the policies, lifetime and metadata of the role', async () => {
    const { status, body } = await login(client, 'web');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: null,
      warnings: null,
      wrap_info: null,
    });
    expect(body.auth).toMatchObject({
      client_token: expect.stringMatching(/^lks\.\w{16}\.\w{32}$/),
      accessor: expect.stringMatching(/^\w{24}$/),
      policies: ['audit', 'default', 'deploy'],
      token_policies: ['audit', 'default', 'deploy'],
      lease_duration: 3600,
      renewable: true,
      token_type: 'service',
      orphan: true,
      num_uses: 0,
    });
    expect(body.auth.metadata).toMatchObject({
      cert_name: 'web',
      common_name: 'web-1.example.com',
      serial_number: String(client.serial),
      subject_key_id: expect.stringMatching(/^([\da-f]{2}:){19}[\da-f]{2}$/),
      authority_key_id: expect.stringMatching(/^([\da-f]{2}:){19}[\da-f]{2}$/),
    });
  });

  it('takes an empty body, any case of the name, and PUT', async () => {
    expect((await login(client)).body.auth.metadata.cert_name).toBe('web');
    expect((await login(client, 'WEB')).body.auth.metadata.cert_name).toBe('web');
    expect((await server.call('PUT', '/v1/auth/cert/login', { certificate: client })).status).toBe(200);
  });

  it('needs a certificate', async () => {
    const { status, body } = await server.call('POST', '/v1/auth/cert/login');
    expect(status).toBe(400);
    expect(body).toEqual({ errors: ['client certificate must be supplied'] });
  });

  it('gives every refused client the same message, for any reason', async () => {
    const stranger = createRoot().issue(host('web-1.example.com'));
    const namesake = createRoot({ subject: 'Client CA' }).issue(host('web-1.example.com'));
    const expired = root.issue({ ...host('a.example.com'), notAfter: new Date(Date.now() - HOUR / 2) });
    const early = root.issue({ ...host('a.example.com'), notBefore: new Date(Date.now() + HOUR) });
    const serverOnly = root.issue({ ...host('a.example.com'), extendedKeyUsage: ['serverAuth'] });
    const otherName = root.issue(host('web-1.example.org'));
    const nameless = root.issue({ subject: [] });
    const critical = root.issue({
      ...host('a.example.com'),
      extensions: [{ oid: '1.2.3.4.5', critical: true, value: Buffer.from([5, 0]) }],
    });
    for (const certificate of [stranger, namesake, expired, early, serverOnly, otherName, nameless, critical]) {
      const { status, body } = await login(certificate, 'web');
      expect([status, body]).toEqual([400, REFUSED]);
    }
    expect((await login(client, 'no-such-role')).body).toEqual(REFUSED);
    expect((await login(client, '../../etc')).body).toEqual(REFUSED);
  });

  it('writes the reasons of a refusal to the log and to the audit entry of the response', async () => {
    const wrong = root.issue(host('web-1.example.org'));
    const { headers } = await login(wrong, 'web');
    const expected = {
      status: 400,
      actor_subject: 'CN=web-1.example.org',
      actor_serial: String(wrong.serial),
      verdicts: [
        {
          role: 'web',
          verdicts: [
            { check: 'dns_sans', outcome: 'passed' },
            { check: 'common_name', outcome: 'passed' },
            {
              check: 'allowed_common_names',
              outcome: 'refused',
              expected: '*.example.com',
              actual: 'web-1.example.org',
            },
          ],
        },
      ],
    };
    const find = (lines: Record<string, unknown>[]) =>
      lines.find(({ request_id: id, type }) => id === headers['x-request-id'] && type !== 'request');
    await expect.poll(() => find(server.logLines())).toMatchObject(expected);
    await expect.poll(() => find(server.auditLines())).toMatchObject(expected);
  });

  it('never writes a token to the log', async () => {
    const { body } = await login(client, 'web');
    const secret = body.auth.client_token.split('.')[2];
    expect(JSON.stringify(server.logLines())).not.toContain(secret);
    expect(JSON.stringify(server.auditLines())).not.toContain(secret);
    expect(JSON.stringify(server.logLines())).not.toContain(server.rootToken);
  });

  it('follows intermediates that the client presents, in any order and with junk among them', async () => {
    const upper = root.issueAuthority({ subject: 'Upper' });
    const lower = upper.issueAuthority({ subject: 'Lower', pathLength: 0 });
    const leaf = lower.issue(host('deep.example.com'));
    const pem = leaf.pem + selfSigned().pem + upper.pem + lower.pem;
    expect((await login({ pem: leaf.pem, keyPem: leaf.keyPem }, 'web')).body).toEqual(REFUSED);
    expect((await login({ pem, keyPem: leaf.keyPem }, 'web')).status).toBe(200);
  });

  it('refuses a chain that is broken at an intermediate', async () => {
    const expired = root.issueAuthority({ subject: 'Expired', notAfter: new Date(Date.now() - HOUR / 2) });
    const noSign = root.issueAuthority({ subject: 'No sign', keyUsage: ['cRLSign'] });
    const sha1 = root.issueAuthority({ subject: 'SHA-1', hash: 'sha1' });
    const short = root.issueAuthority({ subject: 'Short', pathLength: 0 });
    const serverOnly = root.issueAuthority({ subject: 'Server only', extendedKeyUsage: ['serverAuth'] });
    for (const authority of [expired, noSign, sha1, serverOnly]) {
      const leaf = authority.issue(host('a.example.com'));
      expect((await login({ pem: leaf.pem + authority.pem, keyPem: leaf.keyPem }, 'web')).body).toEqual(REFUSED);
    }
    const below = short.issueAuthority({ subject: 'Below' });
    const tooDeep = below.issue(host('a.example.com'));
    expect((await login({ pem: tooDeep.pem + below.pem + short.pem, keyPem: tooDeep.keyPem }, 'web')).body).toEqual(
      REFUSED,
    );
  });

  it('compares every byte of a pinned certificate that is no CA', async () => {
    const pinned = selfSigned({ subject: 'pinned', serial: 7n });
    await role('pinned', { certificate: pinned.pem });
    expect((await login(pinned, 'pinned')).status).toBe(200);
    const sameKey = selfSigned({ subject: 'pinned', serial: 7n, key: pinned.privateKey, dns: ['admin'] });
    const sameNames = selfSigned({ subject: 'pinned', serial: 7n });
    for (const forged of [sameKey, sameNames]) expect((await login(forged, 'pinned')).body).toEqual(REFUSED);
    server.advance(2 * 24 * 3600);
    expect((await login(pinned, 'pinned')).body).toEqual(REFUSED);
    server.advance(-2 * 24 * 3600);
  });

  it('without a name, prefers pinned leaves, then the nearest CA, then the order of names', async () => {
    const ca = createRoot({ subject: 'Ordered CA' });
    const intermediate = ca.issueAuthority({ subject: 'Ordered intermediate' });
    const leaf = intermediate.issue({ subject: 'ordered' });
    const chain = { pem: leaf.pem + intermediate.pem, keyPem: leaf.keyPem };
    await role('a-root', { certificate: ca.pem });
    expect((await login(chain)).body.auth.metadata.cert_name).toBe('a-root');
    await role('z-direct', { certificate: intermediate.pem });
    await role('y-direct', { certificate: intermediate.pem, allowed_uri_sans: 'urn:somebody-else' });
    expect((await login(chain)).body.auth.metadata.cert_name).toBe('z-direct');
    await role('x-direct', { certificate: intermediate.pem });
    expect((await login(chain)).body.auth.metadata.cert_name).toBe('x-direct');
    await role('zz-pinned', { certificate: leaf.pem });
    expect((await login(chain)).body.auth.metadata.cert_name).toBe('zz-pinned');
    await server.root('DELETE', '/v1/auth/cert/certs/zz-pinned');
    expect((await login(chain)).body.auth.metadata.cert_name).toBe('x-direct');
  });

  it('sees a role as it is now, not as it was at the last login', async () => {
    const ca = createRoot({ subject: 'Changing CA' });
    const leaf = ca.issue({ subject: 'changing' });
    await role('changing', { certificate: ca.pem });
    expect((await login(leaf, 'changing')).status).toBe(200);
    await role('changing', { allowed_uri_sans: 'urn:nobody' });
    expect((await login(leaf, 'changing')).body).toEqual(REFUSED);
    await role('changing', { allowed_uri_sans: '' });
    expect((await login(leaf, 'changing')).status).toBe(200);
    await server.root('DELETE', '/v1/auth/cert/certs/changing');
    expect((await login(leaf, 'changing')).body).toEqual(REFUSED);
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['a DNS name', { allowed_dns_sans: 'x,web-*.example.com' }, true],
    ['another DNS name', { allowed_dns_sans: '*.example.org' }, false],
    ['a common name that is no DNS name', { allowed_common_names: 'constrained' }, false],
    ['any name, but the common name is no DNS name', { allowed_names: 'constrained' }, false],
    ['an e-mail address', { allowed_email_sans: '*@example.com' }, true],
    ['another e-mail address', { allowed_email_sans: 'root@*' }, false],
    ['a URI', { allowed_uri_sans: 'spiffe://example.com/*' }, true],
    ['another URI', { allowed_uri_sans: 'spiffe://example.org/*' }, false],
    ['a unit', { allowed_organizational_units: ['sales', 'eng*'] }, true],
    ['another unit', { allowed_organizational_units: 'sales' }, false],
    ['any name', { allowed_names: '*@example.com' }, true],
    ['no such name', { allowed_names: 'spiffe://*' }, false],
    ['an extension', { required_extensions: '1.2.3.4:A UTF8*' }, true],
    ['an extension in hex', { required_extensions: 'hex:1.2.3.4:0C0D4120*' }, true],
    ['another value', { required_extensions: '1.2.3.4:B*' }, false],
    ['all extensions', { required_extensions: '1.2.3.4:*,1.2.3.5:*' }, false],
    ['an empty pattern', { required_extensions: '2.5.29.17:' }, false],
    ['what is no OID', { required_extensions: 'x:*' }, false],
    ['an address', { token_bound_cidrs: ['127.0.0.0/8'] }, true],
    ['another address', { token_bound_cidrs: '10.0.0.0/8' }, false],
    ['two conditions', { allowed_dns_sans: 'web-1.example.com', allowed_email_sans: 'nobody@example.com' }, false],
  ])('holds the certificate to %s', async (_name, constraint, admitted) => {
    const leaf = root.issue({
      subject: [
        ['OU', 'engineering'],
        ['CN', 'constrained'],
      ],
      dns: ['web-1.example.com'],
      emails: ['ops@example.com'],
      uris: ['spiffe://example.com/web'],
      extensions: [{ oid: '1.2.3.4', value: Buffer.from([0x0c, 13, ...Buffer.from('A UTF8 string')]) }],
    });
    await server.root('DELETE', '/v1/auth/cert/certs/constrained');
    expect((await role('constrained', { certificate: root.pem, ...constraint })).status).toBeLessThan(300);
    expect((await login(leaf, 'constrained')).status).toBe(admitted ? 200 : 400);
  });

  it.each<[string, Parameters<Authority['issue']>[0], [strict: number, lax: number]]>([
    ['a common name that is a DNS SAN too', host('web-2.example.com'), [200, 200]],
    ['one in another case', { subject: 'web-2.example.com', dns: ['b', 'WEB-2.Example.com'] }, [200, 200]],
    ['one that is no DNS SAN', { subject: 'web-2.example.com', dns: ['web-3.example.com'] }, [400, 200]],
    ['one without any DNS SAN', { subject: 'web-2.example.com' }, [400, 200]],
    ['one that a wildcard stands for', { subject: 'web-2.example.com', dns: ['*.example.com'] }, [400, 200]],
    ['one that is no name of a host', host('*.example.com'), [400, 200]],
    ['one of a domain further down', host('web-2.lab.example.com'), [200, 200]],
    ['a DNS SAN that is no DNS name', { ...host('web-2.example.com'), dns: ['web-2.example.com', 'a b'] }, [400, 200]],
    ['another common name', host('example.com'), [400, 400]],
  ])('verifies a common name as a DNS name by default: %s', async (_name, options, [strict, lax]) => {
    const leaf = root.issue(options);
    const configure = (body: unknown) => server.root('POST', '/v1/auth/cert/config', body);
    expect((await login(leaf, 'web')).status).toBe(strict);
    expect((await configure({ strict_dns_names: false })).status).toBe(204);
    expect((await login(leaf, 'web')).status).toBe(lax);
    await configure({ strict_dns_names: true });
    expect((await login(leaf, 'web')).status).toBe(strict);
  });

  it.each(['strict', 'lax'])('a * matches any characters, or only those of one label: %s', async (names) => {
    const configure = (body: unknown) => server.root('POST', '/v1/auth/cert/config', body);
    await configure({ strict_dns_names: names === 'strict' });
    const near = root.issue(host('web-2.example.com'));
    const far = root.issue(host('web-2.lab.example.com'));
    await role('stars-dns', { certificate: root.pem, allowed_dns_sans: '*.example.com' });
    await role('stars-any', { certificate: root.pem, allowed_names: '*.example.com' });
    const statuses = async (certificate: Minted) => {
      const answers = ['web', 'stars-dns', 'stars-any'].map((name) => login(certificate, name));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses(far)).toEqual([200, 200, 200]);
    await configure({ strict_dns_patterns: true });
    expect(await statuses(near)).toEqual([200, 200, 200]);
    expect(await statuses(far)).toEqual([400, 400, 400]);
    await configure({ strict_dns_patterns: false, strict_dns_names: true });
    expect(await statuses(far)).toEqual([200, 200, 200]);
  });

  it.each<[string, string, boolean]>([
    ['of one label', 'web', true],
    ['with a wildcard in front', '*.example.com', true],
    ['with underscores', '_sip._tcp.ex_ample.com', true],
    ['in Punycode', 'xn--bcher-kva.example', true],
    ['of 63 characters in a label', `${'a'.repeat(63)}.example.com`, true],
    ['of 64 characters in a label', `${'a'.repeat(64)}.example.com`, false],
    ['with a final dot', 'web.example.com.', false],
    ['with an empty label', 'web..example.com', false],
    ['of no text', '', false],
    ['that is an address', '10.0.0.1', false],
    ['with a wildcard inside', 'web.*.com', false],
    ['with a wildcard in a label', 'w*.example.com', false],
    ['that is a wildcard alone', '*', false],
    ['with a blank', 'web example.com', false],
    ['that is a URI', 'https://web.example.com', false],
  ])('verifies each DNS SAN, also for a role that constrains none: one %s', async (_name, san, admitted) => {
    const leaf = root.issue({ subject: 'any name', dns: ['good.example.com', san] });
    await role('unconstrained', { certificate: root.pem });
    expect((await login(leaf, 'unconstrained')).status).toBe(admitted ? 200 : 400);
    const explained = await server.root('POST', '/v1/auth/cert/login/explain', { certificate: leaf.pem });
    const { paths } = explained.body.data.roles.find((one: { role: string }) => one.role === 'unconstrained');
    expect(paths[0].verdicts).toContainEqual(
      admitted
        ? expect.objectContaining({ check: 'dns_sans', outcome: 'passed' })
        : {
            check: 'dns_sans',
            outcome: 'refused',
            expected: 'DNS SANs that are all well-formed DNS names',
            actual: JSON.stringify(san),
            hint: expect.stringContaining('strict_dns_names'),
          },
    );
    await server.root('POST', '/v1/auth/cert/config', { strict_dns_names: false });
    expect((await login(leaf, 'unconstrained')).status).toBe(200);
    await server.root('POST', '/v1/auth/cert/config', { strict_dns_names: true });
  });

  it('adds the extensions that the role allows to the metadata', async () => {
    const leaf = root.issue({
      subject: 'extended',
      extensions: [{ oid: '1.2.3.4', value: Buffer.from([0x0c, 2, 0x68, 0x69]) }],
    });
    await role('extended', { certificate: root.pem, allowed_metadata_extensions: '1.2.3.4,1.2.3.5,not-an-oid' });
    const { metadata } = (await login(leaf, 'extended')).body.auth;
    expect(metadata['1-2-3-4']).toBe('hi');
    expect(metadata).not.toHaveProperty('1-2-3-5');
  });
});

describe('signatures over SHA-1', () => {
  it.each([false, true])('are accepted only if the operator allows it, with a loud warning: %s', async (allowSha1) => {
    const server = await startTestServer('sqlite', { allowSha1 });
    const ca = createRoot();
    await server.root('POST', '/v1/auth/cert/certs/old', { certificate: ca.pem });
    const certificate = ca.issue({ hash: 'sha1' });
    expect((await server.call('POST', '/v1/auth/cert/login', { certificate })).status).toBe(allowSha1 ? 200 : 400);
    expect(server.logLines().some(({ msg }) => /allow_sha1_signatures/.test(String(msg)))).toBe(allowSha1);
    await server.stop();
  });
});

it('a certificate without a common name logs in, and its entity still gets a name', async () => {
  const server = await startTestServer('sqlite');
  const ca = createRoot();
  await server.root('POST', '/v1/auth/cert/certs/spiffe', { certificate: ca.pem });
  const certificate = ca.issue({ subject: [], uris: ['spiffe://example.com/web'], dns: ['web.example.com'] });
  const explain = async () =>
    (await server.root('POST', '/v1/auth/cert/login/explain', { certificate: certificate.pem })).body.data.alias_name;
  expect((await server.call('POST', '/v1/auth/cert/login', { certificate })).status).toBe(200);
  expect(await explain()).toBe('spiffe://example.com/web');
  await server.root('POST', '/v1/auth/cert/config', { alias_source: 'dns_san' });
  expect(await explain()).toBe('web.example.com');
  await server.root('POST', '/v1/auth/cert/config', { alias_source: 'fingerprint' });
  expect(await explain()).toMatch(/^[\da-f]{64}$/);
  expect((await server.root('POST', '/v1/auth/cert/config', { alias_source: 'dream' })).status).toBe(400);
  await server.stop();
});

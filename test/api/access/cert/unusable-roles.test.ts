import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot, directoryName, dnsName, OID, selfSigned } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const DAY = 24 * 3_600_000;

describe.each(databaseKinds)('a certificate role that no client can log in with, on %s', (kind) => {
  let server: TestServer;
  let count = 0;

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  const call = (path: string, body: object) => server.root('POST', `/v1/auth/cert/${path}`, body);
  /** Returns the warnings of a new role. */
  const warningsOf = async (certificate: string, settings: object = {}) => {
    const { status, body } = await call(`certs/r${count++}`, { certificate, ...settings });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return (body?.warnings ?? []) as string[];
  };
  const login = (certificate: { pem: string; keyPem: string }, name: string) =>
    server.call('POST', '/v1/auth/cert/login', { certificate, body: { name } });

  it('is saved without a warning where it can', async () => {
    const ca = createRoot({ subject: 'Good CA', permitted: [dnsName('corp.example')] });
    expect(await warningsOf(ca.pem, { allowed_dns_sans: '*.corp.example' })).toEqual([]);
    expect(await warningsOf(ca.pem)).toEqual([]);
    expect(await warningsOf(selfSigned({ subject: 'pinned' }).pem)).toEqual([]);
  });

  it('for its CA has expired, is not valid yet, may not sign, or is for other purposes', async () => {
    const now = server.now();
    for (const [options, check] of [
      [{ notBefore: new Date(now - 9 * DAY), notAfter: new Date(now - DAY) }, 'validity'],
      [{ notBefore: new Date(now + DAY), notAfter: new Date(now + 9 * DAY) }, 'validity'],
      [{ keyUsage: ['cRLSign'] }, 'key-usage'],
      [{ extendedKeyUsage: ['serverAuth'] }, 'extended-key-usage'],
    ] as const) {
      expect(await warningsOf(createRoot({ subject: 'CA', ...options }).pem)).toContainEqual(
        expect.stringMatching(new RegExp(`^certificate "CN=CA" cannot be used for a login \\(${check}\\): expected `)),
      );
    }
  });

  it.each([
    ['of version 1', { version: 1 as const }, 'it has version 1, which has no basic constraints'],
    [
      'without basic constraints',
      { extensions: [], keyUsage: [], extendedKeyUsage: [] },
      'it is self-signed and has no basic constraints',
    ],
    ['that may sign', { keyUsage: ['keyCertSign' as const] }, 'its key usage has keyCertSign'],
  ])('because its CA certificate is unusable: one %s', async (_, options, reason) => {
    const warnings = await warningsOf(selfSigned({ subject: 'Old CA', ...options }).pem);
    expect(warnings).toContainEqual(expect.stringContaining(`certificate "CN=Old CA" is not a CA: ${reason}`));
    expect(warnings.join()).toContain('Only this certificate itself can log in');
  });

  it('for a certificate that is not a CA comes first', async () => {
    const ca = createRoot({ subject: 'CA behind' });
    const leaf = ca.issue({ subject: 'leaf' });
    expect(await warningsOf(leaf.pem + ca.pem)).toContainEqual(
      expect.stringMatching(/is not a CA, and it is the first of 2: only this certificate itself can log in/),
    );
  });

  it('for the names that it allows are not those that its CA may issue for', async () => {
    const ca = createRoot({ subject: 'Corp', permitted: [dnsName('corp.example')] });
    const expected =
      'no login can succeed, because the name constraints of "CN=Corp" allow no name that a pattern matches';
    for (const pattern of ['*.other.example', 'web.other.example', 'corp.example.org']) {
      expect(await warningsOf(ca.pem, { allowed_dns_sans: pattern })).toContainEqual(expect.stringContaining(expected));
    }
    for (const pattern of ['*', '*.example', 'web.corp.example', ['web.other.example', '*.corp.example']]) {
      expect(await warningsOf(ca.pem, { allowed_dns_sans: pattern })).toEqual([]);
    }
    const many = (count: number) =>
      createRoot({
        subject: 'Many',
        permitted: Array.from({ length: count }, (_, i) => dnsName(`zone${i}.example`)),
        excluded: [dnsName('example')],
      }).pem;
    const few = await warningsOf(many(20), { allowed_dns_sans: '*' });
    expect(few).toEqual([expect.stringContaining('the name constraints of "CN=Many" allow no name')]);
    // A write skips the comparison of thousands of names with hundreds of constraints, because it would take too
    // long.
    expect(await warningsOf(many(400), { allowed_dns_sans: '*' })).toEqual([]);
    expect(await warningsOf(many(1_100), { allowed_dns_sans: 'a' })).toEqual([]);
    const nothing = createRoot({ subject: 'Nothing', excluded: [dnsName('')] });
    expect(await warningsOf(nothing.pem, { allowed_dns_sans: '*' })).toEqual([
      expect.stringContaining('exclude every DNS name'),
      expect.stringContaining('no login can succeed'),
    ]);
    const nobody = createRoot({ subject: 'Nobody', excluded: [directoryName([])] });
    expect(await warningsOf(nobody.pem)).toEqual([expect.stringContaining('exclude every subject')]);
  });

  it('because its CA is on a stored CRL', async () => {
    const root = createRoot({ subject: 'Root of lists' });
    const intermediate = root.issueAuthority({ subject: 'Revoked CA' });
    await call('certs/root-of-lists', { certificate: root.pem });
    await call('crls/root', { crl: root.crl({ revoked: [intermediate.serial] }).pem });
    expect(await warningsOf(intermediate.pem)).toContainEqual(
      expect.stringMatching(/^certificate "CN=Revoked CA" cannot be used for a login \(crl\): .*revoked on/),
    );
    await server.root('DELETE', '/v1/auth/cert/crls/root');
  });

  it('because a CRL of the old key of its CA is still stored, as the login says too', async () => {
    const old = createRoot({ subject: 'Renewed CA' });
    // Without key identifiers, only the name identifies the issuer of a CRL.
    const next = createRoot({ subject: 'Renewed CA', without: [OID.subjectKeyIdentifier] });
    const client = next.issue({ subject: 'client' });
    await call('certs/renewed', { certificate: old.pem });
    await call('crls/renewed', { crl: old.crl().pem });
    const { body } = await call('certs/renewed', { certificate: next.pem });
    expect(body.warnings).toContainEqual(
      expect.stringMatching(
        /^certificate "CN=Renewed CA" cannot be used for a login \(crl\): .*the CRL cannot be used/,
      ),
    );
    await server.root('POST', '/v1/auth/cert/config', { strict_dns_names: false });
    expect((await login(client, 'renewed')).status).toBe(400);
    await server.root('DELETE', '/v1/auth/cert/crls/renewed');
    expect((await login(client, 'renewed')).status).toBe(200);
  });

  it('once a list is written that revokes its CA, or is out of date and must not be', async () => {
    const root = createRoot({ subject: 'Listing root' });
    const intermediate = root.issueAuthority({ subject: 'Listed CA' });
    await call('certs/listing', { certificate: root.pem });
    await call('certs/listed', { certificate: intermediate.pem });
    const revoking = await call('crls/listing', { crl: root.crl({ revoked: [intermediate.serial] }).pem });
    expect(revoking.body.warnings).toEqual([
      expect.stringMatching(/^no login succeeds through "CN=Listed CA", which a role trusts: revoked on/),
    ]);
    expect((await call('crls/listing', { crl: root.crl().pem })).status).toBe(204);
    const now = server.now();
    const stale = { thisUpdate: new Date(now - 9 * DAY), nextUpdate: new Date(now - DAY) };
    const crl = root.crl(stale).pem;
    const { body } = await call('crls/listing', { crl, on_stale: 'refuse' });
    expect(body.warnings).toEqual([
      expect.stringContaining('every certificate of its issuer is refused'),
      expect.stringMatching(
        /^no login succeeds through "CN=List(ing root|ed CA)", which a role trusts: the CRL is out of date$/,
      ),
      expect.stringMatching(
        /^no login succeeds through "CN=List(ing root|ed CA)", which a role trusts: the CRL is out of date$/,
      ),
    ]);
  });

  it('or that contains more than it should has a warning', async () => {
    const ca = createRoot({ subject: 'CA' });
    const warnings = await warningsOf(`${ca.pem}${ca.keyPem}${ca.crl().pem}`);
    expect(warnings).toEqual([
      expect.stringMatching(/a private key starts at line \d+\. It is stored with the role/),
      expect.stringMatching(/the block "X509 CRL" \(line \d+\) is not used/),
    ]);
    expect(await warningsOf(`${ca.pem}${ca.pem.replace('-----BEGIN', '----BEGIN')}`)).toEqual([
      expect.stringContaining('only 1 of 2 blocks could be read'),
    ]);
  });
});

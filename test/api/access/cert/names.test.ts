import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as der from '../../../../src/pki/der.ts';
import { otherName } from '../../../../src/pki/names.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type Authority, type CertificateOptions, createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const UPN = '1.3.6.1.4.1.311.20.2.3';
const KERBEROS = '1.3.6.1.5.2.2';
const upn = (text: string) => otherName(UPN, der.utf8String(text));
const other = (...otherNames: readonly Uint8Array[]): CertificateOptions => ({ subject: 'a', otherNames });

describe.each(databaseKinds)('names in certificates that roles constrain, on %s', (kind) => {
  let server: TestServer;
  let root: Authority;

  const write = (settings: Record<string, unknown>) =>
    server.root('POST', '/v1/auth/cert/certs/web', { certificate: root.pem, ...settings });
  const login = async (options: CertificateOptions) =>
    (await server.call('POST', '/v1/auth/cert/login', { certificate: root.issue(options) })).status;
  const fresh = async (settings: Record<string, unknown>) => {
    await server.root('DELETE', '/v1/auth/cert/certs/web');
    const { status, body } = await write(settings);
    expect([settings, body?.errors, status]).toEqual([settings, undefined, expect.any(Number)]);
  };
  const verdict = async (options: CertificateOptions, check: string) => {
    const certificate = root.issue(options).pem;
    const { body } = await server.root('POST', '/v1/auth/cert/login/explain', { certificate });
    const { verdicts } = body.data.roles[0].paths[0];
    return { ...verdicts.find((one: { check: string }) => one.check === check), first: body.data.certificates[0] };
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
    root = createRoot({ subject: 'Names' });
  });
  afterAll(() => server.stop());

  it('compare DNS names and hosts without case', async () => {
    await fresh({ allowed_dns_sans: '*.Example.com' });
    expect(await login({ dns: ['WEB.eXAMPLE.com'] })).toBe(200);
    await fresh({ allowed_uri_sans: 'spiffe://Example.org/Web' });
    expect(await login({ uris: ['SPIFFE://EXAMPLE.org/Web'] })).toBe(200);
    expect(await login({ uris: ['spiffe://example.org/web'] })).toBe(400);
    await fresh({ allowed_email_sans: 'Jane@Example.com' });
    expect(await login({ emails: ['Jane@example.COM'] })).toBe(200);
    expect(await login({ emails: ['jane@example.com'] })).toBe(400);
  });

  it('include other names by type: the user principal name, or any OID, also in hex', async () => {
    await fresh({ allowed_other_sans: ['UPN:*@Corp.example', `${KERBEROS}:host/*`, `hex:${KERBEROS}:3003*ff`] });
    for (const [options, status] of [
      [other(upn('jane@CORP.example')), 200],
      [other(upn('jane@corp.example.org')), 400],
      [other(otherName(KERBEROS, der.utf8String('jane@corp.example'))), 400],
      [other(otherName(KERBEROS, der.ia5String('host/web'))), 200],
      [other(otherName(KERBEROS, der.sequence(der.boolean(true)))), 200],
      [other(otherName(KERBEROS, der.sequence(der.boolean(false)))), 400],
      [other(otherName(UPN, der.sequence(der.boolean(true)))), 400],
      [other(upn('x'), otherName('1.2.3', der.nullValue()), upn('jane@corp.example')), 200],
      [{ subject: 'jane@corp.example', emails: ['jane@corp.example'] }, 400],
      [{ subject: 'a' }, 400],
    ] as const) {
      expect([options, await login(options)]).toEqual([options, status]);
    }
    expect(await verdict(other(upn('b'), otherName('1.2.3', der.nullValue())), 'allowed_other_sans')).toMatchObject({
      outcome: 'refused',
      actual: 'UPN:b, hex:1.2.3:0500',
      hint: expect.stringContaining('otherName'),
      first: { other_sans: ['UPN:b', 'hex:1.2.3:0500'] },
    });
    const { body } = await server.root('GET', '/v1/auth/cert/certs/web');
    expect(body.data.allowed_other_sans[0]).toBe('UPN:*@Corp.example');
  });

  it('read other names of any ASN.1, or refuse the certificate, and never fail', async () => {
    await fresh({ allowed_other_sans: 'UPN:a*' });
    const deep = Array.from({ length: 40 }).reduce<Buffer>((inner) => der.sequence(inner), der.nullValue());
    for (const value of [
      der.nullValue(),
      der.integer(7),
      deep,
      der.bitString(Buffer.from('a')),
      der.utf8String(''),
      Buffer.from('0c0261ff', 'hex'),
      Buffer.from('0c01ff', 'hex'),
      Buffer.from('1e03610061', 'hex'),
      Buffer.from('1c0400110000', 'hex'),
      Buffer.from('2c030c0161', 'hex'),
      Buffer.from('1f8101', 'hex'),
      Buffer.from('0c80', 'hex'),
      Buffer.from('0c8101', 'hex'),
      Buffer.from('0c0161'.repeat(2), 'hex'),
      Buffer.alloc(0),
    ]) {
      expect([value.toString('hex'), await login(other(otherName(UPN, value)))]).toEqual([value.toString('hex'), 400]);
    }
    for (const value of [der.utf8String('ab'), der.printableString('ab'), Buffer.from('1e0400610062', 'hex')]) {
      expect(await login(other(otherName(UPN, value)))).toBe(200);
    }
    expect(await login(other(upn('a\u0000b')))).toBe(200);
    expect(await login(other(upn(`a${'b'.repeat(40_000)}`)))).toBe(200);
  });

  it('are bounded: 10,000 names, and patterns with many stars over long names', async () => {
    const stars = Array.from({ length: 500 }, (_, i) => `UPN:${'*a'.repeat(20)}*${i}`);
    await fresh({ allowed_other_sans: stars, allowed_ip_sans: ['10.0.0.0/8'] });
    expect(await login(other(upn('a'.repeat(40_000))))).toBe(400);
    expect(await login({ otherNames: Array.from({ length: 700 }, () => upn('a'.repeat(60))) })).toBe(400);
    expect(await login({ ips: Array.from({ length: 1500 }, (_, i) => `11.0.${i >> 8}.${i & 255}`) })).toBe(400);
    for (const options of [
      { ips: Array.from({ length: 10_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`) },
      { otherNames: Array.from({ length: 2049 }, () => upn('a')) },
    ]) {
      const refused = server.call('POST', '/v1/auth/cert/login', { certificate: root.issue(options) });
      expect(await refused.then(({ status }) => status).catch(() => 400)).toBe(400);
    }
    expect((await server.call('GET', '/v1/sys/health')).status).toBe(200);
    await fresh({ allowed_other_sans: Array.from({ length: 900 }, (_, i) => `1.2.${i}:a*`).join() });
    expect(
      await login({ otherNames: Array.from({ length: 1500 }, (_, i) => otherName(`1.3.${i}`, der.utf8String('a'))) }),
    ).toBe(400);
    expect(await login(other(otherName('1.2.899', der.utf8String('ab'))))).toBe(200);
  });

  it('include IP addresses, in blocks of their own family', async () => {
    await fresh({ allowed_ip_sans: ['10.1.0.0/16', '192.0.2.7', '2001:DB8::/32'] });
    for (const [ip, status] of [
      ['10.1.2.3', 200],
      ['10.2.0.1', 400],
      ['192.0.2.7', 200],
      ['192.0.2.8', 400],
      ['2001:db8::1', 200],
      ['2001:db9::1', 400],
      ['::ffff:a01:203', 400],
    ] as const) {
      expect([ip, await login({ subject: 'a', ips: [ip] })]).toEqual([ip, status]);
    }
    expect(await login({ subject: '10.1.2.3', dns: ['a.example'] })).toBe(400);
    expect(await login({ ips: ['10.2.0.1', '10.1.0.1'] })).toBe(200);
    expect(await verdict({ ips: ['10.2.0.1'] }, 'allowed_ip_sans')).toMatchObject({
      actual: '10.2.0.1',
      first: { ip_sans: ['10.2.0.1'] },
    });
  });

  it('include any attribute of the subject: each named one must match one of its patterns', async () => {
    await fresh({
      allowed_subject_attributes: ['uid=svc-*', 'UID=root', 'organizationName=Acme', '2.5.4.5=4*', 'DC=Example'],
    });
    const whole = { UID: 'svc-1', O: 'Acme', '2.5.4.5': '42', DC: 'eXample' };
    const subject = (changes: Record<string, string>) =>
      Object.entries({ ...whole, ...changes }).filter(([, value]) => value !== '') as [string, string][];
    expect(await login({ subject: subject({}) })).toBe(200);
    expect(await login({ subject: subject({ UID: 'root' }) })).toBe(200);
    for (const [name, value] of [
      ['UID', 'svc'],
      ['UID', ''],
      ['O', 'acme'],
      ['O', 'Acme Ltd'],
      ['2.5.4.5', '7'],
      ['2.5.4.5', ''],
      ['DC', 'com'],
    ] as const) {
      expect([name, value, await login({ subject: subject({ [name]: value }) })]).toEqual([name, value, 400]);
    }
    expect(await login({ subject: [...subject({ UID: 'no' }), ['UID', 'svc-2']] })).toBe(200);
    expect(await login({ subject: subject({ O: '' }).concat([['OU', 'Acme']]) })).toBe(400);
    expect(await verdict({ subject: [['O', 'x']] }, 'allowed_subject_attributes')).toMatchObject({
      expected: 'UID=svc-*, UID=root',
      actual: 'no UID',
    });
    await fresh({ allowed_organizations: ['Ac*'] });
    expect(await login({ subject: [['O', 'Acme']] })).toBe(200);
    expect(await login({ subject: [['O', 'Other']] })).toBe(400);
  });

  it.each([
    [{ allowed_other_sans: ['UPN'] }],
    [{ allowed_other_sans: ['UPN:'] }],
    [{ allowed_other_sans: ['3.1:a'] }],
    [{ allowed_other_sans: [`1.2.${'9'.repeat(300)}:a`] }],
    [{ allowed_other_sans: ['hex:1.2.3:xyz'] }],
    [{ allowed_other_sans: [':a'] }],
    [{ allowed_ip_sans: ['10.0.0.0/33'] }],
    [{ allowed_ip_sans: ['10.0.0'] }],
    [{ allowed_ip_sans: ['fe80::1%eth0'] }],
    [{ allowed_ip_sans: ['*'] }],
    [{ allowed_subject_attributes: ['UID'] }],
    [{ allowed_subject_attributes: ['UID='] }],
    [{ allowed_subject_attributes: ['nickname=a'] }],
    [{ allowed_subject_attributes: ['=a'] }],
    [{ allowed_subject_attributes: [{}] }],
    [{ allowed_subject_attributes: Array.from({ length: 33 }, (_, i) => `1.2.${i}=a`) }],
  ])('%j is refused, and nothing is stored', async (settings) => {
    await fresh({ display_name: 'before' });
    const { status, body } = await write({ ...settings, display_name: 'after' });
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining(Object.keys(settings)[0] as string)]);
    expect((await server.root('GET', '/v1/auth/cert/certs/web')).body.data.display_name).toBe('before');
  });

  it('are part of a warning if a pinned certificate can never match', async () => {
    await fresh({});
    const { body } = await server.root('POST', '/v1/auth/cert/certs/web', {
      certificate: root.issue({ ips: ['10.0.0.1'] }).pem,
      allowed_ip_sans: '192.0.2.0/24',
    });
    expect(body.warnings.join()).toContain('allowed_ip_sans can never match the pinned certificate');
  });
});

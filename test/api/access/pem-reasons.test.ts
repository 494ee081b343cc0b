import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { createRoot } from '../../support/pki.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const ca = createRoot({ subject: 'CA' });
const base64 = (der: Buffer) => der.toString('base64');
const block = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${base64(der).replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

/** Forms that OpenSSL makes of a certificate. */
function openssl() {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-forms-'));
  try {
    const [certificate, key] = [join(folder, 'ca.pem'), join(folder, 'ca.key')];
    writeFileSync(certificate, ca.pem);
    writeFileSync(key, ca.keyPem);
    const run = (...args: string[]) => execFileSync('openssl', args);
    return {
      pkcs7: run('crl2pkcs7', '-nocrl', '-certfile', certificate, '-outform', 'DER'),
      request: run('req', '-new', '-key', key, '-subj', '/CN=x', '-outform', 'DER'),
      pkcs12: run('pkcs12', '-export', '-in', certificate, '-inkey', key, '-passout', 'pass:x'),
      readable: run('x509', '-in', certificate, '-noout', '-text').toString(),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each(databaseKinds)('input that cannot be parsed as PEM, on %s', (kind) => {
  let server: TestServer;
  const forms = openssl();

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
  });
  afterAll(() => server.stop());

  const refusal = async (path: string, body: object) => {
    const { status, body: answer } = await server.root('POST', path, body);
    expect(status, JSON.stringify(answer)).toBe(400);
    return answer.errors[0] as string;
  };
  const ofRole = (certificate: string) => refusal('/v1/auth/cert/certs/r', { certificate });

  it.each<[string, string, RegExp]>([
    ['empty', '', /empty/],
    ['in PKCS#7', block('PKCS7', forms.pkcs7), /a PEM block "PKCS7": PKCS#7 \(p7b\): convert it with `openssl pkcs7/],
    ['a request', block('CERTIFICATE REQUEST', forms.request), /a certificate request \(CSR\)/],
    ['a CRL', ca.crl().pem, /a PEM block "X509 CRL": a CRL: send it to crls/],
    ['under another label', block('X509 CERTIFICATE', ca.der), /its first and last line have to say CERTIFICATE/],
    [
      'one with settings of OpenSSL',
      block('TRUSTED CERTIFICATE', Buffer.concat([ca.der, Buffer.from('3000', 'hex')])),
      /it has OpenSSL trust settings behind the certificate/,
    ],
    ['a private key', ca.keyPem, /a PEM block "PRIVATE KEY": a private key: keep it private/],
    ['base64 of it', base64(ca.der), /the base64 of a certificate without its first and last line/],
    ['base64 of a request', base64(forms.request), /base64 without the lines of PEM: a certificate request/],
    ['base64 of PKCS#7', base64(forms.pkcs7), /base64 without the lines of PEM: PKCS#7/],
    ['base64 of PKCS#12', base64(forms.pkcs12), /base64 without the lines of PEM: PKCS#12 .*which holds a private key/],
    ['without real lines', ca.pem.replaceAll('\n', '\\n'), /line breaks are the two characters \\n/],
    ['a page', '<!DOCTYPE html><html></html>', /an HTML or XML page/],
    ['the readable form', forms.readable, /`openssl x509 -text` prints/],
    ['the name of a file', '/etc/ssl/ca.pem', /a file name: send the content of the file/],
    ['a URL', 'https://pki.example.com/ca.pem', /a URL: send the content of the file at the URL/],
    ['JSON', JSON.stringify({ data: { certificate: ca.pem } }), /JSON|two characters/],
    ['with other dashes', ca.pem.replace('-----BEGIN', '\u2014BEGIN'), /dashes/],
    ['an SSH key', 'ssh-ed25519 AAAAC3Nza', /an SSH key/],
    ['in DER', ca.der.toString('latin1').replaceAll('\0', '\u0001'), /no PEM|binary/],
  ])('a certificate that is %s gets an error that names the reason', async (_, certificate, reason) => {
    const text = await ofRole(certificate);
    expect(text).toMatch(/^failed to parse certificate: /);
    expect(text).toMatch(reason);
    expect((await server.root('GET', '/v1/auth/cert/certs/r')).status).toBe(404);
  });

  it('names which of many blocks it is, and where', async () => {
    const broken = block('CERTIFICATE', ca.der.subarray(0, -3));
    const text = await ofRole(`# two\n${ca.pem}${broken}${ca.pem}`);
    const line = `# two\n${ca.pem}`.split('\n').length;
    expect(text).toMatch(new RegExp(`^failed to parse certificate: block 2 of 3 \\(line ${line}\\) cannot be read: `));
    expect(await ofRole(`${ca.pem}${ca.pem.replace('MII', '!II')}`)).toContain('block 2 of 2');
    expect(await ofRole(block('CERTIFICATE', forms.pkcs7))).toMatch(/block 1 of 1 .*it holds PKCS#7/);
    expect(await ofRole(ca.pem.replace('-----END CERTIFICATE-----', ''))).toBe(
      'failed to parse certificate: block 1 of 1 (line 1) cannot be read: it has no END line: the text was cut off',
    );
  });

  it('names the likely encoding of a text with NUL', async () => {
    const utf16 = [...ca.pem].join('\0');
    expect(await ofRole(`${utf16}\0`)).toMatch(
      /a string cannot contain a NUL character: it is in UTF-16: save it as UTF-8/,
    );
    expect(await ofRole('0\u0082\u0001\0\0')).toMatch(/a string cannot contain a NUL character: it is binary/);
    expect(await ofRole('PK\u0003\u0004\0\0\u0001')).toMatch(/a string cannot contain a NUL character: it is binary/);
    expect(await ofRole(`${ca.pem}\0`)).toMatch(/it is PEM with NUL characters: remove them/);
    expect(await ofRole(`${ca.pem.repeat(20)}\0`)).toMatch(/it is PEM with NUL characters/);
  });

  it('gives the same message for every field that takes PEM', async () => {
    const request = block('CERTIFICATE REQUEST', forms.request);
    const reason = /a PEM block "CERTIFICATE REQUEST": a certificate request \(CSR\)/;
    expect(await refusal('/v1/auth/cert/crls/c', { crl: request })).toMatch(/^failed to parse CRL: /);
    expect(await refusal('/v1/auth/cert/crls/c', { crl: request })).toMatch(reason);
    const list = ca.crl().pem;
    for (const [crl, why] of [
      [list.replaceAll('\n', '\\n'), /line breaks are the two characters \\n/],
      [list.replaceAll('X509 CRL', 'CRL'), /a PEM block "CRL": its first and last line have to say X509 CRL/],
      [`${list}\0`, /a string cannot contain a NUL character: it is PEM with NUL characters/],
      [[...list].join('\0'), /a string cannot contain a NUL character: it is in UTF-16/],
    ] as const) {
      expect(await refusal('/v1/auth/cert/crls/c', { crl })).toMatch(why);
    }
    expect(await refusal('/v1/auth/cert/crls/c', { crl: '<html>' })).toMatch(/an HTML or XML page/);
    expect(await refusal('/v1/auth/cert/login/explain', { certificate: request })).toMatch(reason);
    const jwt = (body: object) => refusal('/v1/auth/jwt/config', { skip_jwks_validation: true, ...body });
    const url = 'https://issuer.example/keys';
    expect(await jwt({ jwks_url: url, jwks_ca_pem: request })).toMatch(/^error checking jwks_ca_pem: /);
    expect(await jwt({ jwks_url: url, jwks_ca_pem: request })).toMatch(reason);
    expect(await jwt({ oidc_discovery_url: url, oidc_discovery_ca_pem: request })).toMatch(
      /^error checking oidc_discovery_ca_pem: .*CSR/,
    );
    const key = (text: string) => jwt({ jwt_validation_pubkeys: [text] });
    expect(await key(ca.pem.replaceAll('\n', '\\n'))).toMatch(/Ed25519; its line breaks are the two characters \\n/);
    expect(await key(ca.pem.slice(0, 100))).toMatch(/Ed25519; it has no END line: the text was cut off/);
    expect(await jwt({ jwt_validation_pubkeys: [ca.pem, request] })).toMatch(
      /^error parsing public key: entry 2 of jwt_validation_pubkeys: .*CSR/,
    );
    const { body } = await server.root('POST', '/v1/auth/cert/certs/responders', {
      certificate: ca.pem,
      ocsp_ca_certificates: request,
    });
    expect(body.warnings).toContainEqual(expect.stringMatching(reason));
  });

  it('still starts with the words that clients look for', async () => {
    expect(await ofRole('x')).toMatch(/^failed to parse certificate/);
    expect(await refusal('/v1/auth/cert/crls/c', { crl: 'x' })).toMatch(/^failed to parse CRL: /);
  });
});

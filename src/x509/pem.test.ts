import { describe, expect, test } from 'vitest';
import { pem } from '../pki/der.ts';
import { createRoot } from '../pki/index.ts';
import { Certificate } from './certificate/certificate.ts';
import { ParseError } from './parse-error.ts';
import { certificatesInPem, eachCertificateInPem, pemBlocks } from './pem.ts';

const root = createRoot();
const bytes = Buffer.from('some bytes that are not a certificate');

describe('PEM', () => {
  test('returns the certificates of a text in their order', () => {
    const other = createRoot({ subject: 'Other' });
    const certificates = certificatesInPem(root.pem + other.pem).map((der) => Certificate.parse(der));
    expect(certificates.map((certificate) => certificate.commonName)).toEqual(['Test Root', 'Other']);
  });

  test('may have text around it, other blocks, carriage returns and spaces', () => {
    const text = `subject=Test\n${root.pem.replaceAll('\n', '\r\n')}\n${pem('PRIVATE KEY', bytes)} ${root.pem.replaceAll('\n', ' \n ')}the end`;
    expect(certificatesInPem(text)).toEqual([root.der, root.der]);
  });

  test("may have OpenSSL's label for trusted certificates", () => {
    expect(certificatesInPem(pem('TRUSTED CERTIFICATE', root.der))).toEqual([root.der]);
  });

  test('returns only CRLs if asked for them', () => {
    const crl = root.crl();
    expect(pemBlocks(root.pem + crl.pem, ['X509 CRL'], 10_000)).toEqual([crl.der]);
  });

  test('may be empty', () => {
    expect(certificatesInPem('')).toEqual([]);
    expect(certificatesInPem('no PEM here')).toEqual([]);
    expect(certificatesInPem('-----BEGIN ')).toEqual([]);
  });

  test.each([
    ['without an end', root.pem.replace(/-----END.*/s, '')],
    ['with another end', root.pem.replace('END CERTIFICATE', 'END X509 CRL')],
    ['within a block', root.pem.replace('\n', '\n-----BEGIN CERTIFICATE-----\n')],
    ['with headers', root.pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n')],
    ['with characters that are not base64', root.pem.replace('\nM', '\n!M')],
    ['with base64url', pem('CERTIFICATE', Buffer.from('fbff', 'hex')).replace('+', '-')],
    ['without its padding', pem('CERTIFICATE', Buffer.from('a')).replace('=', '')],
    ['with padding within', pem('CERTIFICATE', Buffer.from('a')).replace('\n-----END', 'YQ==\n-----END')],
  ])('is refused %s', (_, text) => {
    expect(() => certificatesInPem(text)).toThrow(ParseError);
  });

  test('is refused above a thousand blocks or the requested length', () => {
    expect(certificatesInPem(pem('CERTIFICATE', bytes).repeat(1000))).toHaveLength(1000);
    expect(() => certificatesInPem(pem('CERTIFICATE', bytes).repeat(1001))).toThrow('more than 1000 PEM blocks');
    expect(() => pemBlocks('x'.repeat(11), ['X509 CRL'], 10)).toThrow('more than 10 characters');
    expect(() => certificatesInPem(`${root.pem}${'-----BEGIN '.repeat(1000)}`)).toThrow('more than 1000 PEM blocks');
  });

  test('is read block by block: later blocks are not parsed before they are requested', () => {
    const blocks = eachCertificateInPem(`${root.pem}-----BEGIN CERTIFICATE-----\n!`);
    expect(blocks.next().value).toEqual(root.der);
    expect(() => blocks.next()).toThrow(ParseError);
  });
});

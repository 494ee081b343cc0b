import { describe, expect, test } from 'vitest';
import { type Authority, type AuthorityOptions, createRoot, type KeyType } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { CrlParser } from './parser.ts';
import { CrlSignatureCheck } from './signature-check.ts';

/** Verifies a CRL with an issuer, in pieces of 10 bytes. */
function faultOf(bytes: Buffer, issuer: Authority, allowSha1 = false): Promise<string | undefined> {
  const parser = new CrlParser(() => {});
  parser.write(bytes);
  const check = new CrlSignatureCheck(parser.end(), Certificate.parse(issuer.der), { allowSha1 });
  for (let start = 0; start < bytes.length; start += 10) check.update(bytes.subarray(start, start + 10));
  return check.end();
}

const KEYS: KeyType[] = ['P-256', 'P-384', 'P-521', 'RSA-2048', 'Ed25519', 'Ed448'];

describe('the signature of a CRL', () => {
  test.each(KEYS)('is verified with a key of type %s, and only with that key', async (key) => {
    const root = createRoot({ key });
    const { der } = root.crl({ revoked: [1n] });
    expect(await faultOf(der, root)).toBeUndefined();
    expect(await faultOf(der, createRoot({ key }))).toBe('the signature was not made by the key of its issuer');
    expect(await faultOf(der, createRoot({ key: key === 'P-256' ? 'P-384' : 'P-256' }))).toBeDefined();
  });

  test('may use RSASSA-PSS', async () => {
    const root = createRoot({ key: 'RSA-2048' });
    const pss: object = { pss: true };
    expect(await faultOf(root.crl({ ...pss }).der, root)).toBeUndefined();
    expect(await faultOf(root.crl({ ...pss }).der, createRoot({ key: 'RSA-2048' }))).toBeDefined();
  });

  test('covers everything except itself and its algorithm', async () => {
    const root = createRoot();
    const { der } = root.crl({ revoked: [1n], number: 5n });
    const changed = Buffer.from(der);
    const at = changed.indexOf(Buffer.from('020101', 'hex'), 40);
    changed[at + 2] = 2;
    expect(await faultOf(changed, root)).toBeDefined();
  });

  test('is not accepted over SHA-1, unless the rules allow it', async () => {
    const root = createRoot({ key: 'RSA-2048' });
    const { der } = root.crl({ hash: 'sha1' });
    expect(await faultOf(der, root)).toContain('sha1WithRSAEncryption');
    expect(await faultOf(der, root, true)).toBeUndefined();
  });

  test('is not accepted from a key for other purposes, or from a small key', async () => {
    const options: [AuthorityOptions, string][] = [
      [{ keyUsage: ['keyCertSign'] }, 'the key of its issuer may not sign CRLs'],
      [{ key: 'RSA-1024' }, 'RSA key of 1024 bits'],
    ];
    for (const [option, fault] of options) {
      const root = createRoot(option);
      expect(await faultOf(root.crl().der, root)).toBe(fault);
    }
  });

  test('is accepted from a CA without a key usage', async () => {
    const root = createRoot({ keyUsage: [] });
    expect(await faultOf(root.crl().der, root)).toBeUndefined();
  });
});

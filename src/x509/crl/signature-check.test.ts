import { describe, expect, test } from 'vitest';
import { type Authority, type AuthorityOptions, createRoot, type KeyType } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { CrlParser } from './parser.ts';
import { CrlSignatureCheck } from './signature-check.ts';

/** Checks a list against an issuer, over pieces of 10 bytes. */
function faultOf(bytes: Buffer, issuer: Authority, allowSha1 = false): Promise<string | undefined> {
  const parser = new CrlParser(() => {});
  parser.write(bytes);
  const check = new CrlSignatureCheck(parser.end(), Certificate.parse(issuer.der), { allowSha1 });
  for (let start = 0; start < bytes.length; start += 10) check.update(bytes.subarray(start, start + 10));
  return check.end();
}

const KEYS: KeyType[] = ['P-256', 'P-384', 'P-521', 'RSA-2048', 'Ed25519', 'Ed448'];

describe('the signature of a list', () => {
  test.each(KEYS)('is verified with a key of type %s, and with that key alone', async (key) => {
    const root = createRoot({ key });
    const { der } = root.crl({ revoked: [1n] });
    expect(await faultOf(der, root)).toBeUndefined();
    expect(await faultOf(der, createRoot({ key }))).toBe('its signature is not by the key of its issuer');
    expect(await faultOf(der, createRoot({ key: key === 'P-256' ? 'P-384' : 'P-256' }))).toBeDefined();
  });

  test('may be of the RSASSA-PSS sort', async () => {
    const root = createRoot({ key: 'RSA-2048' });
    const pss: object = { pss: true };
    expect(await faultOf(root.crl({ ...pss }).der, root)).toBeUndefined();
    expect(await faultOf(root.crl({ ...pss }).der, createRoot({ key: 'RSA-2048' }))).toBeDefined();
  });

  test('covers everything but itself and its algorithm', async () => {
    const root = createRoot();
    const { der } = root.crl({ revoked: [1n], number: 5n });
    const changed = Buffer.from(der);
    const at = changed.indexOf(Buffer.from('020101', 'hex'), 40);
    changed[at + 2] = 2;
    expect(await faultOf(changed, root)).toBeDefined();
  });

  test('is not taken over SHA-1, unless the rules say so', async () => {
    const root = createRoot({ key: 'RSA-2048' });
    const { der } = root.crl({ hash: 'sha1' });
    expect(await faultOf(der, root)).toContain('sha1WithRSAEncryption');
    expect(await faultOf(der, root, true)).toBeUndefined();
  });

  test('is not taken by a key that is for other things, or too small', async () => {
    const options: [AuthorityOptions, string][] = [
      [{ keyUsage: ['keyCertSign'] }, 'the key of its issuer is not for signing lists'],
      [{ key: 'RSA-1024' }, 'RSA key of 1024 bits'],
    ];
    for (const [option, fault] of options) {
      const root = createRoot(option);
      expect(await faultOf(root.crl().der, root)).toBe(fault);
    }
  });

  test('is taken by an authority that names no usage of its key', async () => {
    const root = createRoot({ keyUsage: [] });
    expect(await faultOf(root.crl().der, root)).toBeUndefined();
  });
});

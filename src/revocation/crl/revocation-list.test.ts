import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { type Authority, type CrlOptions, createRoot, type Minted, OID } from '../../pki/index.ts';
import { Certificate } from '../../x509/index.ts';
import { readList } from './read-list.ts';
import { RevocationList } from './revocation-list.ts';

const MINUTE = 60_000;
const root = createRoot({ subject: 'CA' });
const certificate = ({ der: bytes }: Minted): Certificate => Certificate.parse(bytes);

/** Loads a CRL and counts how often its content is read. */
async function load(authority: Authority, options: CrlOptions = {}) {
  const bytes = authority.crl(options).der;
  const asked = { times: 0, content: bytes };
  async function* content(): AsyncGenerator<Uint8Array> {
    asked.times++;
    yield asked.content;
  }
  const list = new RevocationList(await readList(content()), content, { allowSha1: false });
  asked.times = 0;
  return { list, asked };
}

describe('a CRL', () => {
  test('is verified once for each issuer', async () => {
    const { list, asked } = await load(root);
    const [issuer, other] = [certificate(root), certificate(createRoot({ subject: 'CA' }))];
    const faults = await Promise.all([issuer, issuer, other, other].map((one) => list.signatureFault(one)));
    expect(faults).toEqual([undefined, undefined, expect.any(String), expect.any(String)]);
    expect(await list.signatureFault(certificate(root))).toBeUndefined();
    expect(asked.times).toBe(2);
    expect(list.checkedIssuers).toHaveLength(2);
  });

  test('does not report missing content as a bad signature', async () => {
    const { list, asked } = await load(root);
    const { content } = asked;
    asked.content = content.subarray(0, 100);
    await expect(list.signatureFault(certificate(root))).rejects.toThrow('is missing');
    asked.content = content;
    expect(await list.signatureFault(certificate(root))).toBeUndefined();
  });

  test('is distinguished from CRLs of other names and keys', async () => {
    const { list } = await load(root);
    const sameKey = createRoot({ subject: 'ca', key: root.privateKey });
    const withoutKeyId = createRoot({ subject: 'CA', without: [OID.subjectKeyIdentifier] });
    expect(list.isIssuedInNameOf(certificate(root))).toBe(true);
    expect(list.isIssuedInNameOf(certificate(sameKey))).toBe(true);
    expect(list.isIssuedInNameOf(certificate(withoutKeyId))).toBe(true);
    expect(list.isIssuedInNameOf(certificate(createRoot({ subject: 'CA' })))).toBe(false);
    expect(list.isIssuedInNameOf(certificate(createRoot({ subject: 'B', key: root.privateKey })))).toBe(false);
    expect(list.isIssuedInNameOfIssuerOf(certificate(root.issue()))).toBe(true);
    expect(list.isIssuedInNameOfIssuerOf(certificate(createRoot({ subject: 'CA' }).issue()))).toBe(false);
  });

  test('covers only its kind of certificates', async () => {
    const [leaf, authority] = [root.issue(), root.issueAuthority()];
    const point = (member: number) => {
      const value = der.sequence(der.primitive(member, Buffer.from([0xff])));
      return { revoked: [leaf.serial, authority.serial], extensions: [{ oid: '2.5.29.28', critical: true, value }] };
    };
    const revoked = async (options: CrlOptions) => {
      const { list } = await load(root, options);
      return [leaf, authority].map((one) => list.revocationOf(certificate(one)) !== undefined);
    };
    expect(await revoked({ revoked: [leaf.serial, authority.serial] })).toEqual([true, true]);
    expect(await revoked(point(1))).toEqual([true, false]);
    expect(await revoked(point(2))).toEqual([false, true]);
  });

  test('is current from shortly before its date to its next update', async () => {
    const options = { thisUpdate: new Date(100 * MINUTE), nextUpdate: new Date(200 * MINUTE) };
    const { list } = await load(root, options);
    const current = [94, 95, 150, 200, 201].map((minute) => list.isCurrent(minute * MINUTE));
    expect(current).toEqual([false, true, true, true, false]);
    expect((await load(root, { ...options, nextUpdate: null })).list.isCurrent(1000 * MINUTE)).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { createRoot, generateKey } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { type AnchorCertificate, AnchorSet } from './anchors.ts';
import { validate } from './validate.ts';

const root = createRoot();
const parsed = Certificate.parse(root.der);
const other = Certificate.parse(createRoot({ subject: 'Other' }).der);

describe('a set of anchors', () => {
  test('keeps a certificate once, with all its owners', () => {
    const anchors = new AnchorSet([
      [parsed, 'a'],
      [other, 'a'],
      [Certificate.parse(root.der), 'b'],
    ]);
    expect(anchors.size).toBe(2);
    const anchor = anchors.get(Certificate.parse(root.der));
    expect(anchor?.certificate).toBe(parsed);
    expect(anchor?.owners).toEqual(['a', 'b']);
    expect(anchors.get(other)?.owners).toEqual(['a']);
  });

  test('finds anchors by their subject, however it is encoded', () => {
    const namesake = Certificate.parse(createRoot({ subject: ' TEST  root' }).der);
    const anchors = AnchorSet.fromCertificates([parsed, namesake, other]);
    expect(anchors.named(parsed.subject).map((anchor) => anchor.certificate)).toEqual([parsed, namesake]);
    expect(anchors.named(Certificate.parse(root.issue().der).subject)).toEqual([]);
  });

  test('parses no certificate before a path leads to it', () => {
    const read: string[] = [];
    const kept = ({ fingerprint, subject, subjectKeyId }: Certificate, der: Uint8Array): AnchorCertificate => ({
      fingerprint,
      subjectKey: subject.key,
      subjectKeyId,
      get certificate() {
        read.push(fingerprint);
        return Certificate.parse(der);
      },
    });
    const anchors = new AnchorSet([
      [kept(parsed, root.der), 'a'],
      [kept(other, other.der), 'b'],
    ]);
    expect(anchors.get(other)?.owners).toEqual(['b']);
    expect(anchors.named(parsed.subject)).toHaveLength(1);
    expect(read).toEqual([]);
    const { path } = validate(Certificate.parse(root.issue().der), { anchors, time: Date.now() });
    expect(path?.anchor.owners).toEqual(['a']);
    expect(read).toContain(parsed.fingerprint);
    expect(read).not.toContain(other.fingerprint);
  });

  test('does not confuse certificates with the same name, key and serial number', () => {
    const key = generateKey();
    const twins = [1, 2].map(() =>
      Certificate.parse(createRoot({ key, serial: 1n, notAfter: new Date('2040-01-01') }).der),
    );
    const [one, two] = twins as [Certificate, Certificate];
    expect(one.equals(two)).toBe(false);
    expect(AnchorSet.fromCertificates([one]).get(two)).toBeUndefined();
  });
});

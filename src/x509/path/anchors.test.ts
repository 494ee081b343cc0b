import { describe, expect, test } from 'vitest';
import { createRoot, generateKey } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { AnchorSet } from './anchors.ts';

const root = createRoot();
const parsed = Certificate.parse(root.der);
const other = Certificate.parse(createRoot({ subject: 'Other' }).der);

describe('a set of anchors', () => {
  test('keeps a certificate once, with all who trust it', () => {
    const anchors = new AnchorSet([
      [parsed, 'a'],
      [other, 'a'],
      [Certificate.parse(root.der), 'b'],
    ]);
    expect(anchors.size).toBe(2);
    expect(anchors.get(Certificate.parse(root.der))).toEqual({ certificate: parsed, owners: ['a', 'b'] });
    expect(anchors.get(other)?.owners).toEqual(['a']);
  });

  test('finds anchors by their subject, however it is written', () => {
    const namesake = Certificate.parse(createRoot({ subject: ' TEST  root' }).der);
    const anchors = AnchorSet.of([parsed, namesake, other]);
    expect(anchors.named(parsed.subject).map((anchor) => anchor.certificate)).toEqual([parsed, namesake]);
    expect(anchors.named(Certificate.parse(root.issue().der).subject)).toEqual([]);
  });

  test('does not take a certificate for another with the same name, key and serial number', () => {
    const key = generateKey();
    const twins = [1, 2].map(() =>
      Certificate.parse(createRoot({ key, serial: 1n, notAfter: new Date('2040-01-01') }).der),
    );
    const [one, two] = twins as [Certificate, Certificate];
    expect(one.equals(two)).toBe(false);
    expect(AnchorSet.of([one]).get(two)).toBeUndefined();
  });
});

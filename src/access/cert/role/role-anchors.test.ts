import { describe, expect, test } from 'vitest';
import { runAtOnce } from '../../../lib/slices.ts';
import { createRoot, generateKey } from '../../../pki/index.ts';
import { Certificate } from '../../../x509/index.ts';
import { RoleAnchors } from './role-anchors.ts';

const key = generateKey();
const root = createRoot({ key, subject: 'Root' });
const leaf = root.issue({ key, subject: 'device' });
const UNREADABLE = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';
const read = (anchors: RoleAnchors, pem: string) => runAtOnce(anchors.read(pem)).certificates;

describe('role anchors', () => {
  test('are the certificates of the PEM, with their search keys', () => {
    const [anchor, ...others] = runAtOnce(new RoleAnchors().read(root.pem)).certificates;
    const certificate = Certificate.parse(root.der);
    expect(others).toEqual([]);
    expect(anchor?.certificate.equals(certificate)).toBe(true);
    expect(anchor).toMatchObject({
      fingerprint: certificate.fingerprint,
      subjectKey: certificate.subject.key,
      subjectKeyId: certificate.subjectKeyId,
    });
  });

  test('are only the first certificate if it is a leaf', () => {
    const anchors = new RoleAnchors();
    expect(read(anchors, leaf.pem + root.pem)).toHaveLength(1);
    expect(read(anchors, root.pem + leaf.pem)).toHaveLength(2);
    expect(read(anchors, '')).toEqual([]);
  });

  test('are the certificates that can be parsed; faults name the others', () => {
    const anchors = new RoleAnchors();
    const other = createRoot({ key, subject: 'Other' });
    const all = runAtOnce(anchors.read(root.pem + UNREADABLE + other.pem));
    expect(all.certificates.map(({ fingerprint }) => fingerprint)).toEqual(
      [root, other].map(({ der }) => Certificate.parse(der).fingerprint),
    );
    expect(all.faults).toEqual([expect.stringMatching(/^certificate 2 of the role cannot be parsed: /)]);
  });

  test('are empty if the first certificate cannot be parsed, so that a pinned leaf never makes the others trusted', () => {
    const anchors = new RoleAnchors();
    const { certificates, faults } = runAtOnce(anchors.read(UNREADABLE + root.pem));
    expect([certificates, faults]).toEqual([[], [expect.stringMatching(/^certificate 1 /)]]);
    expect(runAtOnce(anchors.read(`${root.pem}-----BEGIN CERTIFICATE-----`)).certificates).toEqual([]);
  });

  test('are stored once for all roles, and stay parsed', () => {
    const anchors = new RoleAnchors();
    const [one] = read(anchors, root.pem);
    const [other] = read(anchors, `another text\n${root.pem}`);
    expect(other).toBe(one);
    expect(other?.certificate).toBe(one?.certificate);
  });

  test('are removed when no role contains them any more', () => {
    const anchors = new RoleAnchors();
    const [used] = read(anchors, root.pem);
    const gone = createRoot({ key, subject: 'Gone' });
    const [unused] = read(anchors, gone.pem);
    if (unused) anchors.forget(unused);
    expect(read(anchors, root.pem)[0]).toBe(used);
    expect(read(anchors, gone.pem)[0]).not.toBe(unused);
  });

  test('report expiries: expired, expiring soon, and the next expiry', () => {
    const anchors = new RoleAnchors();
    const DAY = 24 * 3_600_000;
    const now = Date.now();
    const endings = () => runAtOnce(anchors.expiries(now, now + 30 * DAY));
    expect(endings()).toEqual({ count: 0, ended: 0, ending: 0, next: Number.POSITIVE_INFINITY });
    const [soon] = [-DAY, 10 * DAY, 90 * DAY].map((ends) => {
      const notAfter = new Date(now + ends);
      const { pem } = createRoot({ key, subject: `Ends ${ends}`, notBefore: new Date(now - 400 * DAY), notAfter });
      return read(anchors, pem)[0];
    });
    const next = Math.floor((now + 10 * DAY) / 1000) * 1000;
    expect(endings()).toEqual({ count: 3, ended: 1, ending: 1, next });
    if (soon) anchors.forget(soon);
    expect(endings()).toMatchObject({ count: 2, ended: 0 });
  });

  test('are parsed again from their bytes, regardless of the cache and of their size', () => {
    const anchors = new RoleAnchors();
    const roots = Array.from({ length: 1100 }, (_, i) =>
      createRoot({ key, subject: `Root ${i} ${'of a long name '.repeat(i % 50 === 0 ? 200 : 1)}` }),
    );
    const all = roots.map(({ pem }) => read(anchors, pem)[0]);
    const [first] = all.map((anchor) => anchor?.certificate);
    expect(all[0]?.certificate).not.toBe(first);
    for (const [i, anchor] of all.entries()) {
      expect(anchor?.certificate.der.equals(roots[i]?.der ?? Buffer.alloc(0))).toBe(true);
    }
  });
});

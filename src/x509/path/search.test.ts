import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { type Authority, createRoot, dnsName, generateKey, type Minted, OID, selfSigned } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { AnchorSet } from './anchors.ts';
import type { PathOptions } from './options.ts';
import { searchPaths, validPaths } from './search.ts';
import { validate } from './validate.ts';
import type { Verdict } from './verdict.ts';

const key = generateKey();
const time = Date.now();
const parse = (minted: Minted) => Certificate.parse(minted.der);
const expired = { notBefore: new Date(time - 10_000_000), notAfter: new Date(time - 5_000_000) };

interface Search extends Omit<Partial<PathOptions>, 'anchors' | 'intermediates'> {
  readonly anchors: readonly Minted[];
  readonly intermediates?: readonly Minted[];
}

/** Returns every path as its common names, and every refusal. */
function search(leaf: Minted, { anchors, intermediates = [], ...options }: Search) {
  const refusals: Verdict[] = [];
  const paths = validPaths(parse(leaf), {
    anchors: AnchorSet.fromCertificates(anchors.map(parse)),
    intermediates: intermediates.map(parse),
    time,
    onReject: (verdict) => refusals.push(verdict),
    ...options,
  });
  const names = [...paths].map((path) => path.certificates.map((certificate) => certificate.commonName).join(' < '));
  return { paths: names, refusals };
}

test('a search runs in steps of one signature check each', () => {
  const authority = () => createRoot({ subject: 'A', without: [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier] });
  const others = Array.from({ length: 9 }, authority);
  const leaf = authority().issue({ subject: 'leaf', without: [OID.authorityKeyIdentifier] });
  const steps = searchPaths(parse(leaf), {
    anchors: AnchorSet.fromCertificates([]),
    intermediates: others.map(parse),
    time,
  });
  expect([...steps]).toEqual(others.map(() => undefined));
});

describe('paths', () => {
  test('lead from the leaf through presented intermediates in any order to an anchor', () => {
    const root = createRoot({ subject: 'R' });
    const upper = root.issueAuthority({ subject: 'U' });
    const lower = upper.issueAuthority({ subject: 'L' });
    const leaf = lower.issue({ subject: 'leaf' });
    const stray = createRoot({ subject: 'stray' });
    const { paths } = search(leaf, { anchors: [root], intermediates: [stray, root, upper, leaf, lower, upper] });
    expect(paths).toEqual(['leaf < L < U < R']);
  });

  test('end at every anchor on the way, the nearest first', () => {
    const root = createRoot({ subject: 'R' });
    const upper = root.issueAuthority({ subject: 'U' });
    const lower = upper.issueAuthority({ subject: 'L' });
    const { paths } = search(lower.issue({ subject: 'leaf' }), {
      anchors: [root, upper, lower],
      intermediates: [lower, upper],
    });
    expect(paths).toEqual(['leaf < L', 'leaf < L < U', 'leaf < L < U < R']);
  });

  test('end at an intermediate that is an anchor, whose own issuer is unknown', () => {
    const intermediate = createRoot().issueAuthority({ subject: 'I' });
    expect(search(intermediate.issue({ subject: 'leaf' }), { anchors: [intermediate] }).paths).toEqual(['leaf < I']);
  });

  test('are the leaf alone if it is an anchor, byte for byte', () => {
    const pinned = selfSigned({ key, subject: 'pinned', serial: 1n });
    const twin = selfSigned({ key, subject: 'pinned', serial: 1n });
    expect(search(pinned, { anchors: [pinned] }).paths).toEqual(['pinned']);
    expect(search(twin, { anchors: [pinned] }).paths).toEqual([]);
  });

  test('continue from a leaf that is an anchor', () => {
    const root = createRoot({ subject: 'R' });
    const authority = root.issueAuthority({ subject: 'A' });
    expect(search(authority, { anchors: [authority, root] }).paths).toEqual(['A', 'A < R']);
  });

  test('do not lead through a pinned leaf, because it is not a CA', () => {
    const pinned = selfSigned({ key, subject: 'pinned' });
    const forged = createRoot({ key, subject: 'pinned' }).issue({ subject: 'forged' });
    expect(search(forged, { anchors: [pinned] }).refusals[0]).toMatchObject({
      check: 'basic-constraints',
      certificate: { index: 1 },
    });
  });

  test('name the owner of their anchor', () => {
    const root = createRoot();
    const anchors = new AnchorSet([
      [parse(root), 'role a'],
      [parse(root), 'role b'],
    ]);
    const { path } = validate(parse(root.issue()), { anchors, time });
    expect(path?.anchor.owners).toEqual(['role a', 'role b']);
  });
});

describe('alternatives', () => {
  const root = createRoot({ subject: 'R' });

  test('are all found: cross-signed CAs', () => {
    const other = createRoot({ subject: 'R2' });
    const authority = root.issueAuthority({ subject: 'A' });
    const cross = other.crossSign(authority);
    const { paths } = search(authority.issue({ subject: 'leaf' }), {
      anchors: [root, other],
      intermediates: [authority, cross],
    });
    expect(paths).toEqual(['leaf < A < R', 'leaf < A < R2']);
  });

  test('are tried after one that has expired', () => {
    const authority = root.issueAuthority({ subject: 'A', ...expired });
    const renewed = root.crossSign(authority);
    const { paths, refusals } = search(authority.issue({ subject: 'leaf' }), {
      anchors: [root],
      intermediates: [authority, renewed],
    });
    expect(paths).toEqual(['leaf < A < R']);
    expect(refusals[0]?.check).toBe('validity');
  });

  test('are tried after one that leads nowhere', () => {
    const authority = createRoot({ subject: 'gone' }).issueAuthority({ subject: 'A' });
    const cross = root.crossSign(authority);
    const { paths, refusals } = search(authority.issue({ subject: 'leaf' }), {
      anchors: [root],
      intermediates: [authority, cross],
    });
    expect(paths).toEqual(['leaf < A < R']);
    expect(refusals[0]).toMatchObject({
      check: 'trust-anchor',
      expected: 'a trust anchor or a presented certificate named "CN=gone"',
    });
  });

  test('are tried after one whose constraints refuse the leaf', () => {
    const authority = root.issueAuthority({ subject: 'A', permitted: [dnsName('example.org')] });
    const open = root.crossSign(authority);
    const leaf = authority.issue({ subject: 'leaf', dns: ['a.example.com'] });
    const { paths, refusals } = search(leaf, { anchors: [root], intermediates: [authority, open] });
    expect(paths).toEqual(['leaf < A < R']);
    expect(refusals[0]).toMatchObject({
      check: 'name-constraints',
      certificate: { index: 0 },
      expected: 'within dns:example.org, as "CN=A" demands',
      actual: 'dns:a.example.com',
    });
  });

  test('include several keys under one name, without any key identifier', () => {
    const without = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier];
    const namesakes = Array.from({ length: 5 }, () => createRoot({ subject: 'same', without }));
    const leaf = (namesakes.at(-1) as Authority).issue({ subject: 'leaf', without });
    expect(search(leaf, { anchors: namesakes }).paths).toEqual(['leaf < same']);
  });

  test('start with the key that the leaf names', () => {
    const namesakes = Array.from({ length: 200 }, () => createRoot({ subject: 'same' }));
    const leaf = (namesakes.at(-1) as Authority).issue({ subject: 'leaf' });
    const [first] = validPaths(parse(leaf), { anchors: AnchorSet.fromCertificates(namesakes.map(parse)), time });
    expect(first?.certificates).toHaveLength(2);
  });

  test('have no loops that return to the same CA', () => {
    const authority = root.issueAuthority({ subject: 'A' });
    const partner = authority.issueAuthority({ subject: 'B' });
    const back = partner.crossSign(authority);
    const leaf = authority.issue({ subject: 'leaf' });
    expect(search(leaf, { anchors: [root], intermediates: [back, partner, authority] }).paths).toEqual([
      'leaf < A < R',
    ]);
  });

  test('start at a leaf that a CA issued to itself for the same key', () => {
    const authority = root.issueAuthority({ subject: 'A' });
    const leaf = authority.issue({ subject: authority.subject, key: authority.privateKey });
    expect(search(leaf, { anchors: [root], intermediates: [authority] }).paths).toEqual(['A < A < R']);
  });

  test('are searched only as far as the caller asks', () => {
    const leaf = root.issue();
    let asked = 0;
    const intermediates = () => {
      asked += 1;
      return [];
    };
    const paths = validPaths(parse(leaf), { anchors: AnchorSet.fromCertificates([parse(root)]), intermediates, time });
    expect(paths.next().done).toBe(false);
    expect(asked).toBe(0);
    expect(paths.next().done).toBe(true);
    expect(asked).toBe(1);
  });
});

describe('constraints on names', () => {
  const root = createRoot({ subject: 'R', permitted: [dnsName('example.com')] });

  test('of the anchor apply to the leaf and to intermediates', () => {
    const good = root.issueAuthority({ subject: 'A', dns: ['a.example.com'] });
    const bad = root.issueAuthority({ subject: 'A', dns: ['a.example.org'] });
    expect(search(good.issue({ dns: ['example.com'] }), { anchors: [root], intermediates: [good] }).paths).toHaveLength(
      1,
    );
    expect(search(good.issue({ dns: ['example.org'] }), { anchors: [root], intermediates: [good] }).paths).toEqual([]);
    const { refusals } = search(bad.issue({ dns: ['example.com'] }), { anchors: [root], intermediates: [bad] });
    expect(refusals[0]).toMatchObject({ check: 'name-constraints', certificate: { index: 1, subject: 'CN=A' } });
  });

  test('do not apply to self-issued intermediates, but to self-issued leaves', () => {
    const rollover = root.issueAuthority({ subject: 'R', dns: ['a.example.org'] });
    expect(
      search(rollover.issue({ dns: ['example.com'] }), { anchors: [root], intermediates: [rollover] }).paths,
    ).toHaveLength(1);
    expect(search(rollover, { anchors: [root] }).paths).toEqual([]);
  });

  test('can only be narrowed further down', () => {
    const wider = root.issueAuthority({ subject: 'A', permitted: [dnsName('org')] });
    expect(search(wider.issue({ dns: ['example.org'] }), { anchors: [root], intermediates: [wider] }).paths).toEqual(
      [],
    );
    expect(search(wider.issue({ dns: ['example.com'] }), { anchors: [root], intermediates: [wider] }).paths).toEqual(
      [],
    );
  });

  test('of the leaf itself have no effect', () => {
    const authority = root.issueAuthority({ subject: 'A', dns: ['a.example.com'], excluded: [dnsName('example.com')] });
    expect(search(authority, { anchors: [root] }).paths).toEqual(['A < R']);
  });
});

describe('a search ends', () => {
  const root = createRoot({ subject: 'R' });
  const unreachable = createRoot({ subject: 'elsewhere' });

  /** CAs that all sign each other: a huge number of paths, none of which leads to an anchor. */
  function mesh(size: number): { authorities: Authority[]; certificates: Authority[] } {
    const authorities = Array.from({ length: size }, (_, i) => createRoot({ subject: `M${i}` }));
    const certificates = authorities.flatMap((issuer) =>
      authorities.filter((other) => other !== issuer).map((other) => issuer.crossSign(other)),
    );
    return { authorities, certificates };
  }

  test('in a circle of two', () => {
    const [one, two] = [createRoot({ subject: 'one' }), createRoot({ subject: 'two' })];
    const circle = [two.crossSign(one), one.crossSign(two)];
    expect(search(one.issue(), { anchors: [root], intermediates: circle }).paths).toEqual([]);
  });

  test('in a circle of one CA with two keys', () => {
    const [old, renewed] = [createRoot({ subject: 'same' }), createRoot({ subject: 'same' })];
    const circle = [old.crossSign(renewed), renewed.crossSign(old)];
    expect(search(old.issue(), { anchors: [root], intermediates: circle }).paths).toEqual([]);
  });

  test('in a mesh, after a limited number of candidates', () => {
    const { authorities, certificates } = mesh(10);
    const { paths, refusals } = search((authorities[0] as Authority).issue(), {
      anchors: [root],
      intermediates: certificates,
    });
    expect(paths).toEqual([]);
    expect(refusals).toHaveLength(100);
    expect(refusals.at(-1)).toMatchObject({ check: 'work-limit' });
  });

  test('after 64 signature checks', () => {
    const without = [OID.authorityKeyIdentifier, OID.subjectKeyIdentifier];
    const namesakes = Array.from({ length: 70 }, () => createRoot({ subject: 'R', without }));
    const leaf = (namesakes.at(-1) as Authority).issue({ without });
    const { paths, refusals } = search(leaf, { anchors: namesakes });
    expect(paths).toEqual([]);
    expect(refusals).toHaveLength(65);
    expect(refusals.at(-1)).toMatchObject({
      check: 'work-limit',
      expected: 'at most 64 signature checks in one search',
    });
  });

  test('after 1000 candidates, even if none is worth a signature check', () => {
    const namesakes = Array.from({ length: 1001 }, () => createRoot({ subject: 'R', key, ...expired }));
    const { refusals } = search(root.issue(), { anchors: namesakes });
    expect(refusals.at(-1)).toMatchObject({
      check: 'work-limit',
      expected: 'at most 1000 candidate issuers in one search',
    });
  });

  test('before comparisons of names become too expensive', () => {
    const texts = Array.from({ length: 700 }, (_, i) => `${i}.example.com`);
    const constrained = createRoot({ permitted: texts.map(dnsName) });
    const { paths, refusals } = search(constrained.issue({ dns: texts }), { anchors: [constrained] });
    expect(paths).toEqual([]);
    expect(refusals).toMatchObject([
      { check: 'work-limit', expected: 'at most 200000 comparisons of names with constraints in one search' },
    ]);
  });

  test('at eight CAs, or the limit of the caller', () => {
    const chain = [root];
    for (let i = 0; i < 9; i++) chain.push((chain.at(-1) as Authority).issueAuthority({ subject: `A${i}` }));
    const under = (depth: number, maxIntermediates?: number) =>
      search((chain[depth] as Authority).issue({ subject: 'leaf' }), {
        anchors: [root],
        intermediates: chain.slice(1),
        ...(maxIntermediates === undefined ? {} : { maxIntermediates }),
      });
    expect(under(8).paths).toHaveLength(1);
    expect(under(9).paths).toEqual([]);
    expect(under(9).refusals.at(-1)?.check).toBe('path-length');
    expect(under(9, 9).paths).toHaveLength(1);
    expect(under(0, 0).paths).toHaveLength(1);
    expect(under(1, 0).paths).toEqual([]);
  });

  test('at sixteen certificates, even if self-issued ones are not counted', () => {
    const chain = [root];
    for (let i = 0; i < 15; i++) chain.push((chain.at(-1) as Authority).issueAuthority({ subject: 'R' }));
    const under = (depth: number) =>
      search((chain[depth] as Authority).issue({ subject: 'leaf' }), {
        anchors: [root],
        intermediates: chain.slice(1),
      });
    expect(under(14).paths).toHaveLength(1);
    expect(under(15).paths).toEqual([]);
  });

  test('without looking at more than a hundred presented certificates', () => {
    const authority = root.issueAuthority({ subject: 'A' });
    const leaf = authority.issue();
    const presented = (count: number) => Array.from({ length: count }, () => authority);
    expect(search(leaf, { anchors: [root], intermediates: presented(100) }).paths).toHaveLength(1);
    const { paths, refusals } = search(leaf, { anchors: [root], intermediates: presented(101) });
    expect(paths).toEqual([]);
    expect(refusals[0]).toMatchObject({ check: 'work-limit', actual: '101' });
  });

  test('with at most a hundred reasons, one of them reserved for the end', () => {
    const namesakes = Array.from({ length: 120 }, () => createRoot({ subject: 'R', ...expired }));
    expect(search(root.issue(), { anchors: namesakes }).refusals).toHaveLength(99);
  });

  test('if no issuer is known', () => {
    const { refusals } = search(unreachable.issue({ subject: 'leaf' }), { anchors: [root] });
    expect(refusals).toMatchObject([
      { check: 'trust-anchor', certificate: { index: 0, subject: 'CN=leaf' }, actual: 'none' },
    ]);
  });
});

test('an issuer with an unusable key signs nothing', () => {
  const point = der.bitString(Buffer.alloc(65, 4));
  const algorithm = der.sequence(der.oid('1.2.840.10045.2.1'), der.oid('1.2.840.10045.3.1.7'));
  const root = createRoot({ replace: { subjectPublicKeyInfo: der.sequence(algorithm, point) } });
  expect(search(root.issue(), { anchors: [root] }).refusals[0]?.check).toBe('signature');
});

import { beforeAll, describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import {
  type Authority,
  type AuthorityOptions,
  type CertificateOptions,
  createRoot,
  generateKey,
  OID,
  selfSigned,
} from '../../pki/index.ts';
import { oidFromDotted } from '../asn1/oid.ts';
import { Certificate } from '../certificate/certificate.ts';
import { AnchorSet } from './anchors.ts';
import { KeyPurpose } from './key-usage.ts';
import type { PathOptions } from './options.ts';
import { type Decision, validate } from './validate.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const SECOND = 1000;
const DAY = 86_400_000;
const valid = { notBefore: new Date(NOW - DAY), notAfter: new Date(NOW + DAY) };
const key = generateKey();

/** A modulus of 1024 bits. */
const WEAK_KEY = der.sequence(
  der.sequence(der.oid('1.2.840.113549.1.1.1'), der.nullValue()),
  der.bitString(der.sequence(der.integer(2n ** 1023n + 1n), der.integer(65_537))),
);

interface Chain {
  readonly root?: AuthorityOptions;
  /** Undefined if the root issues the leaf. */
  readonly intermediate?: AuthorityOptions;
  readonly leaf?: CertificateOptions;
}

type Options = Omit<Partial<PathOptions>, 'anchors' | 'intermediates'>;

/** Validates root → intermediate → leaf, all valid except for the options. */
function decide(chain: Chain, options: Options = {}): Decision {
  const root = createRoot({ key, ...valid, ...chain.root });
  const intermediate = chain.intermediate && root.issueAuthority({ key, ...valid, ...chain.intermediate });
  const leaf = (intermediate ?? root).issue({ key, ...valid, subject: 'device-1', ...chain.leaf });
  const intermediates = intermediate === undefined ? [] : [Certificate.parse(intermediate.der)];
  const anchors = AnchorSet.fromCertificates([Certificate.parse(root.der)]);
  return validate(Certificate.parse(leaf.der), { anchors, intermediates, time: NOW, ...options });
}

const accepted = (chain: Chain, options?: Options) => {
  const { path, refusals } = decide(chain, options);
  expect(refusals).toEqual([]);
  expect(path?.certificates).toHaveLength(chain.intermediate === undefined ? 2 : 3);
};

const refused = (check: string, index: number, chain: Chain, options?: Options) => {
  const { path, refusals } = decide(chain, options);
  expect(path).toBeUndefined();
  expect(refusals[0]).toMatchObject({ check, outcome: 'refused', certificate: { index } });
  return refusals[0];
};

const SEVERAL = { extendedKeyUsage: new Set([KeyPurpose.clientAuth, KeyPurpose.ocspSigning].map(oidFromDotted)) };

test('one purpose must be allowed by every certificate of the path', () => {
  const chain = (leaf: string[], intermediate: string[], root: string[]) => ({
    leaf: { extendedKeyUsage: leaf },
    intermediate: { extendedKeyUsage: intermediate },
    root: { extendedKeyUsage: root },
  });
  accepted(chain(['clientAuth', 'ocspSigning'], ['ocspSigning'], []), SEVERAL);
  accepted(chain(['clientAuth'], ['any'], ['ocspSigning', 'clientAuth']), SEVERAL);
  for (const [one, index] of [
    [chain(['clientAuth'], ['ocspSigning'], []), 1],
    [chain([], ['ocspSigning'], ['clientAuth']), 2],
    [chain(['clientAuth'], ['ocspSigning', 'clientAuth'], ['ocspSigning']), 2],
  ] as const)
    expect(refused('extended-key-usage', index, one, SEVERAL)?.expected).toContain('one purpose for the whole path');
});

const places = [
  ['leaf', 0],
  ['intermediate', 1],
  ['root', 2],
] as const;

describe.each(places)('at the position of the %s', (place, index) => {
  const at = (options: CertificateOptions): Chain => ({ intermediate: {}, [place]: options });

  test('validity includes its first and last second, and nothing beyond', () => {
    const first = new Date(NOW);
    accepted(at({ notBefore: first }));
    accepted(at({ notAfter: first }));
    accepted(at({ notAfter: first }), { time: NOW + 999 });
    refused('validity', index, at({ notBefore: first }), { time: NOW - 1 });
    refused('validity', index, at({ notAfter: first }), { time: NOW + SECOND });
  });

  test('an unknown critical extension is refused, one that is not critical is ignored', () => {
    const extension = { oid: '1.3.6.1.4.1.99999.1', value: der.nullValue() };
    accepted(at({ extensions: [extension] }));
    const refusal = refused('critical-extensions', index, at({ extensions: [{ ...extension, critical: true }] }));
    expect(refusal?.actual).toBe('1.3.6.1.4.1.99999.1 is critical');
  });

  test('a negative serial number is refused, zero and a long one are accepted', () => {
    accepted(at({ serial: 0n }));
    accepted(at({ serial: 2n ** 300n }));
    expect(refused('serial-number', index, at({ serial: -5n }))?.actual).toBe('-5');
  });

  test('an extended key usage without the purpose is refused', () => {
    accepted(at({ extendedKeyUsage: [] }));
    accepted(at({ extendedKeyUsage: ['any'] }));
    accepted(at({ extendedKeyUsage: ['serverAuth', 'clientAuth'] }));
    accepted(at({ extendedKeyUsage: ['serverAuth'] }), { extendedKeyUsage: KeyPurpose.any });
    const refusal = refused('extended-key-usage', index, at({ extendedKeyUsage: ['serverAuth'] }));
    expect(refusal).toMatchObject({
      actual: '1.3.6.1.5.5.7.3.1',
      expected: '1.3.6.1.5.5.7.3.2, any, or no restriction',
    });
  });

  test('one of several purposes is enough', () => {
    const free = { leaf: { extendedKeyUsage: [] } };
    accepted({ ...free, ...at({ extendedKeyUsage: ['ocspSigning'] }) }, SEVERAL);
    accepted({ ...free, ...at({ extendedKeyUsage: ['serverAuth', 'any'] }) }, SEVERAL);
    const refusal = refused('extended-key-usage', index, at({ extendedKeyUsage: ['serverAuth'] }), SEVERAL);
    expect(refusal?.expected).toBe('1.3.6.1.5.5.7.3.2, 1.3.6.1.5.5.7.3.9, any, or no restriction');
  });

  test('a weak or unknown key is refused', () => {
    const replace = { subjectPublicKeyInfo: WEAK_KEY };
    expect(refused('public-key', index, at({ replace }))?.actual).toBe('RSA key of 1024 bits');
  });

  test('critical policies are accepted if their qualifiers are known', () => {
    const policies = (qualifier: string) => ({
      oid: OID.certificatePolicies,
      critical: true,
      value: der.sequence(
        der.sequence(
          der.oid('1.2.3'),
          der.sequence(der.sequence(der.oid(qualifier), der.ia5String('https://example.com'))),
        ),
      ),
    });
    accepted(at({ extensions: [policies('1.3.6.1.5.5.7.2.1')] }));
    refused('critical-extensions', index, at({ extensions: [policies('1.2.3.4')] }));
  });
});

describe.each([
  ['intermediate', 1],
  ['root', 2],
] as const)('at the position of the %s, which issues', (place, index) => {
  const at = (options: AuthorityOptions): Chain => ({ intermediate: {}, [place]: options });

  test('a certificate that is not a CA is refused', () => {
    expect(refused('basic-constraints', index, at({ without: [OID.basicConstraints] }))?.actual).toBe(
      'no basic constraints',
    );
    const extensions = [{ oid: OID.basicConstraints, value: der.sequence() }];
    expect(refused('basic-constraints', index, at({ extensions }))?.actual).toBe('not a CA');
  });

  test('a certificate of version 1 is refused', () => {
    refused('basic-constraints', index, at({ version: 1 }));
  });

  test('key usage must allow it, if present', () => {
    accepted(at({ keyUsage: [] }));
    accepted(at({ keyUsage: ['keyCertSign'] }));
    expect(refused('key-usage', index, at({ keyUsage: ['digitalSignature', 'cRLSign'] }))?.actual).toBe(
      'digitalSignature, cRLSign',
    );
  });
});

describe('path length', () => {
  test('counts the CAs below', () => {
    accepted({ root: { pathLength: 1 }, intermediate: { pathLength: 0 } });
    accepted({ root: { pathLength: 0 } });
    expect(refused('path-length', 2, { root: { pathLength: 0 }, intermediate: {} })).toMatchObject({
      expected: 'at most 0 CAs below',
      actual: '1 below',
    });
  });

  test('does not count self-issued CAs', () => {
    const { path } = decide({ root: { pathLength: 0 }, intermediate: { subject: 'Test Root', key: generateKey() } });
    expect(path?.certificates).toHaveLength(3);
  });

  test('does not count the leaf, even if it is a CA', () => {
    const extensions = [{ oid: OID.basicConstraints, critical: true, value: der.sequence(der.boolean(true)) }];
    accepted({ root: { pathLength: 0 }, leaf: { extensions } });
  });

  test('beyond four billion is no limit', () => {
    accepted({ root: { pathLength: 2 ** 40 }, intermediate: {} });
  });
});

describe('of the leaf', () => {
  test('the configured key usage must be present, if there is any', () => {
    accepted({ leaf: { keyUsage: ['digitalSignature', 'keyAgreement'] } }, { keyUsage: ['digitalSignature'] });
    accepted({ leaf: { keyUsage: [] } }, { keyUsage: ['digitalSignature'] });
    refused('key-usage', 0, { leaf: { keyUsage: ['keyAgreement'] } }, { keyUsage: ['digitalSignature'] });
  });

  test('signing certificates without being a CA is refused', () => {
    const extensions = [{ oid: OID.basicConstraints, value: der.sequence() }];
    accepted({ leaf: { extensions } });
    refused('key-usage', 0, { leaf: { extensions, keyUsage: ['keyCertSign'] } });
  });

  test('an empty issuer is refused', () => {
    refused('issuer-name', 0, { root: { subject: [] } });
  });
});

describe('signatures', () => {
  test('over SHA-1 are refused unless that is allowed; that of the anchor does not count', () => {
    const refusal = refused('signature-algorithm', 0, { leaf: { hash: 'sha1' } });
    expect(refusal?.actual).toBe('ecdsa-with-SHA1');
    refused('signature-algorithm', 1, { intermediate: { hash: 'sha1' } });
    accepted({ leaf: { hash: 'sha1' }, intermediate: { hash: 'sha1' } }, { allowSha1: true });
    accepted({ root: { hash: 'sha1' } });
  });

  test('that cannot be verified are refused', () => {
    refused('signature', 0, { leaf: { replace: { signature: Buffer.alloc(70) } } });
    refused('signature', 1, { intermediate: { replace: { signature: Buffer.alloc(70) } } });
  });
});

describe('policy constraints', () => {
  const constraints = { oid: OID.policyConstraints, value: der.sequence(der.primitive(0, Buffer.from([0]))) };
  const policies = { oid: OID.certificatePolicies, value: der.sequence(der.sequence(der.oid('1.2.3'))) };

  test('are enforced', () => {
    accepted({
      intermediate: { extensions: [policies, { ...constraints, critical: true }] },
      leaf: { extensions: [policies] },
    });
    refused('certificate-policies', 0, {
      intermediate: { extensions: [policies, { ...constraints, critical: true }] },
    });
  });

  test('are enforced if they are not critical, and refused without policies', () => {
    accepted({ intermediate: { extensions: [policies, constraints] }, leaf: { extensions: [policies] } });
    refused('certificate-policies', 0, { intermediate: { extensions: [policies, constraints] } });
    refused('critical-extensions', 1, { intermediate: { extensions: [constraints] } });
  });
});

describe('verdicts', () => {
  let root: Authority;
  beforeAll(() => {
    root = createRoot({ key, ...valid });
  });

  test('of a valid path list every check with its result', () => {
    const { path } = decide({ intermediate: { pathLength: 0 } });
    const verdicts = path?.verdicts() ?? [];
    expect(verdicts.every((verdict) => verdict.outcome === 'passed')).toBe(true);
    const brief = (index: number) => verdicts.filter((v) => v.certificate.index === index).map((v) => v.check);
    const everyCertificate = [
      'validity',
      'critical-extensions',
      'serial-number',
      'issuer-name',
      'public-key',
      'extended-key-usage',
    ];
    const issuer = ['basic-constraints', 'key-usage', 'path-length'];
    const signed = ['signature-algorithm', 'signature'];
    expect(brief(0)).toEqual([...everyCertificate, 'key-usage', ...signed, 'name-constraints', 'certificate-policies']);
    expect(brief(1)).toEqual([...everyCertificate, ...issuer, ...signed]);
    expect(brief(2)).toEqual([...everyCertificate, ...issuer, 'trust-anchor']);
    expect(verdicts.find((v) => v.check === 'path-length')).toMatchObject({
      certificate: { index: 1, subject: 'CN=Test Intermediate' },
      expected: 'at most 0 CAs below',
      actual: '0 below',
    });
  });

  test('of a refusal explain it in words', () => {
    expect(refused('validity', 0, { leaf: { notAfter: new Date(NOW - SECOND) } })).toEqual({
      check: 'validity',
      outcome: 'refused',
      certificate: { index: 0, subject: 'CN=device-1' },
      expected: 'valid at 2026-06-01T12:00:00.000Z',
      actual: 'expired at 2026-06-01T11:59:59.000Z',
    });
  });

  test('truncate long texts of a client, and escape hidden characters', () => {
    const subject = `line\nend${'x'.repeat(1000)}`;
    const leaf = Certificate.parse(root.issue({ key, subject, notAfter: new Date(NOW - DAY) }).der);
    const { refusals } = validate(leaf, { anchors: AnchorSet.fromCertificates([]), time: NOW });
    expect(refusals[0]?.certificate.subject).toMatch(/^CN=line\\0Aendx{243}…$/);
  });

  test('explain that a pinned leaf needs no issuer', () => {
    const pinned = Certificate.parse(selfSigned({ key, ...valid }).der);
    const { path } = validate(pinned, { anchors: AnchorSet.fromCertificates([pinned]), time: NOW });
    expect(path?.verdicts().map((verdict) => verdict.check)).not.toContain('signature');
  });
});

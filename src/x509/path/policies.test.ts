import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { type Authority, createRoot, type ExtensionInput, generateKey, OID } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { policyFault } from './policies.ts';

const ANY = OID.anyPolicy;
const [A, B, C] = ['1.2.3.1', '1.2.3.2', '1.2.3.3'] as const;
const key = generateKey();

interface Policies {
  readonly policies?: readonly string[];
  readonly mappings?: readonly (readonly [issuer: string, subject: string])[];
  readonly explicit?: number;
  readonly noMapping?: number;
  readonly noAny?: number;
  readonly selfIssued?: boolean;
}

const count = (number: number, value: number | undefined) =>
  value === undefined ? [] : [der.primitive(number, der.integer(value).subarray(2))];

function extensions({ policies, mappings, explicit, noMapping, noAny }: Policies): ExtensionInput[] {
  const list: ExtensionInput[] = [];
  const add = (oid: string, value: Buffer) => list.push({ oid, value, critical: true });
  if (policies) add(OID.certificatePolicies, der.sequence(...policies.map((policy) => der.sequence(der.oid(policy)))));
  if (mappings) add(OID.policyMappings, der.sequence(...mappings.map((pair) => der.sequence(...pair.map(der.oid)))));
  const constraints = [...count(0, explicit), ...count(1, noMapping)];
  if (constraints.length > 0) add(OID.policyConstraints, der.sequence(...constraints));
  if (noAny !== undefined) add(OID.inhibitAnyPolicy, der.integer(noAny));
  return list;
}

/** Returns the fault of a path, anchor first; `{}` is a certificate without policy extensions. */
function fault(...chain: readonly Policies[]) {
  const [first = {}, ...below] = chain;
  const path = [createRoot({ key, extensions: extensions(first) })];
  for (const [i, policies] of below.entries()) {
    const issuer = path[i] as Authority;
    const subject = policies.selfIssued ? issuer.subject : `certificate ${i}`;
    path.push(issuer.issueAuthority({ key, subject, extensions: extensions(policies) }));
  }
  return policyFault(path.map((minted) => Certificate.parse(minted.der)).toReversed());
}

describe('if no policy is required', () => {
  test('any policies are valid, and none too', () => {
    expect(fault({}, {}, {})).toBeUndefined();
    expect(fault({}, { policies: [A] }, { policies: [B] })).toBeUndefined();
    expect(fault({}, { policies: [A] }, {})).toBeUndefined();
  });
});

describe('if a policy is required', () => {
  const authority = { policies: [A, B], explicit: 0 };

  test('the leaf must have one that every CA has', () => {
    expect(fault({}, authority, { policies: [B, C] })).toBeUndefined();
    expect(fault({}, authority, { policies: [A] }, { policies: [A] })).toBeUndefined();
    expect(fault({}, authority, { policies: [A] }, { policies: [B] })?.index).toBe(0);
  });

  test('the refusal names the certificate and its policies', () => {
    expect(fault({}, authority, { policies: [C] })).toEqual({
      index: 0,
      expected: 'a certificate policy that every CA above allows, because one of them requires it',
      actual: C,
    });
    expect(fault({}, authority, {}, { policies: [A] })).toMatchObject({ index: 1, actual: 'no policies' });
  });

  test('anyPolicy in a CA includes every policy', () => {
    expect(fault({}, { policies: [ANY], explicit: 0 }, { policies: [C] })).toBeUndefined();
    expect(fault({}, authority, { policies: [ANY] }, { policies: [B] })).toBeUndefined();
    expect(fault({}, authority, { policies: [ANY] }, { policies: [C] })).toBeDefined();
  });

  test('anyPolicy in the leaf includes the policies that its CAs allow', () => {
    expect(fault({}, authority, { policies: [ANY] })).toBeUndefined();
  });

  test('it may be required only some certificates further down', () => {
    expect(fault({}, { explicit: 3 }, {}, {})).toBeUndefined();
    expect(fault({}, { explicit: 2 }, {}, {})?.index).toBe(0);
    expect(fault({}, { explicit: 3 }, {}, {}, {})?.index).toBe(0);
    expect(fault({}, { explicit: 1 }, {}, {}, {})?.index).toBe(1);
  });

  test('self-issued CAs are not counted', () => {
    expect(fault({}, { explicit: 3 }, { selfIssued: true }, {}, {})).toBeUndefined();
    expect(fault({}, { explicit: 3 }, {}, {}, {})).toBeDefined();
  });

  test('a CA further down cannot delay it', () => {
    expect(fault({}, { policies: [A], explicit: 0 }, { policies: [A], explicit: 9 }, {})).toBeDefined();
  });

  test('the leaf may require it itself', () => {
    expect(fault({}, {}, { explicit: 0 })).toBeDefined();
    expect(fault({}, {}, { explicit: 1 })).toBeUndefined();
  });
});

describe('a policy mapping', () => {
  test('renames a policy for the certificates below', () => {
    const mapping = { policies: [A], mappings: [[A, B]], explicit: 0 } as const;
    expect(fault({}, mapping, { policies: [B] })).toBeUndefined();
    expect(fault({}, mapping, { policies: [A] })).toBeDefined();
  });

  test('may give a policy several names', () => {
    const mappings = [
      [A, B],
      [A, C],
    ] as const;
    expect(fault({}, { policies: [A], mappings, explicit: 0 }, { policies: [C] })).toBeUndefined();
  });

  test('may swap two policies', () => {
    const mappings = [
      [A, B],
      [B, A],
    ] as const;
    expect(fault({}, { policies: [A], mappings, explicit: 0 }, { policies: [B] })).toBeUndefined();
    expect(fault({}, { policies: [A], mappings, explicit: 0 }, { policies: [A] })).toBeDefined();
  });

  test('of a policy that the CA lacks does nothing', () => {
    expect(fault({}, { policies: [A], mappings: [[C, B]], explicit: 0 }, { policies: [B] })).toBeDefined();
  });

  test('counts for a policy that the CA has through anyPolicy', () => {
    expect(fault({}, { policies: [ANY], mappings: [[A, B]], explicit: 0 }, { policies: [B] })).toBeUndefined();
  });

  test.each([[[ANY, A] as const], [[A, ANY] as const]])('from or to anyPolicy is refused', (mapping) => {
    expect(fault({}, { policies: [A], mappings: [mapping] }, { policies: [A] })).toMatchObject({
      index: 1,
      actual: 'a mapping of anyPolicy',
    });
  });

  test('is invalid together with its policy if mappings are inhibited', () => {
    const inhibits = { policies: [A], noMapping: 0, explicit: 0 };
    expect(fault({}, inhibits, { policies: [A], mappings: [[A, B]] }, { policies: [B] })).toBeDefined();
    expect(fault({}, inhibits, { policies: [A], mappings: [[A, B]] }, { policies: [A] })).toBeDefined();
  });

  test('may be inhibited only some certificates further down', () => {
    const mapping = { policies: [A], mappings: [[A, A]] } as const;
    expect(fault({}, { policies: [A], noMapping: 1, explicit: 0 }, mapping, { policies: [A] })).toBeUndefined();
    expect(
      fault({}, { policies: [A], noMapping: 1, explicit: 0 }, { policies: [A] }, mapping, { policies: [A] }),
    ).toBeDefined();
  });
});

describe('anyPolicy', () => {
  test('no longer counts if it is inhibited', () => {
    expect(fault({}, { policies: [A], noAny: 0, explicit: 0 }, { policies: [ANY] })).toBeDefined();
    expect(fault({}, { policies: [A], noAny: 0, explicit: 0 }, { policies: [A] })).toBeUndefined();
  });

  test('may be inhibited only some certificates further down', () => {
    expect(fault({}, { policies: [A], noAny: 1, explicit: 0 }, { policies: [ANY] }, { policies: [A] })).toBeUndefined();
    expect(fault({}, { policies: [A], noAny: 1, explicit: 0 }, { policies: [A] }, { policies: [ANY] })).toBeDefined();
  });

  test('still counts in a self-issued CA, but not in a leaf', () => {
    const inhibits = { policies: [A], noAny: 0, explicit: 0 };
    expect(fault({}, inhibits, { policies: [ANY], selfIssued: true }, { policies: [A] })).toBeUndefined();
    expect(fault({}, inhibits, { policies: [ANY], selfIssued: true })).toBeDefined();
  });
});

describe('an anchor', () => {
  test('with policies allows no others', () => {
    expect(fault({ policies: [A], explicit: 0 }, { policies: [B] })).toBeDefined();
    expect(fault({ policies: [A], explicit: 0 }, { policies: [A] })).toBeUndefined();
  });

  test('without policies allows all', () => {
    expect(fault({ explicit: 0 }, { policies: [B] })).toBeUndefined();
    expect(fault({ explicit: 0 }, {})).toBeDefined();
  });

  test('alone violates no policy', () => {
    expect(fault({ policies: [A] })).toBeUndefined();
  });
});

test('thousands of policies take little time', () => {
  const many = Array.from({ length: 1000 }, (_, i) => `1.2.3.${i}`);
  const mappings = many.map((policy, i) => [policy, many[(i + 1) % many.length] ?? policy] as const);
  const authorities = Array.from({ length: 8 }, () => ({ policies: [ANY, ...many], mappings }));
  expect(fault({ policies: many, explicit: 0 }, ...authorities, { policies: [many[8] ?? A] })).toBeUndefined();
});

import { dottedFromOid, type Oid } from '../asn1/oid.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { ANY_POLICY, type PolicyMapping } from '../certificate/policies.ts';

/** The certificate of a path that violates the rules on certificate policies, and how. */
export interface PolicyFault {
  readonly index: number;
  readonly expected: string;
  readonly actual: string;
}

/** State variables of RFC 5280 §6.1.2 about policies. */
interface State {
  /**
   * Policies that the next certificate may assert: every expected_policy_set of the lowest level of the
   * valid_policy_tree.
   */
  readonly expected: ReadonlySet<Oid>;
  /** Numbers of certificates until a policy is required, mappings no longer count, and anyPolicy no longer counts. */
  readonly explicitPolicy: number;
  readonly policyMapping: number;
  readonly inhibitAnyPolicy: number;
}

/**
 * Usual inputs: every policy is acceptable and none is required; mappings and anyPolicy count until a certificate
 * restricts them.
 */
const INITIAL: State = {
  expected: new Set([ANY_POLICY]),
  explicitPolicy: Number.POSITIVE_INFINITY,
  policyMapping: Number.POSITIVE_INFINITY,
  inhibitAnyPolicy: Number.POSITIVE_INFINITY,
};

const NONE: ReadonlySet<Oid> = new Set();

/**
 * Checks certificate policies along a path, leaf first (RFC 5280 §6.1.3 to §6.1.5). Because every policy is acceptable
 * to the user, the valid_policy_tree decides only whether a policy is left. So one level at a time, as a set, is
 * enough, and the work is linear in the number of policies in the certificates.
 */
export function policyFault(path: readonly Certificate[]): PolicyFault | undefined {
  let state = INITIAL;
  for (let index = path.length - 1; index >= 0; index--) {
    const certificate = path[index] as Certificate;
    const isLeaf = index === 0;
    // An anchor without policies allows all, because trust starts with it.
    const isOpenAnchor = index === path.length - 1 && certificate.known.policies === undefined;
    const valid = isOpenAnchor ? state.expected : validPolicies(state, certificate, isLeaf);
    if (valid.size === 0 && isPolicyRequired(state, certificate, isLeaf))
      return { index, ...noPolicyLeft(certificate) };
    if (isLeaf) break;
    if (mapsAnyPolicy(certificate)) return { index, ...ANY_POLICY_MAPPED };
    state = nextState(state, certificate, valid);
  }
  return undefined;
}

/** §6.1.3 (d) and (e): the policies of the next level of the tree. */
function validPolicies(state: State, { known, isSelfIssued }: Certificate, isLeaf: boolean): Set<Oid> {
  const asserted = known.policies?.ids ?? NONE;
  const anyCounts = state.inhibitAnyPolicy > 0 || (isSelfIssued && !isLeaf);
  const valid = new Set(asserted.has(ANY_POLICY) && anyCounts ? state.expected : NONE);
  for (const policy of asserted) {
    if (policy === ANY_POLICY) continue;
    if (state.expected.has(policy) || state.expected.has(ANY_POLICY)) valid.add(policy);
  }
  return valid;
}

/** §6.1.3 (f); for the leaf §6.1.5 (a) and (b), which are stricter. */
function isPolicyRequired(state: State, { known }: Certificate, isLeaf: boolean): boolean {
  if (!isLeaf) return state.explicitPolicy === 0;
  return state.explicitPolicy <= 1 || known.policyConstraints?.requireExplicitPolicy === 0;
}

function noPolicyLeft({ known }: Certificate): Omit<PolicyFault, 'index'> {
  const policies = [...(known.policies?.ids ?? NONE)].map(dottedFromOid);
  return {
    expected: 'a certificate policy that every CA above allows, because one of them requires it',
    actual: policies.join(', ') || 'no policies',
  };
}

const ANY_POLICY_MAPPED = { expected: 'policy mappings between named policies', actual: 'a mapping of anyPolicy' };

/** §6.1.4 (a) */
function mapsAnyPolicy({ known }: Certificate): boolean {
  return (known.policyMappings ?? []).some((m) => m.issuerPolicy === ANY_POLICY || m.subjectPolicy === ANY_POLICY);
}

/** §6.1.4 (b), (h), (i) and (j) */
function nextState(state: State, certificate: Certificate, valid: ReadonlySet<Oid>): State {
  const { policyMappings, policyConstraints, inhibitAnyPolicy } = certificate.known;
  const step = certificate.isSelfIssued ? 0 : 1;
  const count = (left: number, limit: number | undefined): number => Math.min(Math.max(left - step, 0), limit ?? left);
  return {
    expected: policyMappings === undefined ? valid : mapped(valid, policyMappings, state.policyMapping > 0),
    explicitPolicy: count(state.explicitPolicy, policyConstraints?.requireExplicitPolicy),
    policyMapping: count(state.policyMapping, policyConstraints?.inhibitPolicyMapping),
    inhibitAnyPolicy: count(state.inhibitAnyPolicy, inhibitAnyPolicy),
  };
}

/**
 * Maps policies to their new names if mappings count, and drops them otherwise. Policies that are allowed only through
 * anyPolicy need no new name: anyPolicy, which cannot be mapped, allows that too.
 */
function mapped(valid: ReadonlySet<Oid>, mappings: readonly PolicyMapping[], mappingsCount: boolean): Set<Oid> {
  const expected = new Set(valid);
  for (const { issuerPolicy } of mappings) expected.delete(issuerPolicy);
  if (!mappingsCount) return expected;
  for (const { issuerPolicy, subjectPolicy } of mappings) {
    if (valid.has(issuerPolicy)) expected.add(subjectPolicy);
  }
  return expected;
}

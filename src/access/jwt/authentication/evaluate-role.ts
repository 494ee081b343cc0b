import {
  checkBoundClaims,
  checkTimeClaims,
  claimAt,
  type Finding,
  finding,
  type JsonObject,
  memberOf,
  plainValues,
  shownValue,
} from '../../../jwt/index.ts';
import { withinBlocks } from '../../../lib/cidr.ts';
import { type JwtRoleSettings, ROLE_IN_METADATA } from '../settings/jwt-role.ts';

/** Inputs of an evaluation. The caller must have verified the signature. */
export interface PresentedToken {
  readonly claims: JsonObject;
  /** Expected `iss` claim. Undefined: any. */
  readonly issuer: string | undefined;
  readonly address: string;
  /** Current time, milliseconds since 1970. */
  readonly now: number;
}

/** The client that a token identifies. Fields are empty if the token lacks the claims that the role reads. */
export interface Bearer {
  readonly name: string;
  readonly groups: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

export interface RoleEvaluation {
  readonly findings: readonly Finding[];
  readonly bearer: Bearer;
}

/** @limit groups in a token, groups -> the login is refused */
const MAX_GROUPS = 500;
/** @limit a claim that becomes token metadata, characters -> the login is refused */
const MAX_METADATA = 2_048;

/** Evaluates a token with a role. Checks every condition, also after a failure. */
export function evaluateRole(
  roleName: string,
  role: JwtRoleSettings,
  { claims, issuer, address, now }: PresentedToken,
): RoleEvaluation {
  const leeways = {
    clockSkew: role.clock_skew_leeway,
    expiration: role.expiration_leeway,
    notBefore: role.not_before_leeway,
  };
  const bounds = {
    issuer,
    subject: role.bound_subject,
    audiences: role.bound_audiences ?? [],
    claims: Object.fromEntries(
      Object.entries(role.bound_claims ?? {}).map(([name, values]) => [name, plainValues(values) ?? []]),
    ),
    globs: role.bound_claims_type === 'glob',
  };
  const named = userClaim(claims, role);
  const name = typeof named === 'string' ? named : '';
  const groups = groupsIn(claims, role.groups_claim);
  const mapped = metadataIn(claims, role.claim_mappings ?? {});
  const blocks = role.token_bound_cidrs;
  const findings = [
    ...checkTimeClaims(claims, leeways, now),
    ...checkBoundClaims(claims, bounds),
    finding(`user_claim ${role.user_claim}`, name !== '', 'a string that is not empty', name || shownValue(named)),
    ...(role.groups_claim === '' ? [] : [groupsFinding(role.groups_claim, groups, claimAt(claims, role.groups_claim))]),
    ...mapped.faults,
    ...(blocks.length === 0
      ? []
      : [finding('token_bound_cidrs', withinBlocks(address, blocks), blocks.join(', '), address)]),
  ];
  return {
    findings,
    bearer: { name, groups: groups ?? [], metadata: { ...mapped.metadata, [ROLE_IN_METADATA]: roleName } },
  };
}

function userClaim(
  claims: JsonObject,
  { user_claim: claim, user_claim_json_pointer: isPointer }: JwtRoleSettings,
): unknown {
  return isPointer ? claimAt(claims, claim) : memberOf(claims, claim);
}

/** Returns the groups of a token; a single string counts as a list. Returns undefined for any other type. */
function groupsIn(claims: JsonObject, claim: string): readonly string[] | undefined {
  if (claim === '') return [];
  const value = claimAt(claims, claim);
  const groups = Array.isArray(value) ? value : [value];
  if (groups.length > MAX_GROUPS || !groups.every((group) => typeof group === 'string')) return undefined;
  return [...new Set(groups)].filter((group) => group !== '');
}

function groupsFinding(claim: string, groups: readonly string[] | undefined, said: unknown): Finding {
  const expected = `a list of at most ${MAX_GROUPS} strings`;
  const tooMany = Array.isArray(said) && said.length > MAX_GROUPS ? `${said.length} groups` : undefined;
  const actual = groups ? `${groups.length} groups` : (tooMany ?? shownValue(said));
  return finding(`groups_claim ${claim}`, groups !== undefined, expected, actual);
}

/** Returns the mapped metadata. Skips absent claims, and refuses claims that are not strings. */
function metadataIn(claims: JsonObject, mappings: Readonly<Record<string, string>>) {
  const metadata: Record<string, string> = {};
  const faults: Finding[] = [];
  for (const [claim, target] of Object.entries(mappings)) {
    const value = claimAt(claims, claim);
    if (value === undefined) continue;
    if (typeof value === 'string' && value.length <= MAX_METADATA) metadata[target] = value;
    else {
      const actual = typeof value === 'string' ? `${value.length} characters` : shownValue(value);
      faults.push(finding(`claim_mappings ${claim}`, false, `a string of at most ${MAX_METADATA} characters`, actual));
    }
  }
  return { metadata, faults };
}

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

/** A login with a token whose signature is known to be good, or not: whoever asks sees to that. */
export interface PresentedToken {
  readonly claims: JsonObject;
  /** What the iss claim has to be; undefined: anything. */
  readonly issuer: string | undefined;
  readonly address: string;
  /** Milliseconds. */
  readonly now: number;
}

/** Whoever a token says that it is of. Empty where it does not say what the role wants to know. */
export interface Bearer {
  readonly name: string;
  readonly groups: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

export interface RoleEvaluation {
  readonly findings: readonly Finding[];
  readonly bearer: Bearer;
}

/** @limit groups that a token names, groups -> the login is refused */
const MAX_GROUPS = 500;
/** @limit a claim that becomes metadata of a token, characters -> the login is refused */
const MAX_METADATA = 2_048;

/** What a role makes of a token: every condition, also after one has failed. */
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
    finding(`user_claim ${role.user_claim}`, name !== '', 'a text that is not empty', name || shownValue(named)),
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

/** A text is a list of one. Undefined for anything else that is no list of texts. */
function groupsIn(claims: JsonObject, claim: string): readonly string[] | undefined {
  if (claim === '') return [];
  const value = claimAt(claims, claim);
  const groups = Array.isArray(value) ? value : [value];
  if (groups.length > MAX_GROUPS || !groups.every((group) => typeof group === 'string')) return undefined;
  return [...new Set(groups)].filter((group) => group !== '');
}

function groupsFinding(claim: string, groups: readonly string[] | undefined, said: unknown): Finding {
  const expected = `a list of at most ${MAX_GROUPS} texts`;
  const tooMany = Array.isArray(said) && said.length > MAX_GROUPS ? `${said.length} of them` : undefined;
  const actual = groups ? `${groups.length} of them` : (tooMany ?? shownValue(said));
  return finding(`groups_claim ${claim}`, groups !== undefined, expected, actual);
}

/** What is not there is left out; what is there and no text is refused. */
function metadataIn(claims: JsonObject, mappings: Readonly<Record<string, string>>) {
  const metadata: Record<string, string> = {};
  const faults: Finding[] = [];
  for (const [claim, target] of Object.entries(mappings)) {
    const value = claimAt(claims, claim);
    if (value === undefined) continue;
    if (typeof value === 'string' && value.length <= MAX_METADATA) metadata[target] = value;
    else {
      const actual = typeof value === 'string' ? `${value.length} characters` : shownValue(value);
      faults.push(finding(`claim_mappings ${claim}`, false, `a text of at most ${MAX_METADATA} characters`, actual));
    }
  }
  return { metadata, faults };
}

import { compileGlob } from '../../lib/glob.ts';
import type { JsonObject } from '../token/strict-json.ts';
import { claimAt, memberOf, type Plain, plainValues, shownValue } from './claim-value.ts';
import { type Finding, finding } from './finding.ts';

/** What has to be bound for a token to mean anything: whose it is, for whom it was made, and what else it says. */
export interface Bounds {
  /** Undefined: any. */
  readonly issuer: string | undefined;
  /** Empty: any. */
  readonly subject: string;
  /** One of these; none: the token must not be meant for anybody. */
  readonly audiences: readonly string[];
  /** By name or JSON pointer: one of these values. */
  readonly claims: Readonly<Record<string, readonly Plain[]>>;
  /** `*` in texts stands for any run of characters. */
  readonly globs: boolean;
}

/** All of it, also after something has failed: an administrator wants all of the reasons at once. */
export function checkBoundClaims(
  claims: JsonObject,
  { issuer, subject, audiences, globs, ...bounds }: Bounds,
): Finding[] {
  const said = { issuer: memberOf(claims, 'iss'), subject: memberOf(claims, 'sub') };
  return [
    ...(issuer === undefined ? [] : [finding('issuer', said.issuer === issuer, issuer, shownValue(said.issuer))]),
    ...(subject === '' ? [] : [finding('bound_subject', said.subject === subject, subject, shownValue(said.subject))]),
    checkAudiences(audiences, memberOf(claims, 'aud')),
    ...Object.entries(bounds.claims).map(([name, wanted]) => checkClaim(name, wanted, claimAt(claims, name), globs)),
  ];
}

function checkAudiences(bound: readonly string[], claim: unknown): Finding {
  const actual = shownValue(claim);
  const audiences = claim === undefined ? [] : Array.isArray(claim) ? claim : [claim];
  if (bound.length === 0) {
    return finding('bound_audiences', audiences.length === 0, 'no audience, as none is bound', actual);
  }
  const holds = audiences.every((one) => typeof one === 'string') && audiences.some((one) => bound.includes(one));
  return finding('bound_audiences', holds, bound.join(', '), actual);
}

function checkClaim(name: string, wanted: readonly Plain[], claim: unknown, globs: boolean): Finding {
  const values = claim === undefined ? undefined : plainValues(claim);
  const fitting = wanted.map((one) => (globs && typeof one === 'string' ? compileGlob(one) : one));
  const holds = values?.some((value) =>
    fitting.some((one) => (typeof one === 'function' ? typeof value === 'string' && one(value) : one === value)),
  );
  return finding(`bound_claims ${name}`, holds ?? false, wanted.map(shownValue).join(', '), shownValue(claim));
}

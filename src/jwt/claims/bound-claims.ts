import { compileGlob } from '../../lib/glob.ts';
import type { JsonObject } from '../token/strict-json.ts';
import { claimAt, memberOf, type Plain, plainValues, shownValue } from './claim-value.ts';
import { type Finding, finding } from './finding.ts';

/** Values that a role binds: issuer, subject, audiences and other claims of a token. */
export interface Bounds {
  /** Expected issuer. Undefined: any issuer is accepted. */
  readonly issuer: string | undefined;
  /** Expected subject. Empty: any subject is accepted. */
  readonly subject: string;
  /** The token must name one of these. Empty: the token must have no audience. */
  readonly audiences: readonly string[];
  /** Accepted values by claim name or JSON pointer. */
  readonly claims: Readonly<Record<string, readonly Plain[]>>;
  /** Whether `*` in a bound text matches any sequence of characters. */
  readonly globs: boolean;
}

/** Checks all bounds, also after a failure, so that an administrator sees every reason at once. */
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
    return finding('bound_audiences', audiences.length === 0, 'no audience, because none is bound', actual);
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

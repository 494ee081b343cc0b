import { isoTime } from '../../lib/clock.ts';
import type { JsonObject } from '../token/strict-json.ts';
import { memberOf, shownValue } from './claim-value.ts';
import { type Finding, finding } from './finding.ts';

/** Leeways in seconds. 0 means the default, a negative number none. */
export interface Leeways {
  /** Tolerated clock difference, for all time claims. */
  readonly clockSkew: number;
  /** Lifetime of a token without `exp`. Absent: `exp` is required. */
  readonly expiration?: number;
  /** Time before `exp` at which a token without `nbf` and `iat` becomes valid. Absent: one of both is required. */
  readonly notBefore?: number;
}

const CLOCK_SKEW = 60;
const UNSAID = 150;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

const leeway = (seconds: number, standard: number): number => (seconds === 0 ? standard : Math.max(seconds, 0));

type Times = Readonly<Record<'iat' | 'nbf' | 'exp', number>>;

/** Checks `exp`, `nbf` and `iat` against the clock. A token must have at least one of them. */
export function checkTimeClaims(claims: JsonObject, leeways: Leeways, now: number): readonly Finding[] {
  const times = timesOf(claims);
  if (typeof times === 'string') return [finding('times', false, 'seconds since 1970', times)];
  const { iat, nbf, exp } = times;
  if (iat === 0 && nbf === 0 && exp === 0) return [finding('times', false, 'one of exp, nbf and iat', 'none of them')];
  const missing = [
    ...(exp === 0 && leeways.expiration === undefined ? ['no exp'] : []),
    ...(iat === 0 && nbf === 0 && leeways.notBefore === undefined ? ['neither iat nor nbf'] : []),
  ].join(', ');
  if (missing !== '') return [finding('times', false, 'exp, and iat or nbf', missing)];
  const skew = leeway(leeways.clockSkew, CLOCK_SKEW);
  const end = exp || Math.max(iat, nbf) + leeway(leeways.expiration ?? 0, UNSAID);
  const start = nbf || iat || end - leeway(leeways.notBefore ?? 0, UNSAID);
  const seconds = now / 1000;
  return [
    finding('expiration', seconds - skew <= end, `not expired at ${shown(seconds)}`, `valid until ${shown(end)}`),
    finding('not_before', seconds + skew >= start, `valid at ${shown(seconds)}`, `valid from ${shown(start)}`),
    ...(iat === 0
      ? []
      : [finding('issued_at', seconds + skew >= iat, `not after ${shown(seconds)}`, `issued at ${shown(iat)}`)]),
  ];
}

/** Returns the times of a token, 0 for an absent one, or an error text about the first invalid claim. */
function timesOf(claims: JsonObject): Times | string {
  const times = { iat: 0, nbf: 0, exp: 0 };
  for (const name of ['iat', 'nbf', 'exp'] as const) {
    const value = memberOf(claims, name) ?? 0;
    if (typeof value !== 'number' || !(value >= 0 && value <= LAST_SECOND)) return `${name} is ${shownValue(value)}`;
    times[name] = value;
  }
  return times;
}

const shown = (seconds: number): string => isoTime(Math.min(Math.max(seconds, 0), LAST_SECOND) * 1000);

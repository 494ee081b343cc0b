import { isoTime } from '../../lib/clock.ts';
import type { JsonObject } from '../token/strict-json.ts';
import { memberOf, shownValue } from './claim-value.ts';
import { type Finding, finding } from './finding.ts';

/** Seconds; 0: the standard one, negative: none. */
export interface Leeways {
  /** For clocks that differ, in all of it. */
  readonly clockSkew: number;
  /** Lifetime of a token without `exp`. Absent: `exp` is required. */
  readonly expiration?: number;
  /** Time before `exp` from which a token without `nbf` and `iat` is valid. Absent: one of both is required. */
  readonly notBefore?: number;
}

const CLOCK_SKEW = 60;
const UNSAID = 150;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

const leeway = (seconds: number, standard: number): number => (seconds === 0 ? standard : Math.max(seconds, 0));

type Times = Readonly<Record<'iat' | 'nbf' | 'exp', number>>;

/** When a token is good, by `exp`, `nbf` and `iat`: one of these it has to have. */
export function checkTimeClaims(claims: JsonObject, leeways: Leeways, now: number): readonly Finding[] {
  const times = timesOf(claims);
  if (typeof times === 'string') return [finding('times', false, 'numbers of seconds', times)];
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
    finding('expiration', seconds - skew <= end, `at ${shown(seconds)} not expired`, `good until ${shown(end)}`),
    finding('not_before', seconds + skew >= start, `at ${shown(seconds)} good already`, `good from ${shown(start)}`),
    ...(iat === 0
      ? []
      : [finding('issued_at', seconds + skew >= iat, `not after ${shown(seconds)}`, `issued at ${shown(iat)}`)]),
  ];
}

/** 0 for what is not there, or a text. */
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

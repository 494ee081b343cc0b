import { formatSeconds } from '../../../lib/duration.ts';
import { AppError } from '../../../lib/errors.ts';
import type { TtlLimits } from '../../model/ttl-limits.ts';

/** Durations that determine a lifetime, in seconds. 0 means not set. */
export interface TtlTerms {
  readonly ttl: number;
  readonly maxTtl: number;
  readonly period: number;
  readonly explicitMaxTtl: number;
}

export interface Lifetime {
  /** Lifetime from now, seconds. */
  readonly ttl: number;
  readonly warnings: readonly string[];
}

const smallestSet = (...values: readonly number[]): number => Math.min(...values.filter((value) => value > 0));

/**
 * Returns the lifetime of a token from now on. A period can be renewed without end, or up to the explicit maximum;
 * any other lifetime ends at the smallest maximum.
 * @param age seconds since the login
 * @throws AppError if nothing of the maximum is left
 */
export function lifetime(terms: TtlTerms, limits: TtlLimits, age: number, requested = 0): Lifetime {
  if (terms.period > 0) return periodic(terms, limits, age);
  const max = smallestSet(limits.maxTtl, terms.maxTtl, terms.explicitMaxTtl);
  const wanted = requested || terms.ttl || limits.defaultTtl;
  if (max - age <= 0) throw pastMaximum();
  if (wanted <= max - age) return { ttl: wanted, warnings: [] };
  const asked = requested > 0 || terms.ttl > 0;
  const warning = `TTL of "${formatSeconds(wanted)}" exceeded the effective max_ttl of "${formatSeconds(max - age)}"; TTL value is capped accordingly`;
  return { ttl: max - age, warnings: asked ? [warning] : [] };
}

function periodic(terms: TtlTerms, limits: TtlLimits, age: number): Lifetime {
  const rest = terms.explicitMaxTtl > 0 ? terms.explicitMaxTtl - age : limits.maxTtl;
  if (rest <= 0) throw pastMaximum();
  const max = Math.min(limits.maxTtl, rest);
  if (terms.period <= max) return { ttl: terms.period, warnings: [] };
  const warning = `period of "${formatSeconds(terms.period)}" exceeded the effective max_ttl of "${formatSeconds(max)}"; period value is capped accordingly`;
  return { ttl: max, warnings: [warning] };
}

function pastMaximum(): AppError {
  return new AppError('bad-request', 'past the max TTL, cannot renew');
}

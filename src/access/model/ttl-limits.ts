import type { MountTuning } from './mount.ts';

/** Lifetime limits, in seconds. */
export interface TtlLimits {
  readonly defaultTtl: number;
  readonly maxTtl: number;
}

/** Returns the limits of a mount. They override the server's and may be higher. */
export function limitsAt(
  installation: TtlLimits,
  tuning: Pick<MountTuning, 'default_lease_ttl' | 'max_lease_ttl'>,
): TtlLimits {
  const maxTtl = tuning.max_lease_ttl || installation.maxTtl;
  return { maxTtl, defaultTtl: Math.min(tuning.default_lease_ttl || installation.defaultTtl, maxTtl) };
}

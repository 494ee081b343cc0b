import type { MountTuning } from './mount.ts';

/** What the mount allows, in seconds. */
export interface TtlLimits {
  readonly defaultTtl: number;
  readonly maxTtl: number;
}

/** What a mount allows: its own limits where it has some, which may be wider than the installation's. */
export function limitsAt(
  installation: TtlLimits,
  tuning: Pick<MountTuning, 'default_lease_ttl' | 'max_lease_ttl'>,
): TtlLimits {
  const maxTtl = tuning.max_lease_ttl || installation.maxTtl;
  return { maxTtl, defaultTtl: Math.min(tuning.default_lease_ttl || installation.defaultTtl, maxTtl) };
}

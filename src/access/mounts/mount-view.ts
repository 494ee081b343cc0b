import type { FixedMount } from '../model/fixed-mounts.ts';
import { INITIAL_FLAGS, INITIAL_TUNING, type Mount, type MountTuning } from '../model/mount.ts';
import { limitsAt, type TtlLimits } from '../model/ttl-limits.ts';

type Shown = Pick<Mount, 'type' | 'accessor' | 'description' | 'tuning' | 'flags'> & { readonly id: string };

/** Returns a mount as in lists. Clients decode the whole map as mounts, so every value must be an object. */
export function mountEntry(mount: Shown, version: string): Record<string, unknown> {
  const { id, type, accessor, description, tuning, flags } = mount;
  return {
    accessor,
    config: {
      default_lease_ttl: tuning.default_lease_ttl,
      max_lease_ttl: tuning.max_lease_ttl,
      ...settings(tuning),
    },
    deprecation_status: 'supported',
    description,
    external_entropy_access: flags.external_entropy_access,
    local: flags.local,
    options: tuning.options,
    plugin_version: '',
    running_plugin_version: `v${version}+builtin`,
    running_sha256: '',
    seal_wrap: flags.seal_wrap,
    type,
    uuid: id,
  };
}

export function fixedEntry(mount: FixedMount, version: string): Record<string, unknown> {
  return mountEntry({ ...mount, id: mount.accessor, tuning: INITIAL_TUNING, flags: INITIAL_FLAGS }, version);
}

/** Returns the tuning with effective lifetimes. */
export function tuningView({ description, tuning, flags }: Shown, installation: TtlLimits): Record<string, unknown> {
  const { defaultTtl, maxTtl } = limitsAt(installation, tuning);
  return {
    description,
    default_lease_ttl: defaultTtl,
    max_lease_ttl: maxTtl,
    ...settings(tuning),
    ...(tuning.options && { options: tuning.options }),
    ...(flags.external_entropy_access && { external_entropy_access: true }),
  };
}

/** Returns the fields that a login page needs. */
export function briefEntry({ type, description, tuning }: Shown): Record<string, unknown> {
  return { type, description, options: tuning.options };
}

/** Returns the settings, without lists that were never set. */
function settings(tuning: MountTuning): Record<string, unknown> {
  const { force_no_cache, token_type, listing_visibility } = tuning;
  return {
    force_no_cache,
    token_type,
    ...(listing_visibility && { listing_visibility }),
    ...given(tuning, 'audit_non_hmac_request_keys'),
    ...given(tuning, 'audit_non_hmac_response_keys'),
    ...given(tuning, 'passthrough_request_headers'),
    ...given(tuning, 'allowed_response_headers'),
  };
}

type ListName = { [K in keyof MountTuning]: MountTuning[K] extends readonly string[] ? K : never }[keyof MountTuning];

function given(tuning: MountTuning, name: ListName): Record<string, readonly string[]> {
  return tuning[name].length > 0 ? { [name]: tuning[name] } : {};
}

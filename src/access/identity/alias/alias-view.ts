import { isoTime } from '../../../lib/clock.ts';
import { type MountedAlias, mountView } from './alias.ts';

/** An alias as it stands within its entity. */
export function entityAliasView(alias: MountedAlias): Record<string, unknown> {
  return {
    canonical_id: alias.entityId,
    creation_time: isoTime(alias.createdAt),
    custom_metadata: alias.customMetadata,
    id: alias.id,
    last_update_time: isoTime(alias.updatedAt),
    local: false,
    merged_from_canonical_ids: alias.mergedFrom.length > 0 ? alias.mergedFrom : null,
    metadata: alias.metadata,
    ...mountView(alias),
    name: alias.name,
  };
}

export function aliasView(alias: MountedAlias): Record<string, unknown> {
  return { ...entityAliasView(alias), namespace_id: 'root' };
}

/** What a list shows beside the id. */
export function aliasInfo(alias: MountedAlias): Record<string, unknown> {
  return {
    canonical_id: alias.entityId,
    custom_metadata: alias.customMetadata,
    local: false,
    metadata: alias.metadata,
    name: alias.name,
    ...mountView(alias),
  };
}

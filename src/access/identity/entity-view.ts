import { isoTime } from '../../lib/clock.ts';
import type { EntityWithAliases, MountedAlias } from './entity.ts';

/** An entity as clients of the field read it. What we have not is there, empty. */
export function entityView(entity: EntityWithAliases): Record<string, unknown> {
  return {
    aliases: entity.aliases.map(aliasView),
    creation_time: isoTime(entity.createdAt),
    direct_group_ids: [],
    disabled: entity.disabled,
    group_ids: [],
    id: entity.id,
    inherited_group_ids: [],
    last_update_time: isoTime(entity.updatedAt),
    merged_entity_ids: null,
    metadata: entity.metadata,
    name: entity.name,
    namespace_id: 'root',
    policies: [],
  };
}

export function aliasView(alias: MountedAlias): Record<string, unknown> {
  return {
    canonical_id: alias.entityId,
    creation_time: isoTime(alias.createdAt),
    custom_metadata: null,
    id: alias.id,
    last_update_time: isoTime(alias.updatedAt),
    local: false,
    merged_from_canonical_ids: null,
    metadata: alias.metadata,
    ...mountOf(alias),
    name: alias.name,
  };
}

/** What a list shows beside the id. */
export function entityInfo({ name, aliases }: EntityWithAliases): Record<string, unknown> {
  const shown = aliases.map((alias) => ({
    id: alias.id,
    canonical_id: alias.entityId,
    name: alias.name,
    ...mountOf(alias),
  }));
  return { name, aliases: shown };
}

export function aliasInfo(alias: MountedAlias): Record<string, unknown> {
  return { canonical_id: alias.entityId, name: alias.name, ...mountOf(alias) };
}

function mountOf({ mountAccessor, mountPath, mountType }: MountedAlias): Record<string, unknown> {
  return { mount_accessor: mountAccessor, mount_path: `auth/${mountPath}/`, mount_type: mountType };
}

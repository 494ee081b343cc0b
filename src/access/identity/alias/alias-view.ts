import { isoTime } from '../../../lib/clock.ts';
import { component, flag, mapOf, orNull, text, texts, time } from '../../operation/schema.ts';
import { type MountedAlias, mountView } from './alias.ts';

/** Of an alias: where it belongs. */
export const MOUNT = { mount_accessor: text(), mount_path: text('`auth/cert/`'), mount_type: text() };

const ALIAS = {
  canonical_id: text('Of its entity or group.'),
  creation_time: time(),
  custom_metadata: orNull(mapOf(text(), 'As somebody wrote it.')),
  id: text(),
  last_update_time: time(),
  local: flag(),
  merged_from_canonical_ids: orNull(texts('Entities that it came from when they were merged.')),
  metadata: orNull(mapOf(text(), 'Of the last login, where the mount keeps it.')),
  ...MOUNT,
  name: text(),
};
export const EntityAliasShape = component('EntityAlias', ALIAS, 'What an entity is called at a mount.');
export const AliasShape = component('Alias', { ...ALIAS, namespace_id: text() });
export const AliasInfo = component('AliasInfo', {
  canonical_id: ALIAS.canonical_id,
  custom_metadata: ALIAS.custom_metadata,
  local: ALIAS.local,
  metadata: ALIAS.metadata,
  name: text(),
  ...MOUNT,
});
export const WrittenAliasShape = component('WrittenAlias', { id: text(), canonical_id: ALIAS.canonical_id });

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

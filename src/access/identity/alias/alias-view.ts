import { isoTime } from '../../../lib/clock.ts';
import { component, flag, mapOf, orNull, text, texts, time } from '../../operation/schema.ts';
import { type MountedAlias, mountView } from './alias.ts';

/** The mount of an alias. */
export const MOUNT = { mount_accessor: text(), mount_path: text('`auth/cert/`'), mount_type: text() };

const ALIAS = {
  canonical_id: text('Id of the entity or group.'),
  creation_time: time(),
  custom_metadata: orNull(mapOf(text(), 'Metadata set by an administrator.')),
  id: text(),
  last_update_time: time(),
  local: flag(),
  merged_from_canonical_ids: orNull(texts('Entities that the alias belonged to before merges.')),
  metadata: orNull(mapOf(text(), 'Metadata of the last login, if the mount stores it.')),
  ...MOUNT,
  name: text(),
};
export const EntityAliasShape = component('EntityAlias', ALIAS, 'Name of an entity at a mount.');
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

/** An alias of an entity, or of a group in the same form: `entityId` is then the id of the group. */
export type ViewedAlias = Omit<MountedAlias, 'issuer'>;

/** Returns an alias in the format of an entity's field. */
export function entityAliasView(alias: ViewedAlias): Record<string, unknown> {
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

export function aliasView(alias: ViewedAlias): Record<string, unknown> {
  return { ...entityAliasView(alias), namespace_id: 'root' };
}

/** Returns the fields of a list entry. */
export function aliasInfo(alias: ViewedAlias): Record<string, unknown> {
  return {
    canonical_id: alias.entityId,
    custom_metadata: alias.customMetadata,
    local: false,
    metadata: alias.metadata,
    name: alias.name,
    ...mountView(alias),
  };
}

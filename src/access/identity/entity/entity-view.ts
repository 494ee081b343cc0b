import { isoTime } from '../../../lib/clock.ts';
import { component, flag, listOf, mapOf, orNull, text, texts, time } from '../../operation/schema.ts';
import { mountView } from '../alias/alias.ts';
import { EntityAliasShape, entityAliasView, MOUNT } from '../alias/alias-view.ts';
import type { EntityDetails, EntityWithAliases } from './entity.ts';

export const EntityShape = component(
  'Entity',
  {
    aliases: listOf(EntityAliasShape),
    creation_time: time(),
    direct_group_ids: texts('Groups with the entity as a direct member.'),
    disabled: flag(),
    group_ids: texts('Direct and inherited groups.'),
    id: text(),
    inherited_group_ids: texts('Groups that these groups are members of.'),
    last_update_time: time(),
    merged_entity_ids: orNull(texts('Entities that were merged into it.')),
    metadata: mapOf(text()),
    name: text(),
    namespace_id: text(),
    policies: texts('Policies of the entity itself.'),
  },
  'One client across all mounts.',
);
export const EntityInfo = component('EntityInfo', {
  name: text(),
  disabled: flag(),
  aliases: listOf(component('EntityInfoAlias', { id: text(), canonical_id: text(), name: text(), ...MOUNT })),
});
export const NewEntity = component('NewEntity', { id: text(), name: text(), aliases: orNull(texts()) });

/** Returns an entity in the format of the API. Fields of features that Lockkeeper does not have are empty. */
export function entityView(entity: EntityDetails): Record<string, unknown> {
  const { mergedEntityIds, directGroupIds, inheritedGroupIds } = entity;
  return {
    aliases: entity.aliases.map(entityAliasView),
    creation_time: isoTime(entity.createdAt),
    direct_group_ids: directGroupIds,
    disabled: entity.disabled,
    group_ids: [...directGroupIds, ...inheritedGroupIds],
    id: entity.id,
    inherited_group_ids: inheritedGroupIds,
    last_update_time: isoTime(entity.updatedAt),
    merged_entity_ids: mergedEntityIds.length > 0 ? mergedEntityIds : null,
    metadata: entity.metadata,
    name: entity.name,
    namespace_id: 'root',
    policies: entity.policies,
  };
}

/** Returns the fields of a list entry. */
export function entityInfo({ name, disabled, aliases }: EntityWithAliases): Record<string, unknown> {
  const shown = aliases.map((alias) => ({
    id: alias.id,
    canonical_id: alias.entityId,
    name: alias.name,
    ...mountView(alias),
  }));
  return { name, disabled, aliases: shown };
}

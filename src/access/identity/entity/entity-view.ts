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
    direct_group_ids: texts('Groups that it is a member of itself.'),
    disabled: flag(),
    group_ids: texts('Both.'),
    id: text(),
    inherited_group_ids: texts('Groups that those are members of.'),
    last_update_time: time(),
    merged_entity_ids: orNull(texts('Entities that have been merged into it.')),
    metadata: mapOf(text()),
    name: text(),
    namespace_id: text(),
    policies: texts('Of its own.'),
  },
  'Somebody or something that logs in, by whatever mount.',
);
export const EntityInfo = component('EntityInfo', {
  name: text(),
  disabled: flag(),
  aliases: listOf(component('EntityInfoAlias', { id: text(), canonical_id: text(), name: text(), ...MOUNT })),
});
export const NewEntity = component('NewEntity', { id: text(), name: text(), aliases: orNull(texts()) });

/** An entity as clients of the field read it. What we have not is there, empty. */
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

/** What a list shows beside the id. */
export function entityInfo({ name, disabled, aliases }: EntityWithAliases): Record<string, unknown> {
  const shown = aliases.map((alias) => ({
    id: alias.id,
    canonical_id: alias.entityId,
    name: alias.name,
    ...mountView(alias),
  }));
  return { name, disabled, aliases: shown };
}

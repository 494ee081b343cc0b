import { isoTime } from '../../../lib/clock.ts';
import { mountView } from '../alias/alias.ts';
import { entityAliasView } from '../alias/alias-view.ts';
import type { EntityDetails, EntityWithAliases } from './entity.ts';

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
export function entityInfo({ name, aliases }: EntityWithAliases): Record<string, unknown> {
  const shown = aliases.map((alias) => ({
    id: alias.id,
    canonical_id: alias.entityId,
    name: alias.name,
    ...mountView(alias),
  }));
  return { name, aliases: shown };
}

import { isoTime } from '../../../lib/clock.ts';
import { mountView } from '../alias/alias.ts';
import type { GroupDetails, ListedGroup, MountedGroupAlias } from './group.ts';

/** A group as clients of the field read it. */
export function groupView(group: GroupDetails): Record<string, unknown> {
  return {
    alias: group.alias ? aliasOfGroupView(group.alias) : {},
    creation_time: isoTime(group.createdAt),
    id: group.id,
    last_update_time: isoTime(group.updatedAt),
    member_entity_ids: group.memberEntityIds,
    member_group_ids: group.memberGroupIds,
    metadata: group.metadata,
    modify_index: group.modifyIndex,
    name: group.name,
    namespace_id: 'root',
    parent_group_ids: group.parentGroupIds,
    policies: group.policies,
    type: group.type,
  };
}

/** What a list shows beside the id or the name. */
export function groupInfo({ name, entities, parents, alias }: ListedGroup): Record<string, unknown> {
  return {
    name,
    num_member_entities: entities,
    num_parent_groups: parents,
    ...(alias && { alias: { id: alias.id, name: alias.name, ...mountView(alias) } }),
  };
}

export function groupAliasView(alias: MountedGroupAlias): Record<string, unknown> {
  return { ...aliasOfGroupView(alias), custom_metadata: null, local: false, namespace_id: 'root' };
}

export function groupAliasInfo(alias: MountedGroupAlias): Record<string, unknown> {
  return {
    canonical_id: alias.groupId,
    custom_metadata: null,
    local: false,
    metadata: null,
    name: alias.name,
    ...mountView(alias),
  };
}

function aliasOfGroupView(alias: MountedGroupAlias): Record<string, unknown> {
  return {
    canonical_id: alias.groupId,
    creation_time: isoTime(alias.createdAt),
    id: alias.id,
    last_update_time: isoTime(alias.updatedAt),
    merged_from_canonical_ids: null,
    metadata: null,
    ...mountView(alias),
    name: alias.name,
  };
}

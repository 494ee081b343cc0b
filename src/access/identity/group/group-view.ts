import { isoTime } from '../../../lib/clock.ts';
import { component, integer, mapOf, optional, orNull, text, texts, time, word } from '../../operation/schema.ts';
import { mountView } from '../alias/alias.ts';
import { entityAliasView, MOUNT, type ViewedAlias } from '../alias/alias-view.ts';
import { GROUP_TYPES, type GroupDetails, type ListedGroup, type MountedGroupAlias } from './group.ts';

const ALIAS = {
  canonical_id: text(),
  creation_time: time(),
  id: text(),
  last_update_time: time(),
  merged_from_canonical_ids: orNull(texts('Always null.')),
  metadata: orNull(mapOf(text(), 'Always null.')),
  ...MOUNT,
  name: text(),
};
export const GroupShape = component(
  'Group',
  {
    alias: component(
      'GroupAlias',
      Object.fromEntries(Object.entries(ALIAS).map(([name, schema]) => [name, optional(schema)])),
      "The group's alias at a mount. Empty if it has none.",
    ),
    creation_time: time(),
    id: text(),
    last_update_time: time(),
    member_entity_ids: texts(),
    member_group_ids: texts(),
    metadata: mapOf(text()),
    modify_index: integer('Number of writes.'),
    name: text(),
    namespace_id: text(),
    parent_group_ids: texts('Groups with this group as a direct member.'),
    policies: texts('Policies of the group itself.'),
    type: word(GROUP_TYPES),
  },
  'A set of entities and groups with common policies.',
);
export const GroupInfo = component('GroupInfo', {
  name: text(),
  num_member_entities: integer(),
  num_parent_groups: integer(),
  alias: optional(component('GroupInfoAlias', { id: text(), name: text(), ...MOUNT })),
});
export const NewGroup = component('NewGroup', { id: text(), name: text() });

/** Returns a group in the format of the API. */
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

/** Returns the fields of a list entry. */
export function groupInfo({ name, entities, parents, alias }: ListedGroup): Record<string, unknown> {
  return {
    name,
    num_member_entities: entities,
    num_parent_groups: parents,
    ...(alias && { alias: { id: alias.id, name: alias.name, ...mountView(alias) } }),
  };
}

/** Returns a group's alias in the form of an entity's. Logins store no metadata in it. */
export function groupAlias(alias: MountedGroupAlias): ViewedAlias {
  return { ...alias, entityId: alias.groupId, metadata: null, customMetadata: null, mergedFrom: [] };
}

function aliasOfGroupView(alias: MountedGroupAlias): Record<string, unknown> {
  const { custom_metadata: _, local, ...view } = entityAliasView(groupAlias(alias));
  return view;
}

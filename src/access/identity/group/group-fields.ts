import { AppError } from '../../../lib/errors.ts';
import { described, listOrEmpty, pairs, parseFields, text } from '../../operation/fields.ts';
import { checkedPolicies } from '../common/checked-policies.ts';
import { checkedMetadata } from '../common/metadata.ts';
import { storedName } from '../common/names.ts';
import { type Group, type GroupType, isGroupType } from './group.ts';

/**
 * Bounds a write, which contains all members.
 * @limit entities of a group, entities -> 400
 */
const MAX_ENTITIES = 5_000;
/** @limit groups that are members of a group, groups -> 400 */
const MAX_GROUPS = 1_000;

/** Fields of a write of a group. */
export const GROUP_FIELDS = described(
  {
    type: text(),
    name: text(),
    metadata: pairs(),
    policies: listOrEmpty(),
    member_group_ids: listOrEmpty(),
    member_entity_ids: listOrEmpty(),
  },
  {
    type:
      '`internal`: members are set by writes. `external`: members come from logins, through an alias. Cannot ' +
      'be changed.',
    name: 'Unique name. Empty: unchanged, or a generated name.',
    metadata: 'Values by name, for templates in policies. Replaces all existing ones.',
    policies:
      'Policies that the tokens of all members have in addition. Replaces all existing ones. `root` is not ' +
      'allowed.',
    member_group_ids: 'Ids of groups whose members also belong to this group. Replaces all existing ones.',
    member_entity_ids: 'Ids of member entities. Replaces all existing ones.',
  },
);
/** Fields of a write without an id or a name in its path. */
export const NEW_GROUP_FIELDS = { ...described({ id: text() }, { id: 'Id of the group to update.' }), ...GROUP_FIELDS };

export interface GroupChange extends Partial<Pick<Group, 'name' | 'metadata' | 'policies'>> {
  readonly type?: GroupType;
  /** All members, without duplicates. */
  readonly memberEntityIds?: readonly string[];
  readonly memberGroupIds?: readonly string[];
}

/**
 * Parses the changes of a request. Lists and objects replace all existing values.
 * @throws AppError bad-request
 */
export function groupChange(body: Readonly<Record<string, unknown>>): GroupChange {
  const { values } = parseFields(GROUP_FIELDS, body);
  const { type = '', name = '', metadata, policies, member_entity_ids: entities, member_group_ids: groups } = values;
  if (type !== '' && !isGroupType(type))
    throw new AppError('bad-request', `invalid group type "${type.slice(0, 100)}"`);
  return {
    ...(type !== '' && { type }),
    ...(name !== '' && { name: storedName(name) }),
    ...(metadata && { metadata: checkedMetadata('metadata', metadata) }),
    ...(policies && { policies: checkedPolicies(policies) }),
    ...(entities && { memberEntityIds: ids('member_entity_ids', entities, MAX_ENTITIES) }),
    ...(groups && { memberGroupIds: ids('member_group_ids', groups, MAX_GROUPS) }),
  };
}

function ids(field: string, given: readonly string[], most: number): readonly string[] {
  const once = [...new Set(given.filter((id) => id !== ''))];
  if (once.length > most) throw new AppError('bad-request', `'${field}' may contain at most ${most} ids`);
  return once;
}

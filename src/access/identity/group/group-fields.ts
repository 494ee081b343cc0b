import { AppError } from '../../../lib/errors.ts';
import { described, listOrEmpty, pairs, parseFields, text } from '../../operation/fields.ts';
import { checkedPolicies } from '../common/checked-policies.ts';
import { checkedMetadata } from '../common/metadata.ts';
import { storedName } from '../common/names.ts';
import { type Group, type GroupType, isGroupType } from './group.ts';

/**
 * A write repeats all of them.
 * @limit entities of a group, entities -> 400
 */
const MAX_ENTITIES = 5_000;
/** @limit groups that are members of a group, groups -> 400 */
const MAX_GROUPS = 1_000;

/** What a write of a group may name. */
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
    type: '`internal`, whose members are named, or `external`, which has an alias; for good.',
    name: 'Its name, of which there is one. Empty: as it is, or one that is made up.',
    metadata: 'Texts by name, for templates in policies; replaced whole.',
    policies: 'What tokens of all its members have besides their own; replaced whole. Never `root`.',
    member_group_ids: 'Groups whose members are members of this one too; replaced whole.',
    member_entity_ids: 'Replaced whole.',
  },
);
/** Where the path does not say which group is meant. */
export const NEW_GROUP_FIELDS = { ...described({ id: text() }, { id: 'Of the one to change.' }), ...GROUP_FIELDS };

export interface GroupChange extends Partial<Pick<Group, 'name' | 'metadata' | 'policies'>> {
  readonly type?: GroupType;
  /** All of them, each once. */
  readonly memberEntityIds?: readonly string[];
  readonly memberGroupIds?: readonly string[];
}

/**
 * What a request wants to be different; what is a list or an object is replaced whole.
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
  if (once.length > most) throw new AppError('bad-request', `'${field}' holds at most ${most} ids`);
  return once;
}

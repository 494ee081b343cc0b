import { described, flag, listOrEmpty, pairs, parseFields, text } from '../../operation/fields.ts';
import { checkedPolicies } from '../common/checked-policies.ts';
import { checkedMetadata } from '../common/metadata.ts';
import { storedName } from '../common/names.ts';
import type { Entity } from './entity.ts';

/** Fields of a write of an entity. */
export const ENTITY_FIELDS = described(
  { name: text(), metadata: pairs(), policies: listOrEmpty(), disabled: flag() },
  {
    name: 'Unique name. Empty: unchanged, or a generated name.',
    metadata: 'Values by name, for templates in policies. Replaces all existing ones.',
    policies: 'Policies that all its tokens have in addition. Replaces all existing ones. `root` is not allowed.',
    disabled: 'Whether the entity is disabled: it cannot log in, and its tokens cannot be used.',
  },
);
/** Fields of a write without an id or a name in its path. */
export const NEW_ENTITY_FIELDS = {
  ...described({ id: text() }, { id: 'Id of the entity to update.' }),
  ...ENTITY_FIELDS,
};

export type EntityChange = Partial<Pick<Entity, 'name' | 'metadata' | 'policies' | 'disabled'>>;

/**
 * Parses the changes of a request. `metadata` and `policies` replace all existing values.
 * @throws AppError bad-request
 */
export function entityChange(body: Readonly<Record<string, unknown>>): EntityChange {
  const { name = '', metadata, policies, disabled } = parseFields(ENTITY_FIELDS, body).values;
  return {
    // Clients send an empty name to keep the existing one.
    ...(name !== '' && { name: storedName(name) }),
    ...(metadata && { metadata: checkedMetadata('metadata', metadata) }),
    ...(policies && { policies: checkedPolicies(policies) }),
    ...(disabled !== undefined && { disabled }),
  };
}

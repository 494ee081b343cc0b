import { described, flag, listOrEmpty, pairs, parseFields, text } from '../../operation/fields.ts';
import { checkedPolicies } from '../common/checked-policies.ts';
import { checkedMetadata } from '../common/metadata.ts';
import { storedName } from '../common/names.ts';
import type { Entity } from './entity.ts';

/** What a write of an entity may name. */
export const ENTITY_FIELDS = described(
  { name: text(), metadata: pairs(), policies: listOrEmpty(), disabled: flag() },
  {
    name: 'Its name, of which there is one. Empty: as it is, or one that is made up.',
    metadata: 'Texts by name, for templates in policies; replaced whole.',
    policies: 'What all its tokens have besides their own; replaced whole. Never `root`.',
    disabled: 'While it is, it cannot log in, and its tokens cannot be used.',
  },
);
/** Where the path does not say which entity is meant. */
export const NEW_ENTITY_FIELDS = { ...described({ id: text() }, { id: 'Of the one to change.' }), ...ENTITY_FIELDS };

export type EntityChange = Partial<Pick<Entity, 'name' | 'metadata' | 'policies' | 'disabled'>>;

/**
 * What a request wants to be different; `metadata` and `policies` are replaced whole.
 * @throws AppError bad-request
 */
export function entityChange(body: Readonly<Record<string, unknown>>): EntityChange {
  const { name = '', metadata, policies, disabled } = parseFields(ENTITY_FIELDS, body).values;
  return {
    // As clients send it where they mean to keep what is there.
    ...(name !== '' && { name: storedName(name) }),
    ...(metadata && { metadata: checkedMetadata('metadata', metadata) }),
    ...(policies && { policies: checkedPolicies(policies) }),
    ...(disabled !== undefined && { disabled }),
  };
}

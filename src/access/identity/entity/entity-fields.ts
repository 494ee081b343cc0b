import { flag, listOrEmpty, pairs, parseFields, text } from '../../fields.ts';
import { checkedMetadata } from '../metadata.ts';
import { storedName } from '../names.ts';
import { checkedPolicies } from '../policies.ts';
import type { Entity } from './entity.ts';

/** What a write of an entity may name. */
export const ENTITY_FIELDS = { name: text(), metadata: pairs(), policies: listOrEmpty(), disabled: flag() };
/** Where the path does not say which entity is meant. */
export const NEW_ENTITY_FIELDS = { id: text(), ...ENTITY_FIELDS };

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

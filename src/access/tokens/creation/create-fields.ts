import { AppError } from '../../../lib/errors.ts';
import {
  described,
  type Field,
  type FieldSet,
  flag,
  integer,
  listOrEmpty,
  parseFields,
  seconds,
  text,
  type Values,
} from '../../operation/fields.ts';

/** @limit metadata of a token, entries -> 400 */
const MAX_METADATA = 64;
/** @limit the name of a metadata entry of a token, characters -> 400 */
const MAX_METADATA_KEY = 128;
/** @limit the value of a metadata entry of a token, characters -> 400 */
const MAX_METADATA_VALUE = 512;
/** @limit the display name of a token, characters -> 400 */
const MAX_DISPLAY_NAME = 256;

/** Fields of a request for a token. */
const FIELDS = {
  id: text(),
  policies: listOrEmpty(),
  meta: metadata(),
  no_parent: flag(),
  no_default_policy: flag(),
  renewable: flag(true),
  ttl: positive('ttl'),
  lease: positive('lease'),
  type: text(),
  explicit_max_ttl: positive('explicit_max_ttl'),
  display_name: text(),
  num_uses: integer(),
  period: positive('period'),
  entity_alias: text(),
} satisfies FieldSet;

export const CREATE_FIELDS = described(FIELDS, {
  id: 'Text of the token. Requires sudo.',
  policies: "Policies of the token. Empty: those of the request's token.",
  meta: 'Strings by name. Lookups return them.',
  no_parent: "Whether the token stays valid when the request's token is revoked.",
  no_default_policy: 'Whether to omit the default policy.',
  renewable: 'Whether the token can be renewed.',
  ttl: 'Initial lifetime.',
  lease: 'Former name of ttl.',
  type: 'service or batch.',
  explicit_max_ttl: 'Maximum lifetime, including renewals; 0: no limit.',
  display_name: 'Name in lookups, with the prefix `token-`.',
  num_uses: 'Number of uses; 0: no limit.',
  period: 'Lifetime after each renewal, without a maximum.',
  entity_alias: "Alias of the token's entity, if the role allows it.",
});

export type CreateRequest = Readonly<Values<typeof CREATE_FIELDS>>;

/** @throws AppError bad-request */
export function createRequest(data: Readonly<Record<string, unknown>>): CreateRequest {
  const { values } = parseFields(CREATE_FIELDS, data);
  const initial = Object.entries(CREATE_FIELDS).map(([name, field]) => [name, field.initial]);
  const request = { ...(Object.fromEntries(initial) as CreateRequest), ...values };
  if (request.num_uses < 0) refuse('number of uses cannot be negative');
  if (request.display_name.length > MAX_DISPLAY_NAME) refuse("'display_name' is too long");
  return { ...request, ttl: request.ttl || request.lease };
}

/** Field for strings by name. */
function metadata(): Field<Readonly<Record<string, string>> | null> {
  return { initial: null, schema: { type: 'object' }, parse: parseMetadata };
}

function parseMetadata(value: unknown): Readonly<Record<string, string>> | null {
  if (value === null || value === '') return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw badMetadata('expected strings by name');
  const entries = Object.entries(value).map(([key, item]) => [key, metadataText(item)] as const);
  if (entries.length > MAX_METADATA) throw badMetadata(`at most ${MAX_METADATA} entries are allowed`);
  const isTooLong = ([key, item]: readonly [string, string]) =>
    key.length > MAX_METADATA_KEY || item.length > MAX_METADATA_VALUE;
  if (entries.some(isTooLong)) throw badMetadata('a name or a value is too long');
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function metadataText(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.includes('\0')) throw badMetadata('expected strings by name');
  return value;
}

/** A duration with its own message for negative values. */
function positive(name: string): Field<number> {
  const duration = seconds();
  return {
    ...duration,
    parse(value) {
      if (/^\s*-/.test(String(value))) refuse(`${name} must be positive`);
      return duration.parse(value);
    },
  };
}

function badMetadata(why: string): AppError {
  return new AppError('bad-request', `Field validation failed: error converting input for field "meta": ${why}`);
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}

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
/** @limit the name of an entry of the metadata of a token, characters -> 400 */
const MAX_METADATA_KEY = 128;
/** @limit the value of an entry of the metadata of a token, characters -> 400 */
const MAX_METADATA_VALUE = 512;
/** @limit the display name of a token, characters -> 400 */
const MAX_DISPLAY_NAME = 256;

/** What a request for a token may say (facts §8.4). */
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
  id: 'The text of the token, for who may choose it.',
  policies: 'Policies of the token. Empty: those of the token of the request.',
  meta: 'Texts by name, shown by look-ups.',
  no_parent: 'Whether it lives on when the token of the request ends.',
  no_default_policy: 'Whether it goes without the default policy.',
  renewable: 'Whether it can be renewed.',
  ttl: 'How long it lives.',
  lease: 'The old name of ttl.',
  type: 'service or batch.',
  explicit_max_ttl: 'How long it can live however often it is renewed; 0: no limit.',
  display_name: 'Shown by look-ups, behind `token-`.',
  num_uses: 'How often it can be used; 0: no limit.',
  period: 'What each renewal gives it, without an end to that.',
  entity_alias: 'Whom it stands for, where the role allows that.',
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

/** Texts by name. */
function metadata(): Field<Readonly<Record<string, string>> | null> {
  return { initial: null, schema: { type: 'object' }, parse: parseMetadata };
}

function parseMetadata(value: unknown): Readonly<Record<string, string>> | null {
  if (value === null || value === '') return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw badMetadata('expected texts by name');
  const entries = Object.entries(value).map(([key, item]) => [key, metadataText(item)] as const);
  if (entries.length > MAX_METADATA) throw badMetadata(`at most ${MAX_METADATA} are taken`);
  const isTooLong = ([key, item]: readonly [string, string]) =>
    key.length > MAX_METADATA_KEY || item.length > MAX_METADATA_VALUE;
  if (entries.some(isTooLong)) throw badMetadata('a name or a value is too long');
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function metadataText(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.includes('\0')) throw badMetadata('expected texts by name');
  return value;
}

/** A duration with a text of its own for a negative one. */
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

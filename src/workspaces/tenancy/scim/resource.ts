import { isEmail } from '../user/email.ts';
import { scimError } from './scim-error.ts';

/** Resource as the directory sends it. */
export interface Json {
  [name: string]: unknown;
}

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** @limit name or id from the SCIM directory, characters -> 400 */
const LONGEST_NAME = 254;
/** @limit attributes of one user from the SCIM directory, characters of JSON -> 400 */
const MAX_RESOURCE = 32_768;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the name as the object spells it: attribute names ignore case (RFC 7643 §2.1). */
export function keyOf(holder: Json, name: string): string {
  return (
    Object.keys(holder).find((key) => key.toLowerCase() === name.toLowerCase()) ??
    CANONICAL.get(name.toLowerCase()) ??
    name
  );
}

const CANONICAL = new Map(
  [
    'userName',
    'externalId',
    'displayName',
    'active',
    'emails',
    'name',
    'members',
    'id',
    'meta',
    'groups',
    'password',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Returns the object's own attribute, ignoring case. */
export function member(holder: Json, name: string): unknown {
  const key = keyOf(holder, name);
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/**
 * Renames the attributes that the server uses to its own spelling.
 * @throws 400 for a repeated attribute
 */
export function spelled(given: Json): Json {
  const names = Object.keys(given).map((name) => CANONICAL.get(name.toLowerCase()) ?? name);
  if (new Set(names).size < names.length) throw scimError('invalidSyntax', 'An attribute is repeated');
  return Object.fromEntries(Object.values(given).map((value, at) => [names[at] ?? '', value]));
}

/** Attributes of a user that are stored in columns, because they are searched. */
export interface UserFields {
  readonly userName: string;
  readonly externalId: string | null;
  /** Primary email address, or the first one. Undefined if it is not a valid one. */
  readonly email: string | undefined;
  readonly active: boolean;
  /** All attributes as they were sent, except a password, which is never stored. */
  readonly resource: Json;
}

/**
 * Parses a user.
 * @param before value of `active` if the request has none: a deactivated user stays deactivated
 * @throws 400 for invalid attributes
 */
export function userFields(given: Json, before = true): UserFields {
  const { id: _id, meta: _meta, groups: _groups, password: _secret, ...resource } = spelled(given);
  const userName = nameIn(resource, 'userName');
  if (userName === undefined) throw scimError('invalidValue', 'userName: is missing');
  const active = asFlag(resource.active ?? before);
  if (active === undefined) throw scimError('invalidValue', 'active: must be true or false');
  if (JSON.stringify(resource).length > MAX_RESOURCE)
    throw scimError('tooMany', 'The attributes of the user are too large');
  const externalId = nameIn(resource, 'externalId') ?? null;
  return { userName, externalId, email: emailIn(resource.emails), active, resource: { ...resource, active } };
}

/**
 * Returns the value of a name attribute; undefined if it is missing.
 * @throws 400 for an invalid name
 */
export function nameIn(resource: Json, attribute: string): string | undefined {
  const value = resource[attribute];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.trim() === '' || value.length > LONGEST_NAME || value.includes('\0')) {
    throw scimError('invalidValue', `${attribute}: must be a text of 1 to ${LONGEST_NAME} characters`);
  }
  return value;
}

function emailIn(emails: unknown): string | undefined {
  const all = Array.isArray(emails) ? emails.filter(isObject) : [];
  const chosen = all.find((one) => asFlag(member(one, 'primary'))) ?? all[0];
  const value = chosen && member(chosen, 'value');
  const isOne = typeof value === 'string' && value.length <= LONGEST_NAME && !value.includes('\0') && isEmail(value);
  return isOne ? value : undefined;
}

/** Some directories send booleans as texts. */
function asFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

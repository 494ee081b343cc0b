import { isEmail } from '../user/email.ts';
import { scimError } from './scim-error.ts';

/** A resource as a directory writes it. */
export interface Json {
  [name: string]: unknown;
}

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** @limit a name or an id that a directory gives, characters -> 400 */
const LONGEST_NAME = 254;
/** @limit what a directory says of one person, characters of JSON -> 400 */
const MAX_RESOURCE = 32_768;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As it is spelled there: names are alike whatever their case (RFC 7643 §2.1). */
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

/** What an object of ours holds itself under a name, whatever its case. */
export function member(holder: Json, name: string): unknown {
  const key = keyOf(holder, name);
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** With the names that are looked at as they are spelled here. @throws 400 for one that is there twice */
export function spelled(given: Json): Json {
  const names = Object.keys(given).map((name) => CANONICAL.get(name.toLowerCase()) ?? name);
  if (new Set(names).size < names.length) throw scimError('invalidSyntax', 'An attribute is there twice');
  return Object.fromEntries(Object.values(given).map((value, at) => [names[at] ?? '', value]));
}

/** What is kept of a person apart, for it is looked for. */
export interface UserFields {
  readonly userName: string;
  readonly externalId: string | null;
  /** The primary address, or else the first; undefined for what is none. */
  readonly email: string | undefined;
  readonly active: boolean;
  /** The rest as it was written; a password is never kept. */
  readonly resource: Json;
}

/**
 * @param before whether they are let in where it is not said: who was deactivated stays so
 * @throws 400 for what no person can be
 */
export function userFields(given: Json, before = true): UserFields {
  const { id: _id, meta: _meta, groups: _groups, password: _secret, ...resource } = spelled(given);
  const userName = nameIn(resource, 'userName');
  if (userName === undefined) throw scimError('invalidValue', 'userName: it is missing');
  const active = asFlag(resource.active ?? before);
  if (active === undefined) throw scimError('invalidValue', 'active: it has to be true or false');
  if (JSON.stringify(resource).length > MAX_RESOURCE)
    throw scimError('tooMany', 'That is more than is kept of a person');
  const externalId = nameIn(resource, 'externalId') ?? null;
  return { userName, externalId, email: emailIn(resource.emails), active, resource: { ...resource, active } };
}

/** @returns undefined where it is not said. @throws 400 for what is no name */
export function nameIn(resource: Json, attribute: string): string | undefined {
  const value = resource[attribute];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.trim() === '' || value.length > LONGEST_NAME || value.includes('\0')) {
    throw scimError('invalidValue', `${attribute}: it has to be a text of 1 to ${LONGEST_NAME} characters`);
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

/** Some directories send flags as texts. */
function asFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

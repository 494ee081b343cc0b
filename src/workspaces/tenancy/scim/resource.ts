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

/** What is kept of a person apart, for it is looked for. */
export interface UserFields {
  readonly userName: string;
  readonly externalId: string | null;
  /** The primary address, or else the first. */
  readonly email: string | undefined;
  readonly active: boolean;
  /** The rest as it was written; a password is never kept. */
  readonly resource: Json;
}

/** @throws 400 for what no person can be */
export function userFields(given: Json): UserFields {
  const { id: _id, meta: _meta, groups: _groups, password: _secret, ...resource } = given;
  const userName = nameIn(resource, 'userName');
  if (userName === undefined) throw scimError('invalidValue', 'userName: it is missing');
  const active = asFlag(resource.active ?? true);
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
  const value = (all.find(({ primary }) => asFlag(primary)) ?? all[0])?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Some directories send flags as texts. */
function asFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

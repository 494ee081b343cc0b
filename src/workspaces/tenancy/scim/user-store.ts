import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { type Fragment, fragment, selectSlice } from '../../query/dynamic.ts';
import type { ListedAccount } from '../federation/directory.ts';
import { foldedEmail } from '../user/email.ts';
import type { Condition } from './filter.ts';
import { unknown } from './filter.ts';
import type { Json } from './resource.ts';

/** User that the directory has provisioned. */
export interface ScimUser {
  /** Id of the account, which is also the id of the resource. */
  readonly id: string;
  readonly resource: Json;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly deleted: boolean;
  /** Time at which the directory suspended the account. Null while it is not suspended by the directory. */
  readonly suspendedAt: number | null;
  /** True if the account existed before the directory provisioned it. */
  readonly adopted: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface Row extends Omit<ScimUser, 'resource' | 'active' | 'deleted' | 'adopted'> {
  readonly resource: string;
  readonly active: number;
  readonly deleted: number;
  readonly adopted: number;
}

const COLUMNS = `u.account_id AS id, u.resource, u.external_id AS "externalId", u.active, u.deleted,
  u.suspended_at AS "suspendedAt", u.adopted, u.created_at AS "createdAt", u.updated_at AS "updatedAt"`;
const FROM = 'scim_user u JOIN account a ON a.id = u.account_id';

const selectById = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM scim_user u WHERE u.account_id = :id`);
const selectByName = sql<{ userName: string }, Row>(`SELECT ${COLUMNS} FROM scim_user u WHERE u.user_name = :userName`);
const selectListed = sql<{ externalId: string }, { id: string; guarded: number }>(
  `SELECT a.id, CASE WHEN u.adopted = 1 OR (a.site_admin = 1 AND a.managed_site_admin = 0) THEN 1 ELSE 0 END AS guarded
   FROM scim_user u JOIN account a ON a.id = u.account_id WHERE u.external_id = :externalId
   ORDER BY u.deleted, u.updated_at DESC LIMIT 1`,
);
const selectVouchedFor = sql<{ externalId: string }, { id: string }>(
  'SELECT DISTINCT account_id AS id FROM federated_identity WHERE directory_id = :externalId LIMIT 2',
);
const removeRow = sql<{ id: string }>('DELETE FROM scim_user WHERE account_id = :id');
const putRow = sql<Record<string, string | number | null>>(
  `INSERT INTO scim_user (account_id, user_name, external_id, resource, active, deleted, suspended_at, adopted,
     created_at, updated_at)
   VALUES (:id, :userName, :externalId, :resource, :active, :deleted, :suspendedAt, :adopted, :createdAt, :updatedAt)
   ON CONFLICT (account_id) DO UPDATE SET user_name = excluded.user_name, external_id = excluded.external_id,
     resource = excluded.resource, active = excluded.active, deleted = excluded.deleted,
     suspended_at = excluded.suspended_at, updated_at = excluded.updated_at`,
);
const countRows = sql<{ limit: number }, { count: number }>(
  'SELECT COUNT(*) AS count FROM (SELECT 1 FROM scim_user LIMIT :limit) u',
);
const selectOtherAdmin = sql<{ id: string }, { id: string }>(
  `SELECT id FROM account WHERE site_admin = 1 AND suspended_at IS NULL AND organization_id IS NULL AND id <> :id LIMIT 1`,
);

/** Finds a user, including deleted users. */
export async function findScimUser(db: Queries, id: string): Promise<ScimUser | undefined> {
  return read(await db.one(selectById, { id }));
}

/** Finds a user by name, ignoring case. Includes deleted users. */
export async function findScimUserByName(db: Queries, userName: string): Promise<ScimUser | undefined> {
  return read(await db.one(selectByName, { userName: userName.toLowerCase() }));
}

/** Finds a user by the id in the directory, including deleted users. */
export async function findByExternalId(db: Queries, externalId: string): Promise<ListedAccount | undefined> {
  const found = await db.one(selectListed, { externalId });
  return found && { id: found.id, isGuarded: found.guarded === 1 };
}

/** Returns the account for which an identity provider has reported this directory id, if there is exactly one. */
export async function findVouchedAccount(db: Queries, externalId: string): Promise<string | undefined> {
  const found = await db.all(selectVouchedFor, { externalId });
  return found.length === 1 ? found[0]?.id : undefined;
}

/** Deletes the entry of a user who is provisioned again with another account. */
export function removeScimUser(db: Queries, id: string) {
  return db.run(removeRow, { id });
}

/**
 * Stores a user.
 * @throws UniqueViolation if another user has the name
 */
export function putScimUser(db: Queries, user: ScimUser & { readonly userName: string }) {
  return db.run(putRow, {
    ...user,
    userName: user.userName.toLowerCase(),
    resource: JSON.stringify(user.resource),
    active: Number(user.active),
    deleted: Number(user.deleted),
    adopted: Number(user.adopted),
  });
}

/** Counts users, up to a limit. */
export async function countScimUsers(db: Queries, limit: number): Promise<number> {
  return (await db.one(countRows, { limit }))?.count ?? 0;
}

/** Returns whether the server has another site administrator. */
export async function hasOtherAdmin(db: Queries, id: string): Promise<boolean> {
  return (await db.one(selectOtherAdmin, { id })) !== undefined;
}

/**
 * Lists users that are not deleted, in the order of their creation.
 * @throws 400 for an attribute that cannot be searched
 */
export async function listScimUsers(db: Queries, conditions: readonly Condition[], page: Page) {
  const where = [fragment`u.deleted = 0`, ...conditions.map(holds)];
  const { items, total } = await selectSlice<Row>(
    db,
    { columns: COLUMNS, from: FROM, where, orderBy: 'u.created_at, u.account_id' },
    page,
  );
  return { items: items.flatMap((row) => read(row) ?? []), total };
}

function holds({ attribute, value }: Condition): Fragment {
  switch (attribute) {
    case 'username':
      return fragment`u.user_name = ${value.toLowerCase()}`;
    case 'externalid':
      return fragment`u.external_id = ${value}`;
    case 'id':
      return fragment`u.account_id = ${value}`;
    case 'active':
      return fragment`u.active = ${Number(value.toLowerCase() === 'true')}`;
    case 'emails':
    case 'emails.value':
      return fragment`lower(a.email) = ${foldedEmail(value)}`;
    default:
      throw unknown();
  }
}

function read(row: Row | undefined): ScimUser | undefined {
  if (row === undefined) return undefined;
  const flags = { active: row.active === 1, deleted: row.deleted === 1, adopted: row.adopted === 1 };
  return { ...row, ...flags, resource: JSON.parse(row.resource) as Json };
}

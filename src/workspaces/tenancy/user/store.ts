import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { containing, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { foldedEmail } from './email.ts';

/** User who signs in with tokens. Flags are 0 or 1. */
export interface User {
  readonly id: string;
  readonly username: string;
  /** Email address that the operator gave or confirmed. Invitations are matched by it. */
  readonly email: string;
  /** Email address that the user has entered, until the operator confirms it. */
  readonly unconfirmedEmail: string | null;
  /** 1 for a service account, which stands for an organization where a user is shown. */
  readonly service: number;
  /** 1 for the placeholder of an invited user until they accept. It has a generated name and no token. */
  readonly invited: number;
  /** 1 for a site administrator. */
  readonly siteAdmin: number;
  /** While it is set, all tokens of the user are refused. */
  readonly suspendedAt: number | null;
  /**
   * Organization whose identity provider authenticates the user. Such a user can be a member of this organization
   * only. Null for other users.
   */
  readonly organizationId: string | null;
  readonly createdAt: number;
}

/** Filter for users. */
export interface UserFilter {
  /** Part of the name or the email address. */
  readonly query: string;
  readonly admin: boolean | undefined;
  readonly suspended: boolean | undefined;
}

const COLUMNS = `id, username, email, unconfirmed_email AS "unconfirmedEmail", service, invited, site_admin AS "siteAdmin",
  suspended_at AS "suspendedAt", organization_id AS "organizationId", created_at AS "createdAt"`;

const selectById = sql<{ id: string }, User>(`SELECT ${COLUMNS} FROM account WHERE id = :id`);
const selectByName = sql<{ username: string }, User>(`SELECT ${COLUMNS} FROM account WHERE username = :username`);
const selectByEmail = sql<{ email: string }, User>(
  `SELECT ${COLUMNS} FROM account WHERE lower(email) = :email AND service = 0 AND invited = 0
   ORDER BY created_at, id LIMIT 1`,
);
const selectOrganizations = sql<{ id: string }, { organizationId: string }>(
  `SELECT organization_id AS "organizationId" FROM organization_membership WHERE account_id = :id
   UNION
   SELECT t.organization_id FROM team_member m JOIN team t ON t.id = m.team_id WHERE m.account_id = :id
   UNION
   SELECT id FROM organization WHERE service_account_id = :id`,
);
const insertUserStatement = sql<{ [Column in keyof User]: User[Column] }>(
  `INSERT INTO account (id, username, email, unconfirmed_email, service, invited, site_admin, suspended_at,
     organization_id, created_at)
   VALUES (:id, :username, :email, :unconfirmedEmail, :service, :invited, :siteAdmin, :suspendedAt,
     :organizationId, :createdAt)`,
);
const updateSiteAdmin = sql<{ id: string; siteAdmin: number }>(
  'UPDATE account SET site_admin = :siteAdmin WHERE id = :id',
);
const selectFirstAdmin = sql<Record<string, never>, User>(
  `SELECT ${COLUMNS} FROM account WHERE site_admin = 1 AND service = 0 AND suspended_at IS NULL ORDER BY created_at, id LIMIT 1`,
);
const updateSuspended = sql<{ id: string; suspendedAt: number | null }>(
  'UPDATE account SET suspended_at = :suspendedAt WHERE id = :id',
);
const updateUserStatement = sql<{ id: string; username: string; email: string; unconfirmedEmail: string | null }>(
  'UPDATE account SET username = :username, email = :email, unconfirmed_email = :unconfirmedEmail WHERE id = :id',
);

export function findUser(db: Queries, id: string) {
  return db.one(selectById, { id });
}

export function findUserByUsername(db: Queries, username: string) {
  return db.one(selectByName, { username });
}

/** Returns the ids of the users with these exact names. */
export async function userIdsByNames(db: Queries, usernames: readonly string[]): Promise<string[]> {
  const query = fragment<{ id: string }>`select id from account where ${isOneOf('username', usernames)} order by id`;
  return (await select(db, query)).map(({ id }) => id);
}

/** Returns which of these users are accounts of organization tokens. */
export async function serviceAccountsAmong(db: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const query = fragment<{ id: string }>`select id from account where service = 1 and ${isOneOf('id', ids)}`;
  return new Set((await select(db, query)).map(({ id }) => id));
}

/** Returns the oldest site administrator. */
export function firstSiteAdmin(db: Queries) {
  return db.one(selectFirstAdmin, {});
}

/** Finds a user, ignoring case. */
export function findUserByEmail(db: Queries, email: string) {
  return db.one(selectByEmail, { email: foldedEmail(email) });
}

/** Returns the users that exist. */
export function findUsers(db: Queries, ids: readonly string[]) {
  return select(db, fragment<User>`select ${fragment.raw(COLUMNS)} from account where ${isOneOf('id', ids)}`);
}

/** Returns the organizations of which the user is a visible member. */
export function organizationsOf(db: Queries, id: string) {
  return db.all(selectOrganizations, { id });
}

/**
 * Inserts a user.
 * @throws UniqueViolation if the name is taken
 */
export function insertUser(db: Queries, user: User) {
  return db.run(insertUserStatement, { ...user });
}

/**
 * Updates a user.
 * @throws UniqueViolation if the name is taken
 */
export function updateUser(db: Queries, { id, username, email, unconfirmedEmail }: User) {
  return db.run(updateUserStatement, { id, username, email, unconfirmedEmail });
}

/** Updates this column only, so that a concurrent change of the other one is not lost. */
export function setSiteAdmin(db: Queries, id: string, siteAdmin: number) {
  return db.run(updateSiteAdmin, { id, siteAdmin });
}

export function setSuspended(db: Queries, id: string, suspendedAt: number | null) {
  return db.run(updateSuspended, { id, suspendedAt });
}

/** Lists users by name. */
export function listUsers(db: Queries, { query, admin, suspended }: UserFilter, page: Page) {
  const pattern = containing(query.toLowerCase());
  const where = [
    fragment`service = 0 and invited = 0`,
    ...(query === ''
      ? []
      : [fragment`(lower(username) like ${pattern} escape '\\' or lower(email) like ${pattern} escape '\\')`]),
    ...(admin === undefined ? [] : [fragment`site_admin = ${Number(admin)}`]),
    ...(suspended === undefined
      ? []
      : [suspended ? fragment`suspended_at is not null` : fragment`suspended_at is null`]),
  ];
  return selectSlice<User>(db, { columns: COLUMNS, from: 'account', where, orderBy: 'username, id' }, page);
}

import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { containing, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { foldedEmail } from './email.ts';

/** Somebody who signs in with tokens. Flags are 0 or 1. */
export interface User {
  readonly id: string;
  readonly username: string;
  /** Given or confirmed by the operator: invitations go by it. */
  readonly email: string;
  /** What the user would like it to be. */
  readonly unconfirmedEmail: string | null;
  /** No person: it stands where a user is shown and there is none. */
  readonly service: number;
  /** Nobody: it stands for whoever is invited, until they accept. It has no name that anybody chose, and no token. */
  readonly invited: number;
  /** Sets the installation up. */
  readonly siteAdmin: number;
  /** No token of theirs lets anybody in. */
  readonly suspendedAt: number | null;
  /** Whose provider vouches for them: they are of that organization, and of no other. Null for everybody else. */
  readonly organizationId: string | null;
  readonly createdAt: number;
}

/** Which people are looked for. */
export interface UserFilter {
  /** In a name or an address. */
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

/** The one who has been a person of the installation longest. */
export function firstSiteAdmin(db: Queries) {
  return db.one(selectFirstAdmin, {});
}

/** A person, whatever the case. */
export function findUserByEmail(db: Queries, email: string) {
  return db.one(selectByEmail, { email: foldedEmail(email) });
}

/** Those that exist. */
export function findUsers(db: Queries, ids: readonly string[]) {
  return select(db, fragment<User>`select ${fragment.raw(COLUMNS)} from account where ${isOneOf('id', ids)}`);
}

/** The organizations in which somebody is shown. */
export function organizationsOf(db: Queries, id: string) {
  return db.all(selectOrganizations, { id });
}

/** @throws UniqueViolation when somebody has the name */
export function insertUser(db: Queries, user: User) {
  return db.run(insertUserStatement, { ...user });
}

/** @throws UniqueViolation when somebody has the name */
export function updateUser(db: Queries, { id, username, email, unconfirmedEmail }: User) {
  return db.run(updateUserStatement, { id, username, email, unconfirmedEmail });
}

/** Each alone: whoever changes the other at the same moment is not undone. */
export function setSiteAdmin(db: Queries, id: string, siteAdmin: number) {
  return db.run(updateSiteAdmin, { id, siteAdmin });
}

export function setSuspended(db: Queries, id: string, suspendedAt: number | null) {
  return db.run(updateSuspended, { id, suspendedAt });
}

/** By name. */
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

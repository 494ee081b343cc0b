import { type Queries, sql } from '../../storage/index.ts';
import type { Page } from '../jsonapi/pagination.ts';
import type { Grant, OrganizationAccess } from '../permissions/grants.ts';
import { fragment, select, selectSlice } from '../query/dynamic.ts';

/** A secret team is hidden from those who are not in it. */
export type Visibility = 'secret' | 'organization';

/** A team as it is read. */
export interface TeamRow {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly owners: number;
  readonly visibility: Visibility;
  /** JSON of the flags. */
  readonly access: string;
  readonly userCount: number;
}

/** A team as it is made. */
export interface NewTeam {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly owners: boolean;
  readonly visibility: Visibility;
  readonly access: OrganizationAccess;
  readonly createdAt: number;
}

const COLUMNS = `t.id, t.organization_id AS "organizationId", o.name AS "organizationName", t.name, t.owners,
  t.visibility, t.access, (SELECT COUNT(*) FROM team_member m WHERE m.team_id = t.id) AS "userCount"`;
const FROM = 'team t JOIN organization o ON o.id = t.organization_id';

const selectById = sql<{ id: string }, TeamRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE t.id = :id`);
const insertTeam = sql<{
  id: string;
  organizationId: string;
  name: string;
  owners: number;
  visibility: string;
  access: string;
  createdAt: number;
}>(
  `INSERT INTO team (id, organization_id, name, owners, visibility, access, created_at)
   VALUES (:id, :organizationId, :name, :owners, :visibility, :access, :createdAt)`,
);
const insertMember = sql<{ teamId: string; accountId: string }>(
  'INSERT INTO team_member (team_id, account_id) VALUES (:teamId, :accountId)',
);
const update = sql<{ id: string; name: string | null; visibility: string | null }, { access: string }>(
  `UPDATE team SET name = COALESCE(:name, name), visibility = COALESCE(:visibility, visibility)
   WHERE id = :id RETURNING access`,
);
const setAccess = sql<{ id: string; access: string }>('UPDATE team SET access = :access WHERE id = :id');
const removeTeam = sql<{ id: string }>('DELETE FROM team WHERE id = :id');

/** Undefined when there is none. */
export function byId(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Those that exist. At least one id. */
export function byIds(db: Queries, ids: readonly string[]) {
  const from = fragment.raw(`${COLUMNS} FROM ${FROM}`);
  return select(db, fragment<TeamRow>`select ${from} where t.id in (${fragment.join(ids)})`);
}

/** A secret team is listed for owners and for those who act for it. */
export function list(db: Queries, organizationId: string, grant: Grant, names: readonly string[], page: Page) {
  const where = [fragment`t.organization_id = ${organizationId}`];
  if (!grant.owner) {
    where.push(fragment`(t.visibility = 'organization' or t.id in (${fragment.join(grant.teamIds)}))`);
  }
  if (names.length > 0) where.push(fragment`t.name in (${fragment.join(names)})`);
  const query = { columns: COLUMNS, from: FROM, where, orderBy: 't.name' };
  return selectSlice<TeamRow>(db, query, page);
}

/** @throws UniqueViolation when the organization has a team of that name */
export function insert(db: Queries, team: NewTeam) {
  return db.run(insertTeam, { ...team, owners: Number(team.owners), access: JSON.stringify(team.access) });
}

/** @throws UniqueViolation when the user is in the team */
export function addMember(db: Queries, teamId: string, accountId: string) {
  return db.run(insertMember, { teamId, accountId });
}

/** Locks the row too, so that its access can be changed next. Undefined when it is gone. */
export function updateNames(db: Queries, id: string, name?: string, visibility?: Visibility) {
  return db.one(update, { id, name: name ?? null, visibility: visibility ?? null });
}

/** After `updateNames`. */
export function updateAccess(db: Queries, id: string, access: OrganizationAccess) {
  return db.run(setAccess, { id, access: JSON.stringify(access) });
}

/** Members and machine identities go with it. */
export function remove(db: Queries, id: string) {
  return db.run(removeTeam, { id });
}

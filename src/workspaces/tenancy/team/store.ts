import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { containing, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { Grant, OrganizationAccess } from '../permissions/grants.ts';
import { seesSecretTeams } from '../permissions/team.ts';

/** Visibility of a team. Only members, owners and actors with permission see a secret team. */
export type Visibility = 'secret' | 'organization';

/** Row of a team. */
export interface TeamRow {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly owners: number;
  readonly visibility: Visibility;
  /** Permissions of the team, as JSON with the flags. */
  readonly access: string;
  readonly ssoTeamId: string | null;
  readonly allowsMemberTokens: number;
  readonly userCount: number;
  /** Group of the SCIM directory that gives the team. This and the next two are null without one. */
  readonly scimGroupName: string | null;
  readonly scimPaused: number;
  /** 1 while SCIM provisioning is on. */
  readonly scimEnabled: number;
  readonly scimUpdatedAt: number | null;
}

/** Settings of a team, as stored. */
type Settings = Readonly<Pick<TeamRow, 'name' | 'visibility' | 'access' | 'ssoTeamId' | 'allowsMemberTokens'>>;

/** Changes from a client. Missing fields keep their values. */
export interface TeamInput {
  readonly name?: string;
  readonly visibility?: Visibility;
  readonly access?: Partial<OrganizationAccess>;
  readonly ssoTeamId?: string | null;
  readonly allowsMemberTokens?: boolean;
}

/** Filter for teams. */
export interface TeamFilter {
  /** Exact names. */
  readonly names: readonly string[];
  /** Part of the name, in any case. */
  readonly query: string;
}

const COLUMNS = `t.id, t.organization_id AS "organizationId", o.name AS "organizationName", t.name, t.owners,
  t.visibility, t.access, t.sso_team_id AS "ssoTeamId", t.allow_member_token_management AS "allowsMemberTokens",
  (SELECT COUNT(*) FROM team_member m WHERE m.team_id = t.id) AS "userCount",
  (SELECT g.display_name FROM scim_group g WHERE g.id = t.scim_group_id) AS "scimGroupName",
  COALESCE((SELECT s.enabled FROM scim_setting s), 0) AS "scimEnabled",
  t.scim_sync_paused AS "scimPaused", t.scim_updated_at AS "scimUpdatedAt"`;
const FROM = 'team t JOIN organization o ON o.id = t.organization_id';

const selectById = sql<{ id: string }, TeamRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE t.id = :id`);
const insertTeamStatement = sql<{ id: string; organizationId: string; owners: number; createdAt: number } & Settings>(
  `INSERT INTO team (id, organization_id, name, owners, visibility, access, sso_team_id,
     allow_member_token_management, created_at)
   VALUES (:id, :organizationId, :name, :owners, :visibility, :access, :ssoTeamId, :allowsMemberTokens, :createdAt)`,
);
// Locks the row, because a change depends on its current values.
const claimTeamStatement = sql<{ id: string }, Settings>(
  `UPDATE team SET name = name WHERE id = :id RETURNING name, visibility, access, sso_team_id AS "ssoTeamId",
     allow_member_token_management AS "allowsMemberTokens"`,
);
const updateTeamStatement = sql<{ id: string } & Settings>(
  `UPDATE team SET name = :name, visibility = :visibility, access = :access, sso_team_id = :ssoTeamId,
     allow_member_token_management = :allowsMemberTokens WHERE id = :id`,
);
const removeTeamStatement = sql<{ id: string }>('DELETE FROM team WHERE id = :id');

/** Finds a team. Returns undefined if it does not exist. */
export function findTeam(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Returns the teams that exist. */
export function findTeams(db: Queries, ids: readonly string[]) {
  const from = fragment.raw(`${COLUMNS} FROM ${FROM}`);
  return select(db, fragment<TeamRow>`select ${from} where ${isOneOf('t.id', ids)}`);
}

/** Lists the teams that the grant shows, by name. */
export function listTeams(db: Queries, organizationId: string, grant: Grant, { names, query }: TeamFilter, page: Page) {
  const where = [fragment`t.organization_id = ${organizationId}`];
  if (!seesSecretTeams(grant)) {
    where.push(fragment`(t.visibility = 'organization' or ${isOneOf('t.id', grant.teamIds)})`);
  }
  if (names.length > 0) where.push(isOneOf('t.name', names));
  // Names are ASCII, so `lower` gives the same result in both databases.
  const pattern = containing(query.toLowerCase());
  if (query !== '') where.push(fragment`lower(t.name) like ${pattern} escape '\\'`);
  return selectSlice<TeamRow>(db, { columns: COLUMNS, from: FROM, where, orderBy: 't.name' }, page);
}

/**
 * Inserts a team.
 * @throws UniqueViolation if the organization has a team with this name
 */
export function insertTeam(
  db: Queries,
  team: { id: string; organizationId: string; owners: boolean; createdAt: number },
  settings: Settings,
) {
  return db.run(insertTeamStatement, { ...team, owners: Number(team.owners), ...settings });
}

/** Locks the row until the transaction ends. Returns undefined if the team is deleted. */
export function claimTeam(db: Queries, id: string) {
  return db.one(claimTeamStatement, { id });
}

/**
 * Updates the team. Call `claimTeam` first.
 * @throws UniqueViolation if the organization has a team with this name
 */
export function updateTeam(db: Queries, id: string, settings: Settings) {
  return db.run(updateTeamStatement, { id, ...settings });
}

/** Deletes the team with its memberships, machine identities, tokens and grants. */
export function removeTeam(db: Queries, id: string) {
  return db.run(removeTeamStatement, { id });
}

import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { type Fragment, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { GivenTeam } from '../federation/managed-teams.ts';
import { type Condition, unknown } from './filter.ts';

/** Group of users that the directory manages. */
export interface ScimGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const COLUMNS = `g.id, g.display_name AS "displayName", g.external_id AS "externalId", g.created_at AS "createdAt",
  g.updated_at AS "updatedAt"`;
type InGroup = { groupId: string; accountId: string };

const selectById = sql<{ id: string }, ScimGroup>(`SELECT ${COLUMNS} FROM scim_group g WHERE g.id = :id`);
const putRow = sql<Record<string, string | number | null>>(
  `INSERT INTO scim_group (id, display_name, folded_name, external_id, created_at, updated_at)
   VALUES (:id, :displayName, :foldedName, :externalId, :createdAt, :updatedAt)
   ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name, folded_name = excluded.folded_name,
     external_id = excluded.external_id, updated_at = excluded.updated_at`,
);
const removeRow = sql<{ id: string }>('DELETE FROM scim_group WHERE id = :id');
const countRows = sql<{ limit: number }, { count: number }>(
  'SELECT COUNT(*) AS count FROM (SELECT 1 FROM scim_group LIMIT :limit) g',
);
const countMembers = sql<{ groupId: string; limit: number }, { count: number }>(
  'SELECT COUNT(*) AS count FROM (SELECT 1 FROM scim_group_member WHERE group_id = :groupId LIMIT :limit) m',
);
const selectMembers = sql<{ groupId: string; after: string; limit: number }, { accountId: string }>(
  `SELECT account_id AS "accountId" FROM scim_group_member WHERE group_id = :groupId AND account_id > :after
   ORDER BY account_id LIMIT :limit`,
);
const insertMember = sql<InGroup>(
  'INSERT INTO scim_group_member (group_id, account_id) VALUES (:groupId, :accountId) ON CONFLICT DO NOTHING',
);
const removeMember = sql<InGroup>(
  'DELETE FROM scim_group_member WHERE group_id = :groupId AND account_id = :accountId',
);
const removeFromAll = sql<{ accountId: string }>('DELETE FROM scim_group_member WHERE account_id = :accountId');
// A team that is linked to a group is not given by its sso_team_id. Only a link gives the owners team.
const selectTeams = sql<{ accountId: string }, GivenTeam>(
  `SELECT t.id, t.organization_id AS "organizationId", t.owners
   FROM scim_group_member m JOIN team t ON t.scim_group_id = m.group_id
     JOIN organization o ON o.id = t.organization_id AND o.deleted_at IS NULL
   WHERE m.account_id = :accountId AND t.scim_sync_paused = 0
   UNION
   SELECT t.id, t.organization_id, t.owners
   FROM scim_group_member m JOIN scim_group g ON g.id = m.group_id
     JOIN team t ON t.sso_team_id IN (g.display_name, g.external_id)
     JOIN organization o ON o.id = t.organization_id AND o.deleted_at IS NULL
   WHERE m.account_id = :accountId AND t.scim_group_id IS NULL AND t.owners = 0`,
);
const selectPaused = sql<{ accountId: string }, GivenTeam>(
  `SELECT t.id, t.organization_id AS "organizationId", t.owners FROM team_member m JOIN team t ON t.id = m.team_id
   WHERE m.account_id = :accountId AND m.managed = 1 AND t.scim_sync_paused = 1`,
);
const selectIn = sql<InGroup, { found: number }>(
  'SELECT 1 AS found FROM scim_group_member WHERE group_id = :groupId AND account_id = :accountId',
);

export function findGroup(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/**
 * Stores a group.
 * @throws UniqueViolation if another group has the name
 */
export function putGroup(db: Queries, group: ScimGroup) {
  return db.run(putRow, { ...group, foldedName: group.displayName.toLowerCase() });
}

export function removeGroup(db: Queries, id: string) {
  return db.run(removeRow, { id });
}

/** Counts groups, up to a limit. */
export async function countGroups(db: Queries, limit: number): Promise<number> {
  return (await db.one(countRows, { limit }))?.count ?? 0;
}

/** Counts members of a group, up to a limit. */
export async function countGroupMembers(db: Queries, groupId: string, limit: number): Promise<number> {
  return (await db.one(countMembers, { groupId, limit }))?.count ?? 0;
}

/** Lists member ids, after the given one. */
export async function listGroupMembers(
  db: Queries,
  groupId: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  return (await db.all(selectMembers, { groupId, after, limit })).map(({ accountId }) => accountId);
}

export async function isGroupMember(db: Queries, groupId: string, accountId: string): Promise<boolean> {
  return (await db.one(selectIn, { groupId, accountId })) !== undefined;
}

export function joinGroup(db: Queries, groupId: string, accountId: string) {
  return db.run(insertMember, { groupId, accountId });
}

export function leaveGroup(db: Queries, groupId: string, accountId: string) {
  return db.run(removeMember, { groupId, accountId });
}

export function leaveAllGroups(db: Queries, accountId: string) {
  return db.run(removeFromAll, { accountId });
}

/** Returns the teams that the groups of an account give. */
export function teamsOfAccount(db: Queries, accountId: string) {
  return db.all(selectTeams, { accountId });
}

/** Returns the account's teams whose link to a group is paused: their membership does not change. */
export function pausedTeamsOf(db: Queries, accountId: string) {
  return db.all(selectPaused, { accountId });
}

/** Returns those accounts that the directory has provisioned. */
export async function findKnownMembers(db: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await select(
    db,
    fragment<{
      id: string;
    }>`select account_id as id from scim_user where deleted = 0 and ${isOneOf('account_id', ids)}`,
  );
  return new Set(found.map(({ id }) => id));
}

const ALL = fragment`g.id is not null`;

/**
 * Lists groups in the order of their creation.
 * @throws 400 for an attribute that cannot be searched
 */
export function listGroups(db: Queries, conditions: readonly Condition[], page: Page) {
  return selectSlice<ScimGroup>(
    db,
    { columns: COLUMNS, from: 'scim_group g', where: [ALL, ...conditions.map(holds)], orderBy: 'g.created_at, g.id' },
    page,
  );
}

/**
 * Lists groups for site administrators, by name.
 * @param query part of a name, in any case
 */
export function listGroupsNamed(db: Queries, pattern: string | undefined, page: Page) {
  const where = pattern === undefined ? [ALL] : [fragment`g.folded_name like ${pattern} escape '\\'`];
  return selectSlice<ScimGroup>(
    db,
    { columns: COLUMNS, from: 'scim_group g', where, orderBy: 'g.folded_name, g.id' },
    page,
  );
}

function holds({ attribute, value }: Condition): Fragment {
  switch (attribute) {
    case 'displayname':
      return fragment`g.folded_name = ${value.toLowerCase()}`;
    case 'externalid':
      return fragment`g.external_id = ${value}`;
    case 'id':
      return fragment`g.id = ${value}`;
    case 'members':
    case 'members.value':
      return fragment`exists (select 1 from scim_group_member m where m.group_id = g.id and m.account_id = ${value})`;
    default:
      throw unknown();
  }
}

/** Team and the group that gives it. */
export interface LinkableTeam {
  readonly id: string;
  readonly owners: number;
  readonly groupId: string | null;
}

const selectTeam = sql<{ id: string }, LinkableTeam>(
  `SELECT t.id, t.owners, t.scim_group_id AS "groupId" FROM team t
   JOIN organization o ON o.id = t.organization_id AND o.deleted_at IS NULL WHERE t.id = :id`,
);
const updateLink = sql<{ id: string; groupId: string | null; paused: number; now: number }>(
  'UPDATE team SET scim_group_id = :groupId, scim_sync_paused = :paused, scim_updated_at = :now WHERE id = :id',
);

const selectManaged = sql<{ id: string }, { accountId: string }>(
  'SELECT account_id AS "accountId" FROM team_member WHERE team_id = :id AND managed = 1 ORDER BY account_id',
);
const selectLinkedTeams = sql<{ groupId: string }, { id: string }>(
  'SELECT id FROM team WHERE scim_group_id = :groupId ORDER BY id',
);

export function findTeam(db: Queries, id: string) {
  return db.one(selectTeam, { id });
}

/** Teams that are linked to the group. */
export function linkedTeams(db: Queries, groupId: string) {
  return db.all(selectLinkedTeams, { groupId });
}

/** Accounts that groups have added to a team. */
export async function managedIn(db: Queries, id: string): Promise<readonly string[]> {
  return (await db.all(selectManaged, { id })).map(({ accountId }) => accountId);
}

export function linkTeam(db: Queries, link: { id: string; groupId: string | null; paused: number; now: number }) {
  return db.run(updateLink, link);
}

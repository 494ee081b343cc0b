import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { anyOf, type Fragment, fragment, isOneOf, selectSlice } from '../../query/dynamic.ts';
import type { PoolIdentity } from '../hooks/hooks.ts';
import type { TeamGrantRow } from '../permissions/grants.ts';

/** Team or agent pool that machines act for. */
export interface IdentityOwner {
  readonly type: 'teams' | 'agent-pools';
  readonly id: string;
}

/**
 * Rule that lets machines act for a team or a pool: they logged in with this role of a mount, and their common name
 * matches.
 */
export interface MachineIdentity {
  readonly id: string;
  /** Team of the identity; null for an identity of a pool. */
  readonly teamId: string | null;
  /** Pool of the identity; null for an identity of a team. */
  readonly agentPoolId: string | null;
  readonly organizationName: string;
  /** Name of the team or the pool. */
  readonly actsFor: string;
  readonly mount: string;
  readonly role: string;
  /** Pattern for common names, with stars. Empty matches any name. */
  readonly commonName: string;
  readonly createdAt: number;
  /** Time of the last login that used it, to the minute. Null if it was never used. */
  readonly lastUsedAt: number | null;
}

/** Identity as a candidate for the role of a login. */
export type Candidate = Pick<MachineIdentity, 'commonName'> & { readonly identityId: string } & (
    | (TeamGrantRow & { readonly agentPoolId: null })
    | (PoolIdentity & { readonly teamId: null })
  );

interface NewRow {
  readonly id: string;
  readonly teamId: string | null;
  readonly agentPoolId: string | null;
  readonly organizationId: string;
  readonly mount: string;
  readonly role: string;
  readonly commonName: string;
  readonly createdAt: number;
}

const COLUMNS = `i.id, i.team_id AS "teamId", i.agent_pool_id AS "agentPoolId", o.name AS "organizationName",
  COALESCE(t.name, p.name) AS "actsFor", i.mount, i.role, i.common_name AS "commonName", i.created_at AS "createdAt",
  i.last_used_at AS "lastUsedAt"`;
const FROM = `machine_identity i JOIN organization o ON o.id = i.organization_id
  LEFT JOIN team t ON t.id = i.team_id LEFT JOIN agent_pool p ON p.id = i.agent_pool_id`;

// Returns all candidates of a role, most specific first: with a common name before without, then the oldest.
const selectCandidates = sql<{ mount: string; role: string }, Candidate>(
  `SELECT i.id AS "identityId", i.common_name AS "commonName", i.agent_pool_id AS "agentPoolId", t.id AS "teamId",
     o.id AS "organizationId", t.owners, t.access
   FROM machine_identity i LEFT JOIN team t ON t.id = i.team_id LEFT JOIN agent_pool p ON p.id = i.agent_pool_id
     JOIN organization o ON o.id = COALESCE(t.organization_id, p.organization_id) AND o.deleted_at IS NULL
   WHERE i.mount = :mount AND i.role = :role
   ORDER BY CASE i.common_name WHEN '' THEN 1 ELSE 0 END, i.created_at, i.id`,
);
const selectOne = sql<{ id: string }, MachineIdentity>(`SELECT ${COLUMNS} FROM ${FROM} WHERE i.id = :id`);
const statements = (column: 'team_id' | 'agent_pool_id') => ({
  page: sql<{ owner: string; size: number; offset: number }, MachineIdentity>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE i.${column} = :owner ORDER BY i.id LIMIT :size OFFSET :offset`,
  ),
  count: sql<{ owner: string }, { count: number }>(
    `SELECT COUNT(*) AS count FROM machine_identity WHERE ${column} = :owner`,
  ),
});
const OF_OWNER = { teams: statements('team_id'), 'agent-pools': statements('agent_pool_id') };
const insertRow = sql<NewRow & Record<string, string | number | null>>(
  `INSERT INTO machine_identity (id, team_id, agent_pool_id, organization_id, mount, role, common_name, created_at)
   VALUES (:id, :teamId, :agentPoolId, :organizationId, :mount, :role, :commonName, :createdAt)`,
);
const removeRow = sql<{ id: string }>('DELETE FROM machine_identity WHERE id = :id');
const touchRow = sql<{ id: string; now: number; before: number }>(
  `UPDATE machine_identity SET last_used_at = :now
   WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :before)`,
);

export function candidateIdentities(db: Queries, mount: string, role: string) {
  return db.all(selectCandidates, { mount, role });
}

/** Finds an identity. Returns undefined if it does not exist. */
export function findIdentity(db: Queries, id: string) {
  return db.one(selectOne, { id });
}

/** Lists the identities of one team or pool, in the order of their creation. */
export async function listIdentitiesOfOwner(db: Queries, { type, id: owner }: IdentityOwner, { size, offset }: Page) {
  const items = await db.all(OF_OWNER[type].page, { owner, size, offset });
  return { items, total: await countIdentities(db, { type, id: owner }) };
}

export async function countIdentities(db: Queries, { type, id: owner }: IdentityOwner): Promise<number> {
  return (await db.one(OF_OWNER[type].count, { owner }))?.count ?? 0;
}

/** Filter for identities. */
export interface IdentityFilter {
  readonly mount?: string | undefined;
  readonly role?: string | undefined;
}

/**
 * Lists identities by mount and role: all identities of the organizations in `all`, and pool identities of those in
 * `pools`.
 */
export function listIdentitiesInOrganizations(
  db: Queries,
  seen: { readonly all: readonly string[]; readonly pools: readonly string[] },
  { mount, role }: IdentityFilter,
  ids: readonly string[] | undefined,
  page: Page,
) {
  const where: Fragment[] = [
    isOneOf('i.organization_id', [...seen.all, ...seen.pools]),
    fragment`o.deleted_at is null`,
    ...(seen.pools.length > 0
      ? [anyOf([isOneOf('i.organization_id', seen.all), fragment`i.agent_pool_id is not null`])]
      : []),
    ...(mount === undefined ? [] : [fragment`i.mount = ${mount}`]),
    ...(role === undefined ? [] : [fragment`i.role = ${role}`]),
    ...(ids === undefined ? [] : [isOneOf('i.id', ids)]),
  ];
  return selectSlice<MachineIdentity>(
    db,
    { columns: COLUMNS, from: FROM, where, orderBy: 'i.mount, i.role, i.id' },
    page,
  );
}

/**
 * Inserts an identity.
 * @throws UniqueViolation if the owner has an identical one
 */
export function insertIdentity(db: Queries, row: NewRow) {
  return db.run(insertRow, { ...row });
}

export function removeIdentity(db: Queries, id: string) {
  return db.run(removeRow, { id });
}

/** Stores a use at `now`, unless there is one after `before`. */
export function recordIdentityUse(db: Queries, use: { id: string; now: number; before: number }) {
  return db.run(touchRow, use);
}

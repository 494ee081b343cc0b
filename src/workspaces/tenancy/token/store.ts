import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { containing, type Fragment, fragment, selectSlice } from '../../query/dynamic.ts';

/** Purpose of a token that belongs to an organization or to the SCIM directory. */
export type Purpose = '' | 'audit-trails' | 'scim';

/** Stored token, without its text. It belongs to a team, an organization or a user. */
export interface Token {
  readonly id: string;
  /** User, or service account of the organization. */
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly purpose: Purpose;
  /** 1 for the only token without a description of a team, and for the only token of a purpose of an organization. */
  readonly onlyOne: number;
  readonly description: string;
  readonly createdBy: string | null;
  readonly createdByTeam: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

const COLUMNS = `k.id, k.account_id AS "userId", k.team_id AS "teamId", k.organization_id AS "organizationId",
  o.name AS "organizationName", k.purpose, k.only_one AS "onlyOne", k.description, k.created_by AS "createdBy",
  k.created_by_team AS "createdByTeam", k.created_at AS "createdAt", k.expires_at AS "expiresAt",
  k.last_used_at AS "lastUsedAt"`;
const FROM = 'authentication_token k LEFT JOIN organization o ON o.id = k.organization_id';

const selectById = sql<{ id: string }, Token>(`SELECT ${COLUMNS} FROM ${FROM} WHERE k.id = :id`);
const selectOfUser = sql<{ userId: string; size: number; offset: number }, Token>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE k.account_id = :userId AND k.idle_ms IS NULL ORDER BY k.id LIMIT :size OFFSET :offset`,
);
const countOfUser = sql<{ userId: string }, { count: number }>(
  'SELECT COUNT(*) AS count FROM authentication_token WHERE account_id = :userId AND idle_ms IS NULL',
);
const selectOnlyOfTeam = sql<{ teamId: string }, Token>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE k.team_id = :teamId AND k.only_one = 1`,
);
const selectOnlyOfOrganization = sql<{ organizationId: string; purpose: string }, Token>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE k.organization_id = :organizationId AND k.purpose = :purpose`,
);
const selectOfDirectory = sql<Record<string, never>, Token>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE k.purpose = 'scim' ORDER BY k.id LIMIT 100`,
);
type NewToken = Omit<Token, 'organizationName'> & { readonly hash: Uint8Array };
const insertTokenStatement = sql<{ [Column in keyof NewToken]: NewToken[Column] }>(
  `INSERT INTO authentication_token (id, account_id, team_id, organization_id, purpose, only_one, hash, description,
     created_by, created_by_team, created_at, expires_at, last_used_at)
   VALUES (:id, :userId, :teamId, :organizationId, :purpose, :onlyOne, :hash, :description,
     :createdBy, :createdByTeam, :createdAt, :expiresAt, :lastUsedAt)
   ON CONFLICT (id) DO NOTHING`,
);
const removeTokens = sql('DELETE FROM authentication_token');
const removeLogins = sql('DELETE FROM login_code');
const removeTokenStatement = sql<{ id: string }>('DELETE FROM authentication_token WHERE id = :id');
// Locks the row, so that concurrent requests create only one such token.
const claimTeam = sql<{ id: string }, { id: string }>('UPDATE team SET name = name WHERE id = :id RETURNING id');

/** Lists the tokens of the SCIM directory. */
export function tokensOfDirectory(db: Queries) {
  return db.all(selectOfDirectory, {});
}

export function findToken(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Lists tokens by id, without sessions. */
export async function listTokensOfUser(db: Queries, userId: string, { size, offset }: Page) {
  const items = await db.all(selectOfUser, { userId, size, offset });
  return { items, total: (await db.one(countOfUser, { userId }))?.count ?? 0 };
}

/** Finds the token without a description. */
export function findTeamToken(db: Queries, teamId: string) {
  return db.one(selectOnlyOfTeam, { teamId });
}

export function findOrganizationToken(db: Queries, organizationId: string, purpose: Purpose) {
  return db.one(selectOnlyOfOrganization, { organizationId, purpose });
}

/**
 * Stores a token. An existing one stays unchanged.
 * @throws UniqueViolation if the team has a token with this description
 */
export function insertToken(db: Queries, { organizationName: _shown, ...token }: Token, hash: Uint8Array) {
  return db.run(insertTokenStatement, { ...token, hash });
}

/** Returns the number of deleted rows. */
export function removeToken(db: Queries, id: string) {
  return db.run(removeTokenStatement, { id });
}

/** Deletes all tokens and sessions. Returns the number of deleted rows. */
export async function removeAllTokens(db: Queries) {
  await db.run(removeLogins, {});
  return db.run(removeTokens, {});
}

/** Locks the row of the team until the transaction ends. Returns undefined if the team is deleted. */
export function lockTeam(db: Queries, id: string) {
  return db.one(claimTeam, { id });
}

/** Sort orders of team tokens. Tokens that were never used come last in both directions. */
export const TEAM_TOKEN_SORTS = {
  'team-name': 't.name, k.id',
  '-team-name': 't.name DESC, k.id',
  'created-by': 'k.created_by, k.id',
  '-created-by': 'k.created_by DESC, k.id',
  'expired-at': 'k.expires_at, k.id',
  '-expired-at': 'k.expires_at DESC, k.id',
  'last-used-at': 'k.last_used_at IS NULL, k.last_used_at, k.id',
  '-last-used-at': 'k.last_used_at IS NULL, k.last_used_at DESC, k.id',
} as const;

export type TeamTokenSort = keyof typeof TEAM_TOKEN_SORTS;

/**
 * Lists tokens of the teams `t` that match, without the short-lived tokens of pipelines. `query` is part of a team's
 * name, in any case.
 */
export function listTokensOfTeams(
  db: Queries,
  teams: readonly Fragment[],
  query: string,
  sort: TeamTokenSort,
  page: Page,
) {
  const pattern = containing(query.toLowerCase());
  const own = fragment`k.pipeline_identity_id is null`;
  const where = [...teams, own, ...(query === '' ? [] : [fragment`lower(t.name) like ${pattern} escape '\\'`])];
  const from = `authentication_token k JOIN team t ON t.id = k.team_id
    LEFT JOIN organization o ON o.id = k.organization_id`;
  return selectSlice<Token>(db, { columns: COLUMNS, from, where, orderBy: TEAM_TOKEN_SORTS[sort] }, page);
}

import { type Queries, sql } from '../../storage/index.ts';
import type { TeamGrantRow } from '../permissions/grants.ts';

/** A token, whose it is, and one of the teams of its user: a row a team, or one without a team. */
interface TokenRow {
  readonly hash: Uint8Array;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly userId: string;
  readonly username: string;
}

/** All columns of the team are null for somebody who is in none. */
type WithTeam<Row> = Row & (TeamGrantRow | { readonly teamId: null });

const TEAM_COLUMNS = 't.id AS "teamId", t.organization_id AS "organizationId", t.owners, t.access';
const TEAMS = 'LEFT JOIN team_member m ON m.account_id = a.id LEFT JOIN team t ON t.id = m.team_id';

const selectToken = sql<{ id: string }, WithTeam<TokenRow>>(
  `SELECT k.hash, k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt",
     a.id AS "userId", a.username, ${TEAM_COLUMNS}
   FROM authentication_token k JOIN account a ON a.id = k.account_id ${TEAMS}
   WHERE k.id = :id`,
);

const selectUser = sql<{ id: string }, WithTeam<{ userId: string; username: string }>>(
  `SELECT a.id AS "userId", a.username, ${TEAM_COLUMNS} FROM account a ${TEAMS} WHERE a.id = :id`,
);

const updateLastUsed = sql<{ id: string; now: number; before: number }>(
  `UPDATE authentication_token SET last_used_at = :now
   WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :before)`,
);

/** Nothing when there is no such token. */
export function tokenWithTeams(db: Queries, id: string) {
  return db.all(selectToken, { id });
}

/** Nothing when there is no such user. */
export function userWithTeams(db: Queries, id: string) {
  return db.all(selectUser, { id });
}

/** Notes a use at `now`, unless there was one after `before`. */
export function touchToken(db: Queries, params: { id: string; now: number; before: number }) {
  return db.run(updateLastUsed, params);
}

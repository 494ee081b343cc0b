import { type Queries, sql } from '../../../storage/index.ts';
import type { TeamGrantRow } from '../permissions/grants.ts';

/** Access of a token or account: to a team, to an organization without a team, or to nothing. */
export type Entry =
  | TeamGrantRow
  | { readonly teamId: null; readonly organizationId: string }
  | { readonly teamId: null; readonly organizationId: null };

/** Token with its owner: a team, an organization or a user. */
export interface TokenRow {
  readonly hash: Uint8Array;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  /** Time of the last use, to the minute. */
  readonly lastUsedAt: number | null;
  /** Idle time after which a session expires. */
  readonly idleMs: number | null;
  readonly ofTeam: string | null;
  readonly ofOrganization: string | null;
  readonly purpose: string;
  /** User of the token; null for a team token. */
  readonly userId: string | null;
  readonly username: string | null;
  readonly siteAdmin: number | null;
  /** Suspended users cannot authenticate. */
  readonly suspendedAt: number | null;
}

const TOKEN = `k.hash, k.expires_at AS "expiresAt", k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt",
  k.idle_ms AS "idleMs", k.team_id AS "ofTeam",
  k.organization_id AS "ofOrganization", k.purpose, a.id AS "userId", a.username,
  CASE WHEN a.organization_id IS NULL THEN a.site_admin ELSE 0 END AS "siteAdmin", a.suspended_at AS "suspendedAt"`;
/** Rules of an organization about user tokens; see `refusal.ts`. */
export interface TokenRules {
  /** Name of the organization; null if the token has no organization. */
  readonly organizationName: string | null;
  readonly takesUserTokens: number | null;
  /** Maximum lifetime of user tokens in milliseconds; null for no limit. */
  readonly userTokenMaxTtl: number | null;
}

const RULES = `o.name AS "organizationName", o.user_tokens_enabled AS "takesUserTokens",
  o.user_token_max_ttl AS "userTokenMaxTtl"`;
const TEAM = 't.id AS "teamId", t.organization_id AS "organizationId", t.owners, t.access';
const NO_TEAM = `NULL AS "teamId", o.id AS "organizationId", 0 AS owners, '{}' AS access`;

/**
 * The condition excludes organizations that are being removed. A user of an organization's own identity provider has
 * access to that organization only: the people who run the provider could sign in as any of its users.
 */
const NOT_DELETED = 'o.deleted_at IS NULL';
const IS_THEIRS = '(a.organization_id IS NULL OR a.organization_id = o.id)';

// The first part returns a row for each organization of the user or token, or one row without an organization. The
// second part returns a row for each team.
const selectToken = sql<{ id: string }, TokenRow & Entry & TokenRules>(
  `SELECT ${TOKEN}, ${NO_TEAM}, ${RULES}
   FROM authentication_token k LEFT JOIN account a ON a.id = k.account_id
     LEFT JOIN organization_membership m ON m.account_id = a.id AND m.status = 'active'
     LEFT JOIN organization o ON o.id = COALESCE(k.organization_id, m.organization_id) AND ${NOT_DELETED}
       AND (k.organization_id IS NOT NULL OR ${IS_THEIRS})
   WHERE k.id = :id
   UNION ALL
   SELECT ${TOKEN}, ${TEAM}, ${RULES}
   FROM authentication_token k LEFT JOIN account a ON a.id = k.account_id
     LEFT JOIN team_member m ON m.account_id = a.id
     JOIN team t ON t.id = COALESCE(k.team_id, m.team_id)
     JOIN organization o ON o.id = t.organization_id AND ${NOT_DELETED} AND (k.team_id IS NOT NULL OR ${IS_THEIRS})
   WHERE k.id = :id`,
);

const selectUser = sql<{ id: string }, { userId: string; username: string } & Entry>(
  `SELECT a.id AS "userId", a.username, ${NO_TEAM}
   FROM account a LEFT JOIN organization_membership m ON m.account_id = a.id AND m.status = 'active'
     LEFT JOIN organization o ON o.id = m.organization_id AND ${NOT_DELETED} AND ${IS_THEIRS}
   WHERE a.id = :id
   UNION ALL
   SELECT a.id, a.username, ${TEAM}
   FROM account a JOIN team_member m ON m.account_id = a.id JOIN team t ON t.id = m.team_id
     JOIN organization o ON o.id = t.organization_id AND ${NOT_DELETED} AND ${IS_THEIRS}
   WHERE a.id = :id`,
);

const updateLastUsed = sql<{ id: string; now: number; before: number }>(
  `UPDATE authentication_token SET last_used_at = :now
   WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :before)`,
);

/** Returns at least one row if the token exists. */
export function tokenWithEntries(db: Queries, id: string) {
  return db.all(selectToken, { id });
}

/** Returns at least one row if the user exists. */
export function userWithEntries(db: Queries, id: string) {
  return db.all(selectUser, { id });
}

/** Stores a use at `now`, unless there is one after `before`. */
export function touchToken(db: Queries, params: { id: string; now: number; before: number }) {
  return db.run(updateLastUsed, params);
}

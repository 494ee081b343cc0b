import { type Queries, sql } from '../../../storage/index.ts';
import type { TeamGrantRow } from '../permissions/grants.ts';

/** What a token or an account lets into: a team, an organization without any team, or nothing. */
export type Entry =
  | TeamGrantRow
  | { readonly teamId: null; readonly organizationId: string }
  | { readonly teamId: null; readonly organizationId: null };

/** A token and whose it is: a team's, an organization's, or else a user's. */
export interface TokenRow {
  readonly hash: Uint8Array;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  /** Of a session: it ends when it was not used for so long. */
  readonly idleMs: number | null;
  readonly ofTeam: string | null;
  readonly ofOrganization: string | null;
  readonly purpose: string;
  /** Null for a team's. */
  readonly userId: string | null;
  readonly username: string | null;
  readonly siteAdmin: number | null;
  /** Whoever is suspended is not let in. */
  readonly suspendedAt: number | null;
}

const TOKEN = `k.hash, k.expires_at AS "expiresAt", k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt",
  k.idle_ms AS "idleMs", k.team_id AS "ofTeam",
  k.organization_id AS "ofOrganization", k.purpose, a.id AS "userId", a.username,
  CASE WHEN a.organization_id IS NULL THEN a.site_admin ELSE 0 END AS "siteAdmin", a.suspended_at AS "suspendedAt"`;
/** How an organization narrows which tokens of users it takes; `refusal.ts` says what follows. */
export interface TokenRules {
  /** Null without an organization. */
  readonly organizationName: string | null;
  readonly takesUserTokens: number | null;
  /** Milliseconds; null for any. */
  readonly userTokenMaxTtl: number | null;
}

const RULES = `o.name AS "organizationName", o.user_tokens_enabled AS "takesUserTokens",
  o.user_token_max_ttl AS "userTokenMaxTtl"`;
const TEAM = 't.id AS "teamId", t.organization_id AS "organizationId", t.owners, t.access';
const NO_TEAM = `NULL AS "teamId", o.id AS "organizationId", 0 AS owners, '{}' AS access`;

/**
 * Nobody reaches an organization that is being removed. For whom the provider of an
 * organization vouches, whoever runs that could be: they are let into no other, whatever is written anywhere.
 */
const NOT_DELETED = 'o.deleted_at IS NULL';
const IS_THEIRS = '(a.organization_id IS NULL OR a.organization_id = o.id)';

// The first part has a row for each organization of the user or of the token, or one without; the second one for each team.
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

/** At least one row when there is such a token. */
export function tokenWithEntries(db: Queries, id: string) {
  return db.all(selectToken, { id });
}

/** At least one row when there is such a user. */
export function userWithEntries(db: Queries, id: string) {
  return db.all(selectUser, { id });
}

/** Notes a use at `now`, unless there was one after `before`. */
export function touchToken(db: Queries, params: { id: string; now: number; before: number }) {
  return db.run(updateLastUsed, params);
}

import type { Clock } from '../../../lib/clock.ts';
import { type Database, type Queries, sql } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Organization, Organizations, OrganizationView } from '../organization/organizations.ts';
import type { Actor } from '../permissions/actor.ts';

/** Kinds of tokens, each with its own maximum lifetime. */
export const TOKEN_TYPES = ['organization', 'team', 'user', 'audit_trails'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** Two years: maximum of a new organization, and default lifetime of tokens. */
const DEFAULT_TTL = 63_113_904_000;

/** Maximum lifetime of tokens of one kind, in milliseconds. */
export interface TtlPolicy {
  readonly id: string;
  readonly tokenType: TokenType;
  readonly maxTtl: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface Row {
  readonly tokenType: TokenType;
  readonly maxTtl: number;
  readonly updatedAt: number;
}
const selectAll = sql<{ organizationId: string }, Row>(
  `SELECT token_type AS "tokenType", max_ttl AS "maxTtl", updated_at AS "updatedAt"
   FROM token_ttl_policy WHERE organization_id = :organizationId`,
);
const upsert = sql<{ organizationId: string; tokenType: string; maxTtl: number; now: number }>(
  `INSERT INTO token_ttl_policy (organization_id, token_type, max_ttl, updated_at)
   VALUES (:organizationId, :tokenType, :maxTtl, :now)
   ON CONFLICT (organization_id, token_type) DO UPDATE SET max_ttl = excluded.max_ttl, updated_at = excluded.updated_at`,
);

/**
 * Manages maximum token lifetimes of an organization. They apply while its setting `max-ttl-enabled` is on: team and
 * organization tokens cannot be created with a longer lifetime, and user tokens with a longer lifetime are refused.
 */
export class TtlPolicies {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;

  constructor(database: Database, clock: Clock, organizations: Organizations) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = organizations;
  }

  /** Returns the policy of each kind. */
  async list(actor: Actor, name: string): Promise<TtlPolicy[]> {
    return this.#all(await this.#organizations.find(actor, name, 'can-update-api-token'));
  }

  /** Changes the given policies. Returns all of them. */
  async update(
    actor: Actor,
    name: string,
    given: readonly Pick<TtlPolicy, 'tokenType' | 'maxTtl'>[],
  ): Promise<TtlPolicy[]> {
    const organization = await this.#organizations.find(actor, name, 'can-update-api-token');
    const organizationId = organization.id;
    await this.#database.transaction(async (tx) => {
      const current = await this.#organizations.claim(tx, organizationId);
      if (current === undefined) throw notFound();
      for (const { tokenType, maxTtl } of given) {
        await tx.run(upsert, { organizationId, tokenType, maxTtl, now: this.#clock() });
      }
      const limit = await this.ofUsers(tx, organizationId, current);
      await this.#organizations.limitUserTokens(tx, organizationId, limit);
    });
    return this.#all(organization);
  }

  /**
   * Returns the longest lifetime of accepted user tokens; null for none. Only a policy that an owner has set counts:
   * the default would lock out users as soon as the limits are switched on.
   */
  async ofUsers(db: Queries, organizationId: string, { settings }: Pick<Organization, 'settings'>) {
    return settings['max-ttl-enabled'] ? ((await maxTtlOf(db, organizationId, 'user')) ?? null) : null;
  }

  /** Returns the maximum lifetime of a new token in milliseconds; null for none. */
  limitOf({ id, settings }: OrganizationView, type: TokenType): Promise<number | null> {
    return limitOf(this.#database, id, settings, type);
  }

  /** Like `limitOf`, without a permission check. */
  async limitIn(db: Queries, id: string, type: TokenType): Promise<number | null> {
    const settings = await this.#organizations.settingsOf(db, id);
    return settings === undefined ? null : limitOf(db, id, settings, type);
  }

  async #all({ id, createdAt }: OrganizationView): Promise<TtlPolicy[]> {
    const rows = await this.#database.all(selectAll, { organizationId: id });
    return TOKEN_TYPES.map((tokenType) => {
      const { maxTtl = DEFAULT_TTL, updatedAt = createdAt } = rows.find((row) => row.tokenType === tokenType) ?? {};
      return { id: `${id.replace('org-', 'ottl-')}-${tokenType}`, tokenType, maxTtl, createdAt, updatedAt };
    });
  }
}

async function limitOf(db: Queries, id: string, settings: Organization['settings'], type: TokenType) {
  return settings['max-ttl-enabled'] ? ((await maxTtlOf(db, id, type)) ?? DEFAULT_TTL) : null;
}

/** Returns the maximum lifetime of one kind of tokens; undefined if no owner has set the policy. */
async function maxTtlOf(db: Queries, organizationId: string, type: TokenType): Promise<number | undefined> {
  const rows = await db.all(selectAll, { organizationId });
  return rows.find(({ tokenType }) => tokenType === type)?.maxTtl;
}

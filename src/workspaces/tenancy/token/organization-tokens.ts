import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Organizations } from '../organization/organizations.ts';
import type { Actor } from '../permissions/actor.ts';
import { expiryOf } from './expiry.ts';
import { type IssuedToken, makerOf, type TokenIssuer } from './issuer.ts';
import type { Purpose, Token } from './store.ts';
import * as store from './store.ts';
import type { TtlPolicies } from './ttl-policies.ts';

export interface OrganizationTokensOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly organizations: Organizations;
  readonly ttlPolicies: TtlPolicies;
}

/** Manages the organization token and the audit trail token. Owners create them. */
export class OrganizationTokens {
  readonly #options: OrganizationTokensOptions;

  constructor(options: OrganizationTokensOptions) {
    this.#options = options;
  }

  /**
   * Creates the token and deletes the previous one.
   * @throws 404 without permission; 422 for an invalid expiry
   */
  async replace(actor: Actor, name: string, purpose: Purpose, asked: number | null): Promise<IssuedToken> {
    const { clock, database, issuer, organizations, ttlPolicies } = this.#options;
    const organization = await organizations.find(actor, name, 'can-update-api-token');
    const { id: organizationId } = organization;
    const limit = await ttlPolicies.limitOf(organization, purpose === '' ? 'organization' : 'audit_trails');
    const expiresAt = expiryOf(clock(), asked, limit);
    return database.transaction(async (tx) => {
      const userId = await organizations.serviceAccount(tx, organizationId);
      const current = await store.findOrganizationToken(tx, organizationId, purpose);
      if (current) await store.removeToken(tx, current.id);
      const maker = makerOf(actor, organizationId);
      const ownership = { userId, organizationId, organizationName: name, purpose, onlyOne: 1, ...maker };
      return issuer.issue(tx, ownership, { description: '', expiresAt });
    });
  }

  /**
   * Lists the token if there is one.
   * @throws 404 without permission
   */
  async list(actor: Actor, name: string, purpose: Purpose): Promise<Token[]> {
    const { database, organizations } = this.#options;
    const { id } = await organizations.find(actor, name, 'can-update-api-token');
    const token = await store.findOrganizationToken(database, id, purpose);
    return token === undefined ? [] : [token];
  }

  /**
   * Finds the token. @throws 404 if it does not exist, or without permission
   */
  async find(actor: Actor, name: string, purpose: Purpose): Promise<Token> {
    const [token] = await this.list(actor, name, purpose);
    if (token === undefined) throw notFound();
    return token;
  }

  async delete(actor: Actor, name: string, purpose: Purpose): Promise<void> {
    const token = await this.find(actor, name, purpose);
    await store.removeToken(this.#options.database, token.id);
  }
}

import type { Clock } from '../../../lib/clock.ts';
import type { Database, Keyring, Queries } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { chosenTokenText } from '../authentication/token-text.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, assertSiteAdmin, userOf } from '../permissions/actor.ts';
import type { Teams } from '../team/teams.ts';
import { expiryOf } from './expiry.ts';
import type { IssuedToken, TokenInput, TokenIssuer } from './issuer.ts';
import type { Token } from './store.ts';
import * as store from './store.ts';

export type { IssuedToken, TokenInput } from './issuer.ts';
export type { Token } from './store.ts';

export interface TokensOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly organizations: Organizations;
  readonly teams: Teams;
}

/** Manages personal tokens, which only their user sees, and any token by its id. */
export class Tokens {
  readonly #options: TokensOptions;

  constructor(options: TokensOptions) {
    this.#options = options;
  }

  /**
   * Creates a token for the actor.
   * @throws 404 unless the actor is the user; 422 for an expiry in the past
   */
  async create(actor: Actor, userId: string, { description, expiresAt }: TokenInput): Promise<IssuedToken> {
    assertSelf(actor, userId);
    return this.issue(userId, { description, expiresAt: expiryOf(this.#options.clock(), expiresAt, null) });
  }

  /** Creates a token for the operator's commands. Without an expiry it never expires. */
  issue(userId: string, input: TokenInput): Promise<IssuedToken> {
    const { database, issuer } = this.#options;
    return issuer.issue(database, { userId, createdBy: userId }, input);
  }

  /** Stores a token whose text the operator chose. An existing one stays unchanged. */
  async adopt(userId: string, text: string, input: TokenInput): Promise<void> {
    const { database, issuer, keyring } = this.#options;
    await issuer.store(database, { userId, createdBy: userId }, input, chosenTokenText(keyring, text));
  }

  async list(actor: Actor, userId: string, page: Page): Promise<Slice<Token>> {
    assertSelf(actor, userId);
    return store.listTokensOfUser(this.#options.database, userId, page);
  }

  /** Lists the tokens of the SCIM directory. The caller checks permissions. */
  ofDirectory(db: Queries = this.#options.database): Promise<readonly Token[]> {
    return store.tokensOfDirectory(db);
  }

  /**
   * Finds a token of any owner.
   * @throws 404 if the token does not exist, or without permission
   */
  find(actor: Actor, id: string): Promise<Token> {
    return this.#find(actor, id, 'can-view-api-token');
  }

  async delete(actor: Actor, id: string): Promise<void> {
    const token = await this.#find(actor, id, 'can-update-api-token');
    await store.removeToken(this.#options.database, token.id);
  }

  /** Deletes all tokens and sessions, for the operator's commands while the server is stopped. Returns their number. */
  revokeAll(): Promise<number> {
    return this.#options.database.transaction((tx) => store.removeAllTokens(tx));
  }

  async #find(actor: Actor, id: string, ofTeam: 'can-view-api-token' | 'can-update-api-token'): Promise<Token> {
    const { database, organizations, teams } = this.#options;
    const token = await store.findToken(database, id);
    if (token === undefined) throw notFound();
    if (token.teamId !== null) await teams.find(actor, token.teamId, ofTeam);
    else if (token.organizationName !== null) {
      await organizations.find(actor, token.organizationName, 'can-update-api-token');
    } else if (token.purpose === 'scim') assertSiteAdmin(actor);
    else assertSelf(actor, token.userId);
    return token;
  }
}

function assertSelf(actor: Actor, userId: string | null): void {
  if (userOf(actor).id !== userId) throw notFound();
}

import type { Clock } from '../../../lib/clock.ts';
import { type Database, type Keyring, sql } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import { TokenProof, tokenId } from '../authentication/token-text.ts';
import { type Actor, assertSiteAdmin } from '../permissions/actor.ts';
import { expiryOf } from '../token/expiry.ts';
import type { IssuedToken, TokenInput, TokenIssuer } from '../token/issuer.ts';
import type { Token, Tokens } from '../token/tokens.ts';

/** @limit tokens of the SCIM directory, tokens -> 422 */
const MOST_TOKENS = 20;
/** @limit text of a SCIM directory token, characters -> 401 */
const LONGEST_TEXT = 8_192;
const YEAR_MS = 365 * 24 * 3_600_000;
const NOTED_EVERY = 60_000;

interface Held {
  readonly hash: Uint8Array;
  readonly expiresAt: number | null;
}

const selectHash = sql<{ id: string }, Held>(
  `SELECT hash, expires_at AS "expiresAt" FROM authentication_token WHERE id = :id AND purpose = 'scim'`,
);
const touch = sql<{ id: string; now: number; before: number }>(
  'UPDATE authentication_token SET last_used_at = :now WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :before)',
);

export interface ScimTokensOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly tokens: Tokens;
}

/** Tokens of the SCIM directory. They authenticate nothing else. */
export class ScimTokens {
  readonly #options: ScimTokensOptions;

  constructor(options: ScimTokensOptions) {
    this.#options = options;
  }

  /**
   * Creates a token.
   * @throws 404 unless the actor is a site administrator; 422 if the limit is reached
   */
  async create(actor: Actor, { description, expiresAt }: TokenInput): Promise<IssuedToken> {
    const admin = assertSiteAdmin(actor);
    const { clock, database, issuer, tokens } = this.#options;
    const ends = expiryOf(clock(), expiresAt ?? clock() + YEAR_MS, YEAR_MS);
    return database.transaction(async (tx) => {
      if ((await tokens.ofDirectory(tx)).length >= MOST_TOKENS) {
        throw unprocessable([{ detail: `The directory may have at most ${MOST_TOKENS} tokens` }]);
      }
      return issuer.issue(tx, { purpose: 'scim', createdBy: admin.id }, { description, expiresAt: ends });
    });
  }

  /**
   * Lists the tokens.
   * @throws 404 as `create`
   */
  async list(actor: Actor): Promise<readonly Token[]> {
    assertSiteAdmin(actor);
    return this.#options.tokens.ofDirectory();
  }

  /**
   * Finds a token.
   * @throws 404 as `create`
   */
  async find(actor: Actor, id: string): Promise<Token> {
    const token = (await this.list(actor)).find((one) => one.id === id);
    if (token === undefined) throw notFound();
    return token;
  }

  /** Returns the id of the token. Returns undefined for an invalid text. */
  async admit(text: string): Promise<string | undefined> {
    const { clock, database, keyring } = this.#options;
    if (text === '' || text.length > LONGEST_TEXT) return undefined;
    const id = tokenId(keyring, text);
    const held = await database.one(selectHash, { id });
    const now = clock();
    if (!held || !new TokenProof(held.hash).proves(keyring, text) || (held.expiresAt ?? now + 1) <= now)
      return undefined;
    await database.run(touch, { id, now, before: now - NOTED_EVERY });
    return id;
  }
}

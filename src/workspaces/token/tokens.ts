import type { Clock } from '../../lib/clock.ts';
import { timeOrderedId } from '../../lib/ids.ts';
import { type Database, type Keyring, sql } from '../../storage/index.ts';
import { chosenTokenText, newTokenText, type TokenText } from '../authentication/token-text.ts';
import { attributeIssue, notFound, unprocessable } from '../jsonapi/errors.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import { type Actor, userOf } from '../permissions/actor.ts';

/** A user's token as it is kept: its text is known to its holder alone. */
export interface Token {
  readonly id: string;
  readonly userId: string;
  readonly description: string;
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

/** What its maker says of a token. */
export interface TokenInput {
  readonly description: string;
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null;
}

/** A token and its text, which is shown this once. */
export interface IssuedToken {
  readonly token: Token;
  readonly text: string;
}

const COLUMNS = `id, account_id AS "userId", description, created_by AS "createdBy", created_at AS "createdAt",
  expires_at AS "expiresAt", last_used_at AS "lastUsedAt"`;

const selectById = sql<{ id: string }, Token>(`SELECT ${COLUMNS} FROM authentication_token WHERE id = :id`);
const selectPage = sql<{ userId: string; size: number; offset: number }, Token>(
  `SELECT ${COLUMNS} FROM authentication_token WHERE account_id = :userId ORDER BY id LIMIT :size OFFSET :offset`,
);
const countOfUser = sql<{ userId: string }, { count: number }>(
  'SELECT COUNT(*) AS count FROM authentication_token WHERE account_id = :userId',
);
const insert = sql<{ [Column in keyof Token]: Token[Column] } & { hash: Uint8Array }>(
  `INSERT INTO authentication_token
     (id, account_id, hash, description, created_by, created_at, expires_at, last_used_at)
   VALUES (:id, :userId, :hash, :description, :createdBy, :createdAt, :expiresAt, :lastUsedAt)
   ON CONFLICT (id) DO NOTHING`,
);
const remove = sql<{ id: string }>('DELETE FROM authentication_token WHERE id = :id');

/** The tokens that users make for themselves, and nobody else sees. */
export class Tokens {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(database: Database, keyring: Keyring, clock: Clock) {
    this.#database = database;
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /** @throws 404 for anybody but the user themselves, 422 for an end in the past */
  async create(actor: Actor, userId: string, input: TokenInput): Promise<IssuedToken> {
    assertSelf(actor, userId);
    if (input.expiresAt !== null && input.expiresAt <= this.#clock()) {
      throw unprocessable([attributeIssue('expired-at', 'Expired at must be in the future')]);
    }
    return this.issue(userId, input);
  }

  /** For the commands of the operator. */
  issue(userId: string, input: TokenInput): Promise<IssuedToken> {
    return this.#store(userId, input, newTokenText(this.#keyring, timeOrderedId(this.#clock())));
  }

  /** A token whose text the operator chose. One that is there already stays as it is. */
  async adopt(userId: string, text: string, input: TokenInput): Promise<void> {
    await this.#store(userId, input, chosenTokenText(this.#keyring, text));
  }

  async list(actor: Actor, userId: string, { size, offset }: Page): Promise<Slice<Token>> {
    assertSelf(actor, userId);
    const items = await this.#database.all(selectPage, { userId, size, offset });
    const counted = await this.#database.one(countOfUser, { userId });
    return { items, total: counted?.count ?? 0 };
  }

  async find(actor: Actor, id: string): Promise<Token> {
    const token = await this.#database.one(selectById, { id });
    if (token === undefined) throw notFound();
    assertSelf(actor, token.userId);
    return token;
  }

  async delete(actor: Actor, id: string): Promise<void> {
    const token = await this.find(actor, id);
    await this.#database.run(remove, { id: token.id });
  }

  async #store(userId: string, input: TokenInput, { id, hash, text }: TokenText): Promise<IssuedToken> {
    const token = { id, userId, createdBy: userId, createdAt: this.#clock(), lastUsedAt: null, ...input };
    await this.#database.run(insert, { ...token, hash });
    return { token, text };
  }
}

function assertSelf(actor: Actor, userId: string): void {
  if (userOf(actor).id !== userId) throw notFound();
}

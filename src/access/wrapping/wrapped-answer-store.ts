import { type Database, type Queries, sql } from '../../storage/index.ts';

/** An encrypted response, stored under the id of its wrapping token. */
export interface WrappedAnswer {
  readonly token_id: string;
  readonly answer: Uint8Array;
  /** The path of the wrapped request, such as `auth/cert/login`. */
  readonly creation_path: string;
  /** Expiry, milliseconds since 1970. */
  readonly expires_at: number;
}

type Row = { -readonly [K in keyof WrappedAnswer]: WrappedAnswer[K] };
type ById = { token_id: string };

const COLUMNS = 'token_id, answer, creation_path, expires_at';

const insert = sql<Row>(
  `INSERT INTO wrapped_answer (${COLUMNS}) VALUES (:token_id, :answer, :creation_path, :expires_at)`,
);
const byId = sql<ById, Row>(`SELECT ${COLUMNS} FROM wrapped_answer WHERE token_id = :token_id`);
const take = sql<ById, Row>(`DELETE FROM wrapped_answer WHERE token_id = :token_id RETURNING ${COLUMNS}`);
const removeExpired = sql<{ now: number; most: number }>(
  `DELETE FROM wrapped_answer WHERE token_id IN
   (SELECT token_id FROM wrapped_answer WHERE expires_at <= :now ORDER BY expires_at LIMIT :most)`,
);

/** Stores wrapped responses until their token is used or expires. */
export class WrappedAnswerStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(answer: WrappedAnswer, queries: Queries = this.#database): Promise<void> {
    await queries.run(insert, { ...answer });
  }

  find(tokenId: string): Promise<WrappedAnswer | undefined> {
    return this.#database.one(byId, { token_id: tokenId });
  }

  /**
   * Removes and returns a response in one statement, so that only one of several concurrent callers gets it, on any
   * node.
   */
  take(tokenId: string): Promise<WrappedAnswer | undefined> {
    return this.#database.one(take, { token_id: tokenId });
  }

  /** Replaces a response. Returns false, and stores nothing, if another caller has taken the response already. */
  replace(tokenId: string, answer: WrappedAnswer): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      if (!(await tx.one(take, { token_id: tokenId }))) return false;
      await this.insert(answer, tx);
      return true;
    });
  }

  /** Removes at most `most` expired responses. Returns the number removed. */
  removeExpired(now: number, most: number): Promise<number> {
    return this.#database.run(removeExpired, { now, most });
  }
}

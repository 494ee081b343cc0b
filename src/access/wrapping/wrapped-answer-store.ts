import { type Database, type Queries, sql } from '../../storage/index.ts';

/** A sealed answer, kept under the id of the token that stands for it. */
export interface WrappedAnswer {
  readonly token_id: string;
  readonly answer: Uint8Array;
  /** `auth/cert/login` */
  readonly creation_path: string;
  /** Milliseconds. */
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

/** Answers that wait for whoever holds their token. */
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

  /** Gives it out and forgets it in one step: of all who ask, on whichever node, one gets it. */
  take(tokenId: string): Promise<WrappedAnswer | undefined> {
    return this.#database.one(take, { token_id: tokenId });
  }

  /** Puts an answer in the place of another. False when that was taken meanwhile; nothing is stored then. */
  replace(tokenId: string, answer: WrappedAnswer): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      if (!(await tx.one(take, { token_id: tokenId }))) return false;
      await this.insert(answer, tx);
      return true;
    });
  }

  /** The number removed, `most` at the most. */
  removeExpired(now: number, most: number): Promise<number> {
    return this.#database.run(removeExpired, { now, most });
  }
}

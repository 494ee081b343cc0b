import { type Database, type Queries, sql } from '../../../storage/index.ts';
import { inSome, SOME_IDS, type SomeIds } from '../../model/id-batches.ts';
import type { Token } from '../../model/token.ts';
import {
  batchStanding,
  ENTITY,
  type GoneBy,
  generations,
  isUnchanged,
  LIVE,
  MAX_ANCESTORS,
  type Origin,
  STANDING,
  type Standing,
  type StandingRow,
  standingOf,
  UNCHANGED,
} from './liveness.ts';
import { TOKEN_COLUMNS, type TokenRow, toRow, toToken } from './token-row.ts';

type InsertParams = Record<keyof TokenRow, TokenRow[keyof TokenRow]>;
type Found = TokenRow & StandingRow;
type At = { now: number };

const insert = sql<InsertParams>(
  `INSERT INTO token (${TOKEN_COLUMNS}) VALUES (${TOKEN_COLUMNS.replace(/\w+/g, ':$&')}) ON CONFLICT (id) DO NOTHING`,
);
const insertUnchanged = sql<InsertParams & { mount_version: number; identity_version: number }>(
  `INSERT INTO token (${TOKEN_COLUMNS}) SELECT ${TOKEN_COLUMNS.replace(/\w+/g, ':$&')} WHERE ${UNCHANGED}`,
);
const found = `SELECT ${TOKEN_COLUMNS}, ${STANDING} FROM token`;
const byId = sql<At & { id: string }, Found>(`${found} WHERE token.id = :id AND ${LIVE}`);
const removeAll = sql('DELETE FROM token');
const byAccessor = sql<At & { accessor: string }, Found>(`${found} WHERE token.accessor = :accessor AND ${LIVE}`);
const byPath = sql<{ path: string }, { id: string }>('SELECT id FROM token WHERE path = :path LIMIT 1');
const accessors = sql<At & { after: string; most: number }, { accessor: string }>(
  `SELECT accessor FROM token WHERE accessor > :after AND ${LIVE} ORDER BY accessor LIMIT :most`,
);
/** Includes the accessor of the parent, if it still exists. */
const page = sql<At & { after: string; most: number }, Found & { parent_accessor: string | null }>(
  `SELECT ${TOKEN_COLUMNS}, ${STANDING}, (SELECT parent.accessor FROM token parent
     WHERE parent.id = token.parent_id AND parent.created_at <= token.created_at) AS parent_accessor
   FROM token WHERE accessor > :after AND ${LIVE} ORDER BY accessor LIMIT :most`,
);
const parentAccessor = sql<{ id: string; born: number }, { accessor: string }>(
  'SELECT accessor FROM token WHERE id = :id AND created_at <= :born',
);
/** Children of some tokens, by the index of parents. A parent must not be younger than its child. */
const children = sql<At & SomeIds & { most: number }, { id: string }>(
  `SELECT token.id FROM token JOIN token parent ON parent.id = token.parent_id AND parent.created_at <= token.created_at
   WHERE token.parent_id IN ${SOME_IDS} AND ${LIVE} LIMIT :most`,
);
// The last use sets the expiry to now: the token is invalid from then on, and swept like an expired one.
const use = sql<At & { id: string }, { uses_left: number }>(
  `UPDATE token SET uses_left = uses_left - 1, expires_at = CASE WHEN uses_left = 1 THEN :now ELSE expires_at END
   WHERE id = :id AND uses_left > 0 RETURNING uses_left`,
);
const extend = sql<At & { id: string; expires_at: number }>(
  `UPDATE token SET renewed_at = :now, expires_at = CASE WHEN uses_left = 0 THEN expires_at ELSE :expires_at END
   WHERE id = :id AND (expires_at > :now OR uses_left = 0) AND (entity_id IS NULL OR EXISTS (
     SELECT 1 FROM entity WHERE entity.id = ${ENTITY} AND entity.disabled = 0))`,
);

/** A live stored token with the hash of its text. */
export interface StoredToken extends Standing {
  readonly token: Token;
  readonly secretHash: Uint8Array;
}

/** A token in a list. */
export interface ListedToken {
  readonly token: Token;
  /** Whether the token's entity is disabled. */
  readonly blocked: boolean;
  /** Null without a parent, and if the parent is gone; the token is invalid then. */
  readonly parentAccessor: string | null;
}

export type InsertResult = 'inserted' | 'taken' | 'parent-gone' | 'too-deep';

/** Stores service tokens by public id. Contains only the keyed hash of the secret. */
export class TokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Inserts a token. A child is inserted only if all its ancestors are live. */
  insert(token: Token, secretHash: Uint8Array): Promise<InsertResult> {
    const row = toRow(token, secretHash);
    const add = async (queries: Queries) => ((await queries.run(insert, row)) === 1 ? 'inserted' : 'taken');
    if (token.parentId === null) return add(this.#database);
    return this.#database.transaction(async (tx) => (await this.#refusedChild(token, tx)) ?? (await add(tx)));
  }

  /** Inserts a token without a parent. Returns false, and stores nothing, if the login's data has changed. */
  async insertUnchanged(
    token: Token,
    secretHash: Uint8Array,
    { mountVersion, identityVersion }: GoneBy,
  ): Promise<boolean> {
    const versions = { mount_version: mountVersion, identity_version: identityVersion };
    return (await this.#database.run(insertUnchanged, { ...toRow(token, secretHash), ...versions })) === 1;
  }

  isUnchanged(goneBy: GoneBy): Promise<boolean> {
    return isUnchanged(this.#database, goneBy);
  }

  /** Returns why a child is refused, stored or not. Undefined if it is accepted. */
  refusedChild(token: Token): Promise<'parent-gone' | 'too-deep' | undefined> {
    return this.#refusedChild(token, this.#database);
  }

  /** Returns whether any token was issued by this path. */
  async hasPath(path: string): Promise<boolean> {
    return (await this.#database.one(byPath, { path })) !== undefined;
  }

  /**
   * Returns undefined if the token does not exist, has expired, or has lost its mount or entity. `isRooted` checks
   * its ancestors.
   */
  async find(id: string, now: number): Promise<StoredToken | undefined> {
    return stored(await this.#database.one(byId, { id, now }));
  }

  async findByAccessor(accessor: string, now: number): Promise<StoredToken | undefined> {
    return stored(await this.#database.one(byAccessor, { accessor, now }));
  }

  /** Returns whether all ancestors of a token are live. Runs one query, or none without a parent. */
  async isRooted({ parentId, createdAt }: Token, now: number): Promise<boolean> {
    return parentId === null || (await generations(this.#database, { parentId, createdAt }, now)) !== undefined;
  }

  /** Returns the state of a token that is not stored. Undefined if its mount, parent or entity is gone. */
  batchStanding(token: Origin, now: number): ReturnType<typeof batchStanding> {
    return batchStanding(this.#database, token, now);
  }

  /** Returns `most` accessors after `after`, in order. */
  async accessors(after: string, most: number, now: number): Promise<string[]> {
    return (await this.#database.all(accessors, { after, most, now })).map(({ accessor }) => accessor);
  }

  /** Returns the tokens of a page. */
  async page(after: string, most: number, now: number): Promise<ListedToken[]> {
    const rows = await this.#database.all(page, { after, most, now });
    return rows.map((row) => {
      const { entityId, blocked } = standingOf(row);
      return { token: { ...toToken(row), entityId }, blocked, parentAccessor: row.parent_accessor };
    });
  }

  /** Returns the accessor of a token's parent, or null. */
  async parentAccessor({ parentId, createdAt }: Token): Promise<string | null> {
    if (parentId === null) return null;
    return (await this.#database.one(parentAccessor, { id: parentId, born: createdAt }))?.accessor ?? null;
  }

  /** Returns the number of all descendants, and stops counting at `most`. */
  async descendants({ id }: Token, most: number, now: number): Promise<number> {
    let count = 0;
    let generation = [id];
    for (let depth = 0; depth <= MAX_ANCESTORS && generation.length > 0 && count < most; depth++) {
      const next: string[] = [];
      for (const some of inSome(generation)) {
        if (count >= most) break;
        const rows = await this.#database.all(children, { ...some, most: most - count, now });
        count += rows.length;
        next.push(...rows.map((row) => row.id));
      }
      generation = next;
    }
    return count;
  }

  /** Decrements the remaining uses and returns them. Undefined if there were none. */
  async use(id: string, now: number): Promise<number | undefined> {
    return (await this.#database.one(use, { id, now }))?.uses_left;
  }

  /** Returns false if the token was revoked or has expired meanwhile, or its entity is deleted or disabled. */
  async extend(id: string, now: number, expiresAt: number): Promise<boolean> {
    return (await this.#database.run(extend, { id, now, expires_at: expiresAt })) === 1;
  }

  /** Removes all tokens and returns their number. The sweep removes wrapped responses later. */
  removeAll(): Promise<number> {
    return this.#database.run(removeAll, {});
  }

  async #refusedChild({ parentId, createdAt }: Token, queries: Queries) {
    if (parentId === null) return undefined;
    const length = await generations(queries, { parentId, createdAt }, createdAt, MAX_ANCESTORS + 1);
    if (length === undefined) return 'parent-gone';
    return length > MAX_ANCESTORS ? 'too-deep' : undefined;
  }
}

function stored(row: Found | undefined): StoredToken | undefined {
  if (!row) return undefined;
  const { entityId, ...standing } = standingOf(row);
  return { token: { ...toToken(row), entityId }, secretHash: row.secret_hash, ...standing };
}

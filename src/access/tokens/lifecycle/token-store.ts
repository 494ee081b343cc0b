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
/** With the accessor of what it was created by, as long as that is there. */
const page = sql<At & { after: string; most: number }, Found & { parent_accessor: string | null }>(
  `SELECT ${TOKEN_COLUMNS}, ${STANDING}, (SELECT parent.accessor FROM token parent
     WHERE parent.id = token.parent_id AND parent.created_at <= token.created_at) AS parent_accessor
   FROM token WHERE accessor > :after AND ${LIVE} ORDER BY accessor LIMIT :most`,
);
const parentAccessor = sql<{ id: string; born: number }, { accessor: string }>(
  'SELECT accessor FROM token WHERE id = :id AND created_at <= :born',
);
/** What came from some tokens, by the index of parents. No child is older than its parent. */
const children = sql<At & SomeIds & { most: number }, { id: string }>(
  `SELECT token.id FROM token JOIN token parent ON parent.id = token.parent_id AND parent.created_at <= token.created_at
   WHERE token.parent_id IN ${SOME_IDS} AND ${LIVE} LIMIT :most`,
);
// The last use ends the time that a token has: it is dead from then on, and swept as what has expired.
const use = sql<At & { id: string }, { uses_left: number }>(
  `UPDATE token SET uses_left = uses_left - 1, expires_at = CASE WHEN uses_left = 1 THEN :now ELSE expires_at END
   WHERE id = :id AND uses_left > 0 RETURNING uses_left`,
);
const extend = sql<At & { id: string; expires_at: number }>(
  `UPDATE token SET renewed_at = :now, expires_at = CASE WHEN uses_left = 0 THEN expires_at ELSE :expires_at END
   WHERE id = :id AND (expires_at > :now OR uses_left = 0) AND (entity_id IS NULL OR EXISTS (
     SELECT 1 FROM entity WHERE entity.id = ${ENTITY} AND entity.disabled = 0))`,
);

/** A stored token that is alive, with the hash of its text. */
export interface StoredToken extends Standing {
  readonly token: Token;
  readonly secretHash: Uint8Array;
}

/** A token as a list shows it. */
export interface ListedToken {
  readonly token: Token;
  /** Whoever it stands for is disabled. */
  readonly blocked: boolean;
  /** Null for a token without a parent, and for one whose parent is gone: that one is dead. */
  readonly parentAccessor: string | null;
}

export type InsertResult = 'inserted' | 'taken' | 'parent-gone' | 'too-deep';

/** Service tokens by their public id. The secret itself is never here, only its keyed hash. */
export class TokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A child comes into being while its whole line lives, or not at all. */
  insert(token: Token, secretHash: Uint8Array): Promise<InsertResult> {
    const row = toRow(token, secretHash);
    const add = async (queries: Queries) => ((await queries.run(insert, row)) === 1 ? 'inserted' : 'taken');
    if (token.parentId === null) return add(this.#database);
    return this.#database.transaction(async (tx) => (await this.#refusedChild(token, tx)) ?? (await add(tx)));
  }

  /** A token without a parent; false, and nothing is stored, when what it goes by is no more what it was. */
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

  /** Why a child cannot be, stored or not; undefined when it can. */
  refusedChild(token: Token): Promise<'parent-gone' | 'too-deep' | undefined> {
    return this.#refusedChild(token, this.#database);
  }

  /** Whether any token came from this path. */
  async hasPath(path: string): Promise<boolean> {
    return (await this.#database.one(byPath, { path })) !== undefined;
  }

  /** Undefined for a token that is gone, has expired or lost its mount or its entity. Its ancestors are asked about by `isRooted`. */
  async find(id: string, now: number): Promise<StoredToken | undefined> {
    return stored(await this.#database.one(byId, { id, now }));
  }

  async findByAccessor(accessor: string, now: number): Promise<StoredToken | undefined> {
    return stored(await this.#database.one(byAccessor, { accessor, now }));
  }

  /** Whether everything that a live token came from is alive too. One query, and none for a token without a parent. */
  async isRooted({ parentId, createdAt }: Token, now: number): Promise<boolean> {
    return parentId === null || (await generations(this.#database, { parentId, createdAt }, now)) !== undefined;
  }

  /** Of a token that is not stored; undefined when what it came from is dead. */
  batchStanding(token: Origin, now: number): ReturnType<typeof batchStanding> {
    return batchStanding(this.#database, token, now);
  }

  /** In order: `most` of the accessors behind `after`. */
  async accessors(after: string, most: number, now: number): Promise<string[]> {
    return (await this.#database.all(accessors, { after, most, now })).map(({ accessor }) => accessor);
  }

  /** The same tokens, with what is known of them. */
  async page(after: string, most: number, now: number): Promise<ListedToken[]> {
    const rows = await this.#database.all(page, { after, most, now });
    return rows.map((row) => {
      const { entityId, blocked } = standingOf(row);
      return { token: { ...toToken(row), entityId }, blocked, parentAccessor: row.parent_accessor };
    });
  }

  /** The accessor of what a token was created by; null where there is none. */
  async parentAccessor({ parentId, createdAt }: Token): Promise<string | null> {
    if (parentId === null) return null;
    return (await this.#database.one(parentAccessor, { id: parentId, born: createdAt }))?.accessor ?? null;
  }

  /** How many tokens came from this one, by whatever steps; `most` where it is more. No more are looked at. */
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

  /** Takes one of the uses that are left; undefined when there was none. */
  async use(id: string, now: number): Promise<number | undefined> {
    return (await this.#database.one(use, { id, now }))?.uses_left;
  }

  /** False when the token is gone or has ended meanwhile, or whom it stands for is gone or disabled. */
  async extend(id: string, now: number, expiresAt: number): Promise<boolean> {
    return (await this.#database.run(extend, { id, now, expires_at: expiresAt })) === 1;
  }

  /** The number of rows. What was wrapped for one is swept later. */
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

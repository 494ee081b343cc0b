import { type Database, sql } from '../../storage/index.ts';
import type { Token } from './token.ts';

interface Row {
  id: string;
  secret_hash: Uint8Array;
  accessor: string;
  path: string;
  display_name: string;
  policies: string;
  metadata: string | null;
  bound_cidrs: string;
  orphan: number;
  period: number;
  explicit_max_ttl: number;
  uses_left: number | null;
  creation_ttl: number;
  created_at: number;
  renewed_at: number | null;
  expires_at: number | null;
  mount_id: string | null;
  certificate: string | null;
}

const COLUMNS = `id, secret_hash, accessor, path, display_name, policies, metadata, bound_cidrs, orphan, period,
  explicit_max_ttl, uses_left, creation_ttl, created_at, renewed_at, expires_at, mount_id, certificate`;

type InsertParams = Record<keyof Row, Row[keyof Row]>;

const insert = sql<InsertParams>(`INSERT INTO token (${COLUMNS}) VALUES (${COLUMNS.replace(/\w+/g, ':$&')})`);
const byId = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM token WHERE id = :id`);
const byPath = sql<{ path: string }, { id: string }>('SELECT id FROM token WHERE path = :path LIMIT 1');
const extend = sql<{ id: string; renewed_at: number; expires_at: number }>(
  'UPDATE token SET renewed_at = :renewed_at, expires_at = :expires_at WHERE id = :id',
);
const use = sql<{ id: string }, { uses_left: number }>(
  'UPDATE token SET uses_left = uses_left - 1 WHERE id = :id AND uses_left > 0 RETURNING uses_left',
);
const remove = sql<{ id: string }>('DELETE FROM token WHERE id = :id');
const removeExpired = sql<{ now: number; most: number }>(
  `DELETE FROM token WHERE id IN (
     SELECT id FROM token WHERE expires_at <= :now ORDER BY expires_at LIMIT :most)`,
);

export interface StoredToken {
  readonly token: Token;
  readonly secretHash: Uint8Array;
}

/** Service tokens by their public id. The secret itself is never here, only its keyed hash. */
export class TokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert({ token, secretHash }: StoredToken): Promise<void> {
    await this.#database.run(insert, {
      id: token.id,
      secret_hash: secretHash,
      accessor: token.accessor,
      path: token.path,
      display_name: token.displayName,
      policies: JSON.stringify(token.policies),
      metadata: token.metadata && JSON.stringify(token.metadata),
      bound_cidrs: JSON.stringify(token.boundCidrs),
      orphan: token.orphan ? 1 : 0,
      period: token.period,
      explicit_max_ttl: token.explicitMaxTtl,
      uses_left: token.usesLeft,
      creation_ttl: token.creationTtl,
      created_at: token.createdAt,
      renewed_at: token.renewedAt,
      expires_at: token.expiresAt,
      mount_id: token.mountId,
      certificate: token.certificate && JSON.stringify(token.certificate),
    });
  }

  /** Whether any token came from this path. Reads them all: for commands, never for requests. */
  async hasPath(path: string): Promise<boolean> {
    return (await this.#database.one(byPath, { path })) !== undefined;
  }

  async find(id: string): Promise<StoredToken | undefined> {
    const row = await this.#database.one(byId, { id });
    return row && { token: toToken(row), secretHash: row.secret_hash };
  }

  /** Takes one of the uses that are left; undefined when there was none. */
  async use(id: string): Promise<number | undefined> {
    return (await this.#database.one(use, { id }))?.uses_left;
  }

  /** False when the token is gone meanwhile. */
  async extend(id: string, renewedAt: number, expiresAt: number): Promise<boolean> {
    return (await this.#database.run(extend, { id, renewed_at: renewedAt, expires_at: expiresAt })) === 1;
  }

  async remove(id: string): Promise<void> {
    await this.#database.run(remove, { id });
  }

  /** The number removed, `most` at the most: a sweep never holds the database for long. */
  removeExpired(now: number, most: number): Promise<number> {
    return this.#database.run(removeExpired, { now, most });
  }
}

function toToken(row: Row): Token {
  return {
    id: row.id,
    type: 'service',
    accessor: row.accessor,
    path: row.path,
    displayName: row.display_name,
    policies: JSON.parse(row.policies),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    boundCidrs: JSON.parse(row.bound_cidrs),
    orphan: row.orphan === 1,
    period: row.period,
    explicitMaxTtl: row.explicit_max_ttl,
    usesLeft: row.uses_left,
    creationTtl: row.creation_ttl,
    createdAt: row.created_at,
    renewedAt: row.renewed_at,
    expiresAt: row.expires_at,
    mountId: row.mount_id,
    certificate: row.certificate === null ? null : JSON.parse(row.certificate),
  };
}

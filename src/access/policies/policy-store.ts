import { type Database, sql, type Transaction } from '../../storage/index.ts';
import type { PolicySource } from '../acl/index.ts';

/** A policy with its text and settings. */
export interface PolicyRecord extends PolicySource {
  /** Number of writes. */
  readonly version: number;
  /** Whether a write must set the current version. */
  readonly casRequired: boolean;
  /** Last change, milliseconds since 1970. Null: never written. */
  readonly modifiedAt: number | null;
}

type Row = {
  text: string;
  version: number;
  cas_required: number;
  wildcards: number;
  slashes: number;
  expires_at: number | null;
  updated_at: number;
};

const LIVE = '(expires_at IS NULL OR expires_at > :now)';

const byName = sql<{ name: string; now: number }, Row>(
  `SELECT text, version, cas_required, wildcards, slashes, expires_at, updated_at
   FROM policy WHERE name = :name AND ${LIVE}`,
);
const names = sql<NameRange & { now: number }, { name: string }>(
  `SELECT name FROM policy WHERE name > :after AND name >= :from AND name < :to AND ${LIVE} ORDER BY name LIMIT :most`,
);
const put = sql<Row & { name: string }>(
  `INSERT INTO policy (name, text, version, cas_required, wildcards, slashes, expires_at, created_at, updated_at)
   VALUES (:name, :text, :version, :cas_required, :wildcards, :slashes, :expires_at, :updated_at, :updated_at)
   ON CONFLICT (name) DO UPDATE SET text = excluded.text, version = excluded.version,
     cas_required = excluded.cas_required, wildcards = excluded.wildcards, slashes = excluded.slashes,
     expires_at = excluded.expires_at, updated_at = excluded.updated_at`,
);
const remove = sql<{ name: string }>('DELETE FROM policy WHERE name = :name');
const expired = sql<{ now: number; most: number }>(
  `DELETE FROM policy WHERE name IN (
     SELECT name FROM policy WHERE expires_at <= :now ORDER BY expires_at LIMIT :most)`,
);
const anyExpired = sql<{ now: number }, { name: string }>('SELECT name FROM policy WHERE expires_at <= :now LIMIT 1');
const version = sql<Record<string, never>, { version: number }>(
  "SELECT version FROM change_counter WHERE topic = 'policies'",
);
const nextVersion = sql("UPDATE change_counter SET version = version + 1 WHERE topic = 'policies'");

/** Maximum number of rows that one sweep removes. */
const SWEPT_AT_ONCE = 500;

/** `most` names after `after`, from `from` up to but without `to`, in byte order. */
export type NameRange = { readonly after: string; readonly most: number; readonly from: string; readonly to: string };

/** Stores policies by normalized names. Expired ones are not returned. */
export class PolicyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(name: string, now: number): Promise<PolicyRecord | undefined> {
    const row = await this.#database.one(byName, { name, now });
    return row && toRecord(row);
  }

  /** Returns names in order. */
  async names(range: NameRange, now: number): Promise<string[]> {
    const rows = await this.#database.all(names, { ...range, now });
    return rows.map(({ name }) => name);
  }

  /** Returns the version, which every write to any policy on any node increments. */
  async version(): Promise<number> {
    return (await this.#database.one(version, {}))?.version ?? 0;
  }

  /** Stores the result of `change`. Concurrent changes run one after another. */
  change(name: string, now: number, change: (known: PolicyRecord | undefined) => PolicyRecord): Promise<void> {
    return this.#changing(async (tx) => {
      const row = await tx.one(byName, { name, now });
      await tx.run(put, { name, ...toRow(change(row && toRecord(row)), now) });
    });
  }

  remove(name: string): Promise<void> {
    return this.#changing((tx) => tx.run(remove, { name }));
  }

  /** Removes some expired policies. */
  async sweep(now: number): Promise<void> {
    if (!(await this.#database.one(anyExpired, { now }))) return;
    await this.#changing((tx) => tx.run(expired, { now, most: SWEPT_AT_ONCE }));
  }

  /** Increments the counter first: this row serializes all writers. */
  #changing(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.run(nextVersion, {});
      await work(tx);
    });
  }
}

function toRecord(row: Row): PolicyRecord {
  return {
    text: row.text,
    version: row.version,
    casRequired: row.cas_required === 1,
    allowance: { wildcards: row.wildcards === 1, slashes: row.slashes === 1 },
    expiresAt: row.expires_at,
    modifiedAt: row.updated_at,
  };
}

function toRow({ text, version, casRequired, allowance, expiresAt }: PolicyRecord, now: number): Row {
  return {
    text,
    version,
    cas_required: Number(casRequired),
    wildcards: Number(allowance.wildcards),
    slashes: Number(allowance.slashes),
    expires_at: expiresAt,
    updated_at: now,
  };
}

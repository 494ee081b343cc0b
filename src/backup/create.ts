import {
  BlobMissing,
  type BlobStore,
  type Dialect,
  type Keyring,
  type Snapshot,
  type Table,
} from '../storage/index.ts';
import { sealed } from './format/envelope.ts';
import { bytesFrame, recordFrame } from './format/frames.ts';
import { type Schema, toRowsRecord } from './format/records.ts';

/** Contents of a backup. */
export interface Source {
  readonly dialect: Dialect;
  /** Snapshots of one database or two. Apart from shared tables, the names of their tables differ. */
  readonly snapshots: readonly Snapshot[];
  /** Tables whose rows are specific to this server, or short-lived. */
  readonly leftOut: ReadonlySet<string>;
  readonly blobs: BlobStore;
  /** Returns whether a row still refers to the blob. */
  isNamed(name: string): Promise<boolean>;
}

export interface CreateOptions {
  readonly id: string;
  readonly keyring: Keyring;
  /** Version of the program. */
  readonly version: string;
  readonly now: Date;
}

/** Summary of a backup. */
export interface Created {
  readonly rows: number;
  readonly blobs: number;
  /** Names of blobs that rows name and that are missing from the store. */
  readonly missing: readonly string[];
}

/** A backup that is created while it is read. */
export interface Making {
  readonly content: AsyncIterable<Uint8Array>;
  /** Returns the summary after the stream was read to its end. */
  created(): Created;
}

/** Table of the applied migrations of each set. */
const STEPS = 'schema_migration';

/**
 * Creates a backup in constant memory, apart from the names of blobs. The snapshots are closed as soon as their rows
 * were read.
 */
export function createBackup(source: Source, { id, keyring, version, now }: CreateOptions): Making {
  let created: Created | undefined;
  async function* content(): AsyncGenerator<Uint8Array> {
    created = yield* contentOf(source, id);
  }
  return {
    content: sealed({ id, created_at: now.toISOString(), version }, keyring, content()),
    created: () => {
      if (created === undefined) throw new Error('the backup is not complete yet');
      return created;
    },
  };
}

async function* contentOf(source: Source, id: string): AsyncGenerator<Uint8Array, Created> {
  const { dialect, snapshots, leftOut, blobs } = source;
  const parts = partsOf(snapshots, new Set([...leftOut, STEPS]));
  const schema = Object.assign({}, ...(await Promise.all(snapshots.map(stepsOf)))) as Schema;
  const tables = parts.flatMap((part) => part.tables);
  yield recordFrame({ kind: 'manifest', id, dialect, schema, tables });
  const rows: Record<string, number> = {};
  const names: string[] = [];
  for (const part of parts) {
    yield* rowFrames(part, rows, names);
    // An open snapshot keeps old row versions from being removed.
    await part.snapshot.close();
  }
  const absent: string[] = [];
  yield* blobFrames(blobs, names, absent);
  const missing: string[] = [];
  const removed: string[] = [];
  for (const name of absent) ((await source.isNamed(name)) ? missing : removed).push(name);
  const copied = names.length - absent.length;
  yield recordFrame({ kind: 'end', rows, blobs: copied, missing, removed });
  return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), blobs: copied, missing };
}

interface Part {
  readonly snapshot: Snapshot;
  readonly tables: readonly Table[];
}

/** Splits the snapshots into parts. A table in both databases has the same rows in both. */
function partsOf(snapshots: readonly Snapshot[], leftOut: ReadonlySet<string>): Part[] {
  const taken = new Set(leftOut);
  return snapshots.map((snapshot) => {
    const tables = snapshot.tables.filter(({ name }) => !taken.has(name));
    for (const { name } of tables) taken.add(name);
    return { snapshot, tables };
  });
}

async function stepsOf(snapshot: Snapshot): Promise<Schema> {
  const table = snapshot.tables.find(({ name }) => name === STEPS);
  if (table === undefined) throw new Error('the database has no tables to back up');
  const at = (column: string) => table.columns.findIndex(({ name }) => name === column);
  const steps: { readonly set: string; readonly name: string }[] = [];
  for await (const part of snapshot.rows(table))
    for (const row of part) steps.push({ set: String(row[at('migration_set')]), name: String(row[at('name')]) });
  const sets = Map.groupBy(steps, ({ set }) => set);
  return Object.fromEntries([...sets].map(([set, own]) => [set, own.map(({ name }) => name).toSorted()]));
}

/**
 * @param rows receives the number of rows of each table
 * @param names receives the names of blobs
 */
async function* rowFrames(
  { snapshot, tables }: Part,
  rows: Record<string, number>,
  names: string[],
): AsyncGenerator<Uint8Array> {
  for (const table of tables) {
    const nameAt = table.name === 'blob' ? table.columns.findIndex(({ name }) => name === 'name') : -1;
    rows[table.name] = 0;
    for await (const part of snapshot.rows(table)) {
      rows[table.name] = (rows[table.name] ?? 0) + part.length;
      if (nameAt >= 0) names.push(...part.map((row) => String(row[nameAt])));
      yield recordFrame(toRowsRecord(table, part));
    }
  }
}

async function* blobFrames(store: BlobStore, names: readonly string[], absent: string[]): AsyncGenerator<Uint8Array> {
  for (const name of names) {
    let isBegun = false;
    try {
      for await (const part of store.get(name)) {
        if (!isBegun) yield recordFrame({ kind: 'blob', name });
        isBegun = true;
        yield bytesFrame(part);
      }
      // The store is damaged here. Verification of the backup reports it.
      if (!isBegun) yield recordFrame({ kind: 'blob', name });
    } catch (error) {
      if (!(error instanceof BlobMissing) || isBegun) throw error;
      absent.push(name);
    }
  }
}

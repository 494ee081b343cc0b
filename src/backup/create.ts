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

/** What is backed up. */
export interface Source {
  readonly dialect: Dialect;
  /** Of one database or two. Tables have names of their own, but for those that are in both. */
  readonly snapshots: readonly Snapshot[];
  /** Tables whose rows are of this server or of these minutes alone. */
  readonly leftOut: ReadonlySet<string>;
  readonly blobs: BlobStore;
  /** Whether a row names the content now. */
  isNamed(name: string): Promise<boolean>;
}

export interface CreateOptions {
  readonly id: string;
  readonly keyring: Keyring;
  /** Of the program. */
  readonly version: string;
  readonly now: Date;
}

/** What is in a backup. */
export interface Created {
  readonly rows: number;
  readonly blobs: number;
  /** Names of contents that rows name and that are in no store. */
  readonly missing: readonly string[];
}

/** A backup that is made while it is read. */
export interface Making {
  readonly content: AsyncIterable<Uint8Array>;
  /** Once all of it was read. */
  created(): Created;
}

/** Where each set of migrations notes its steps. */
const STEPS = 'schema_migration';

/** Constant memory, but for the names of the contents. The snapshots are closed as soon as they have been read. */
export function createBackup(source: Source, { id, keyring, version, now }: CreateOptions): Making {
  let created: Created | undefined;
  async function* content(): AsyncGenerator<Uint8Array> {
    created = yield* contentOf(source, id);
  }
  return {
    content: sealed({ id, created_at: now.toISOString(), version }, keyring, content()),
    created: () => {
      if (created === undefined) throw new Error('the backup is not made yet');
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
    // Others wait for old rows to go.
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

/** A table that both databases have is the same in both. */
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
  if (table === undefined) throw new Error('a database without tables has nothing to be backed up');
  const at = (column: string) => table.columns.findIndex(({ name }) => name === column);
  const steps: { readonly set: string; readonly name: string }[] = [];
  for await (const part of snapshot.rows(table))
    for (const row of part) steps.push({ set: String(row[at('migration_set')]), name: String(row[at('name')]) });
  const sets = Map.groupBy(steps, ({ set }) => set);
  return Object.fromEntries([...sets].map(([set, own]) => [set, own.map(({ name }) => name).toSorted()]));
}

/** @param rows gets how many each table has @param names gets those of contents */
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
      // Of a damaged store: whoever verifies the backup says so.
      if (!isBegun) yield recordFrame({ kind: 'blob', name });
    } catch (error) {
      if (!(error instanceof BlobMissing) || isBegun) throw error;
      absent.push(name);
    }
  }
}

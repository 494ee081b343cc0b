import { randomBytes } from 'node:crypto';
import { BlobMissing, type BlobStore, type Keyring, type Snapshot } from '../storage/index.ts';
import { sealed } from './format/envelope.ts';
import { bytesFrame, recordFrame } from './format/frames.ts';
import { toRowsRecord } from './format/records.ts';

/** What is backed up. */
export interface Source {
  /** Of one database or two. Tables have names of their own. */
  readonly snapshots: readonly Snapshot[];
  /** Tables whose rows are of this server or of these minutes alone. */
  readonly leftOut: ReadonlySet<string>;
  /** The steps of each set of migrations that the tables have. */
  readonly schema: Readonly<Record<string, readonly string[]>>;
  /** Absent: contents stay where they are. */
  readonly blobs?: BlobStore;
}

export interface CreateOptions {
  readonly keyring: Keyring;
  /** Of the program. */
  readonly version: string;
  readonly now: Date;
}

/** What is in a backup. */
export interface Created {
  readonly id: string;
  readonly rows: number;
  readonly blobs: number;
  /** Names of contents that were in no store. */
  readonly missing: readonly string[];
}

/** A backup that is made while it is read. */
export interface Making {
  readonly content: AsyncIterable<Uint8Array>;
  /** Once all of it was read. */
  created(): Created;
}

/** Bytes of the name of a content. */
const NAME_BYTES = 16;

/** Constant memory, but for the names of the contents. The snapshots are closed as soon as they have been read. */
export function createBackup(source: Source, { keyring, version, now }: CreateOptions): Making {
  const id = randomBytes(8).toString('hex');
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
  const { snapshots, leftOut, schema, blobs } = source;
  const tables = snapshots.flatMap((snapshot) => snapshot.tables).filter(({ name }) => !leftOut.has(name));
  yield recordFrame({ kind: 'manifest', id, schema, tables, blobs: blobs !== undefined });
  const rows: Record<string, number> = {};
  const names: Uint8Array[] = [];
  for (const snapshot of snapshots) {
    yield* rowFrames(snapshot, leftOut, rows, names);
    // Others wait for old rows to go.
    await snapshot.close();
  }
  const missing: string[] = [];
  if (blobs) yield* blobFrames(blobs, names, missing);
  const copied = blobs ? names.length - missing.length : 0;
  yield recordFrame({ kind: 'end', rows, blobs: copied, missing });
  return { id, rows: Object.values(rows).reduce((sum, count) => sum + count, 0), blobs: copied, missing };
}

/** @param rows gets how many each table has @param names gets those of contents */
async function* rowFrames(
  snapshot: Snapshot,
  leftOut: ReadonlySet<string>,
  rows: Record<string, number>,
  names: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  for (const table of snapshot.tables) {
    if (leftOut.has(table.name)) continue;
    const nameAt = table.name === 'blob' ? table.columns.findIndex(({ name }) => name === 'name') : -1;
    rows[table.name] = 0;
    for await (const part of snapshot.rows(table)) {
      rows[table.name] = (rows[table.name] ?? 0) + part.length;
      if (nameAt >= 0) names.push(...part.map((row) => Buffer.from(String(row[nameAt]), 'hex')));
      yield recordFrame(toRowsRecord(table, part));
    }
  }
}

async function* blobFrames(
  store: BlobStore,
  names: readonly Uint8Array[],
  missing: string[],
): AsyncGenerator<Uint8Array> {
  for (const bytes of names) {
    if (bytes.length !== NAME_BYTES) throw new Error('a content has a name that is none');
    const name = Buffer.from(bytes).toString('hex');
    let isBegun = false;
    try {
      for await (const part of store.get(name)) {
        if (!isBegun) yield recordFrame({ kind: 'blob', name });
        isBegun = true;
        yield bytesFrame(part);
      }
    } catch (error) {
      if (!(error instanceof BlobMissing) || isBegun) throw error;
      missing.push(name);
    }
  }
}

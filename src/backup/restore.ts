import {
  BlobMissing,
  type BlobStore,
  type Keyring,
  KeyringError,
  type Load,
  openContent,
  type Row,
  StorageError,
  type Table,
} from '../storage/index.ts';
import type { Header } from './format/envelope.ts';
import { dataKeyOf, type EndRecord, type ManifestRecord, text } from './format/records.ts';
import { type BackupConsumer, readBackup } from './read.ts';

/** Where a backup is brought back to. */
export interface Target {
  /** Empty databases with the tables that the backup has. @throws StorageError where this version does not know them */
  databases(manifest: ManifestRecord): Promise<readonly Load[]>;
  readonly blobs: BlobStore;
  /** Columns, by table, that say which change was the last: they count anew. */
  readonly counters: Readonly<Record<string, string>>;
}

export interface Restored {
  readonly header: Header;
  readonly rows: number;
  /** Contents that were brought back, that were there and whole already, and that the databases name and no store has. */
  readonly blobs: number;
  readonly present: number;
  readonly missing: readonly string[];
  /** Contents in the store that the databases do not know: most are newer than the backup. */
  readonly newer: number;
}

/** Brings the rows and the contents back. The databases are finished when all of it was read. @throws DamagedBackup, KeyringError, StorageError */
export async function restoreBackup(
  source: AsyncIterable<Uint8Array>,
  keyring: Keyring,
  target: Target,
): Promise<Restored> {
  const restoring = new Restoring(target, keyring);
  try {
    await readBackup(source, keyring, restoring);
  } catch (error) {
    await restoring.abandon();
    throw error;
  }
  return restoring.result();
}

/** All of them: a restore has the machine for itself. */
async function namesIn(store: BlobStore): Promise<Set<string>> {
  const names = new Set<string>();
  let from: string | undefined;
  do {
    const { blobs, next } = await store.list(from);
    for (const { name } of blobs) names.add(name);
    from = next;
  } while (from !== undefined);
  return names;
}

class Restoring implements BackupConsumer {
  readonly #target: Target;
  readonly #keyring: Keyring;
  /** What the store had before. */
  #there: ReadonlySet<string> = new Set();
  /** The sealed keys of contents, by name. */
  readonly #keys = new Map<string, string>();
  readonly #brought = new Set<string>();
  #loads: readonly Load[] = [];
  #header: Header | undefined;
  #rows = 0;
  #blobs = 0;
  #present = 0;
  #missing: readonly string[] = [];

  constructor(target: Target, keyring: Keyring) {
    this.#target = target;
    this.#keyring = keyring;
  }

  async manifest(manifest: ManifestRecord, header: Header): Promise<void> {
    this.#header = header;
    this.#there = await namesIn(this.#target.blobs);
    this.#loads = await this.#target.databases(manifest);
    const loads = Map.groupBy(manifest.tables, (table) => this.#loadOf(table));
    for (const [load, tables] of loads) await load.empty(tables);
  }

  async rows(table: Table, rows: readonly Row[]): Promise<void> {
    this.#rows += rows.length;
    if (table.name === 'blob') for (const row of rows) this.#keys.set(text(table, row, 'name'), dataKeyOf(table, row));
    await this.#loadOf(table).insert(table, this.#counted(table, rows));
  }

  async blob(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    this.#brought.add(name);
    if (await this.#isWhole(name)) {
      this.#present++;
      return;
    }
    if (this.#there.has(name)) await this.#target.blobs.delete(name);
    await this.#target.blobs.put(name, content);
    this.#blobs++;
  }

  async end({ removed }: EndRecord): Promise<void> {
    for (const name of removed) this.#keys.delete(name);
    this.#missing = [...this.#keys.keys()].filter((name) => !this.#brought.has(name) && !this.#there.has(name));
    for (const load of this.#loads) await load.finish();
  }

  async abandon(): Promise<void> {
    for (const load of this.#loads) await load.abandon().catch(() => {});
  }

  result(): Restored {
    if (this.#header === undefined) throw new Error('nothing was restored');
    const newer = [...this.#there].filter((name) => !this.#keys.has(name)).length;
    const [rows, blobs, present, missing] = [this.#rows, this.#blobs, this.#present, this.#missing];
    return { header: this.#header, rows, blobs, present, missing, newer };
  }

  /** Whether the store has it, and it opens. */
  async #isWhole(name: string): Promise<boolean> {
    const key = this.#keys.get(name);
    if (key === undefined || !this.#there.has(name)) return false;
    const blob = { name, dataKey: Buffer.from(key, 'base64') };
    try {
      for await (const _ of openContent(this.#keyring, blob, this.#target.blobs.get(name)));
      return true;
    } catch (error) {
      if (error instanceof KeyringError || error instanceof BlobMissing) return false;
      throw error;
    }
  }

  #counted({ name, columns }: Table, rows: readonly Row[]): readonly Row[] {
    const counter = this.#target.counters[name];
    if (counter === undefined) return rows;
    const at = columns.findIndex((column) => column.name === counter);
    return at < 0 ? rows : rows.map((row) => row.with(at, 0));
  }

  #loadOf({ name, columns }: Table): Load {
    for (const load of this.#loads) {
      const table = load.tables.find((one) => one.name === name);
      if (table === undefined) continue;
      const known = new Set(table.columns.map((column) => column.name));
      const strange = columns.find((column) => !known.has(column.name));
      if (strange === undefined) return load;
      throw new StorageError(`the backup has a column ${name}.${strange.name} that this version does not know`);
    }
    throw new StorageError(`the backup has a table ${name} that this version does not know`);
  }
}

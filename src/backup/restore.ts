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

/** Destination of a restore. */
export interface Target {
  /**
   * Returns empty databases with the tables of the backup.
   * @throws StorageError if this version does not know them
   */
  databases(manifest: ManifestRecord): Promise<readonly Load[]>;
  readonly blobs: BlobStore;
  /** Columns by table that number changes; the numbers restart after a restore. */
  readonly counters: Readonly<Record<string, string>>;
}

export interface Restored {
  readonly header: Header;
  readonly rows: number;
  /** Number of blobs that were restored, that already existed intact, and that are missing from backup and store. */
  readonly blobs: number;
  readonly present: number;
  readonly missing: readonly string[];
  /** Number of blobs in the store that the databases do not name; most are newer than the backup. */
  readonly newer: number;
}

/**
 * Restores rows and blobs. The databases are completed after the whole backup was read.
 * @throws DamagedBackup, KeyringError, StorageError
 */
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

/** Reads all names at once: nothing else runs on the machine during a restore. */
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
  /** Names that the store had before. */
  #there: ReadonlySet<string> = new Set();
  /** Encrypted data keys of blobs by name. */
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

  /** Returns whether the store has the blob and can decrypt it. */
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

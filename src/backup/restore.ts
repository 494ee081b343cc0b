import { type BlobStore, type Keyring, type Load, type Row, StorageError, type Table } from '../storage/index.ts';
import type { Header } from './format/envelope.ts';
import type { EndRecord, ManifestRecord } from './format/records.ts';
import { readBackup, type Taker } from './read.ts';

/** Where a backup is brought back to. */
export interface Target {
  /** Empty databases with the tables that the backup has. @throws StorageError where this version does not know them */
  databases(schema: ManifestRecord['schema']): Promise<readonly Load[]>;
  readonly blobs: BlobStore;
}

export interface Restored {
  readonly header: Header;
  readonly rows: number;
  /** Contents that were brought back, that were there already, and that the databases name and no store has. */
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
  const restoring = new Restoring(target, await namesIn(target.blobs));
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

class Restoring implements Taker {
  readonly #target: Target;
  /** What the store had before. */
  readonly #there: ReadonlySet<string>;
  readonly #named = new Set<string>();
  #loads: readonly Load[] = [];
  #header: Header | undefined;
  #rows = 0;
  #blobs = 0;
  #present = 0;
  #missing: readonly string[] = [];
  readonly #brought = new Set<string>();

  constructor(target: Target, there: ReadonlySet<string>) {
    this.#target = target;
    this.#there = there;
  }

  async manifest({ schema, tables }: ManifestRecord, header: Header): Promise<void> {
    this.#header = header;
    this.#loads = await this.#target.databases(schema);
    for (const table of tables) this.#loadOf(table);
  }

  async rows(table: Table, rows: readonly Row[]): Promise<void> {
    this.#rows += rows.length;
    if (table.name === 'blob') {
      const at = table.columns.findIndex(({ name }) => name === 'name');
      for (const row of rows) this.#named.add(String(row[at]));
    }
    await this.#loadOf(table).insert(table, rows);
  }

  async blob(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    // Nothing changes a content.
    if (this.#there.has(name)) this.#present++;
    else {
      await this.#target.blobs.put(name, content);
      this.#blobs++;
    }
    this.#brought.add(name);
  }

  async end({ missing }: EndRecord): Promise<void> {
    this.#missing = [...new Set([...missing, ...this.#named])].filter(
      (name) => !this.#brought.has(name) && !this.#there.has(name),
    );
    for (const load of this.#loads) await load.finish();
  }

  async abandon(): Promise<void> {
    for (const load of this.#loads) await load.abandon().catch(() => {});
  }

  result(): Restored {
    if (this.#header === undefined) throw new Error('nothing was restored');
    const newer = [...this.#there].filter((name) => !this.#named.has(name)).length;
    const [rows, blobs, present, missing] = [this.#rows, this.#blobs, this.#present, this.#missing];
    return { header: this.#header, rows, blobs, present, missing, newer };
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

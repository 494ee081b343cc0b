import {
  type ContentColumn,
  type Keyring,
  openBeside,
  openContent,
  type Row,
  type SealedColumn,
  type SqlValue,
  type Table,
} from '../storage/index.ts';
import type { Header } from './format/envelope.ts';
import { dataKeyOf, type EndRecord, fieldOf, type ManifestRecord, text } from './format/records.ts';
import { type BackupConsumer, readBackup } from './read.ts';

/** Result of a verification. */
export interface Verified {
  readonly header: Header;
  readonly rows: number;
  /** Number of values that the keyring encrypted. */
  readonly sealed: number;
  readonly blobs: number;
  /** Number of values and blobs that cannot be decrypted or are missing. */
  readonly failed: number;
}

export interface VerifyOptions {
  readonly keyring: Keyring;
  /** All columns that the keyring encrypts. */
  readonly columns: readonly SealedColumn[];
  /** Columns that are encrypted with the data keys of blobs. */
  readonly contentColumns: readonly ContentColumn[];
  /** Called for each value or blob that cannot be decrypted. */
  readonly report: (failure: string) => void;
}

/**
 * Reads a whole backup, and decrypts each encrypted value and each blob.
 * @throws DamagedBackup if the backup itself is incomplete, KeyringError with another keyring
 */
export async function verifyBackup(source: AsyncIterable<Uint8Array>, options: VerifyOptions): Promise<Verified> {
  const verification = new Verification(options);
  await readBackup(source, options.keyring, verification);
  return verification.result();
}

class Verification implements BackupConsumer {
  readonly #options: VerifyOptions;
  readonly #columns: ReadonlyMap<string, readonly SealedColumn[]>;
  readonly #contentColumns: ReadonlyMap<string, readonly ContentColumn[]>;
  #header: Header | undefined;
  #rows = 0;
  #sealed = 0;
  #blobs = 0;
  #failed = 0;
  /** Encrypted data keys by name, of blobs that have not arrived yet. Base64 takes the least memory. */
  readonly #keys = new Map<string, string>();

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#columns = Map.groupBy(options.columns, ({ table }) => table);
    this.#contentColumns = Map.groupBy(options.contentColumns, ({ table }) => table);
  }

  async manifest(_: ManifestRecord, header: Header): Promise<void> {
    this.#header = header;
  }

  async rows(table: Table, rows: readonly Row[]): Promise<void> {
    this.#rows += rows.length;
    for (const row of rows) {
      if (table.name === 'blob') this.#keys.set(text(table, row, 'name'), dataKeyOf(table, row));
      for (const column of this.#columns.get(table.name) ?? []) this.#open(table, row, column);
      for (const column of this.#contentColumns.get(table.name) ?? []) this.#openBeside(table, row, column);
    }
  }

  async blob(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    this.#blobs++;
    const dataKey = this.#keys.get(name);
    this.#keys.delete(name);
    if (dataKey === undefined) return this.#fail(`blob ${name}: no row names it`);
    try {
      const opened = openContent(this.#options.keyring, { name, dataKey: Buffer.from(dataKey, 'base64') }, content);
      for await (const _ of opened);
    } catch (error) {
      this.#fail(`blob ${name}: ${(error as Error).message}`);
    }
  }

  async end({ missing, removed }: EndRecord): Promise<void> {
    for (const name of removed) this.#keys.delete(name);
    for (const name of missing) {
      this.#keys.delete(name);
      this.#fail(`blob ${name}: it was missing from the store when the backup was created`);
    }
    for (const name of this.#keys.keys()) this.#fail(`blob ${name}: it is not in the backup`);
  }

  result(): Verified {
    if (this.#header === undefined) throw new Error('nothing was verified');
    const [rows, sealed, blobs] = [this.#rows, this.#sealed, this.#blobs];
    return { header: this.#header, rows, sealed, blobs, failed: this.#failed };
  }

  #open(table: Table, row: Row, { key, column, contextOf }: SealedColumn): void {
    const [first, second] = key;
    const id = text(table, row, first);
    const number = second === undefined ? 0 : Number(fieldOf(table, row, second));
    const place = `${table.name}.${column} of ${second === undefined ? id : `${id} ${number}`}`;
    const { keyring } = this.#options;
    this.#try(place, fieldOf(table, row, column), (value) => keyring.decrypt(value, contextOf(id, number)));
  }

  #openBeside(table: Table, row: Row, { name, column, purpose }: ContentColumn): void {
    const id = text(table, row, name);
    const dataKey = Buffer.from(this.#keys.get(id) ?? '', 'base64');
    const { keyring } = this.#options;
    this.#try(`${table.name}.${column} of ${id}`, fieldOf(table, row, column), (value) =>
      openBeside(keyring, { name: id, dataKey }, purpose, value),
    );
  }

  #try(place: string, value: SqlValue | undefined, open: (value: Uint8Array) => void): void {
    if (!(value instanceof Uint8Array)) return;
    this.#sealed++;
    try {
      open(value);
    } catch (error) {
      this.#fail(`${place}: ${(error as Error).message}`);
    }
  }

  #fail(line: string): void {
    this.#failed++;
    this.#options.report(line);
  }
}

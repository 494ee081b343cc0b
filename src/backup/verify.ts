import { type Keyring, openContent, type Row, type SealedColumn, type SqlValue, type Table } from '../storage/index.ts';
import type { Header } from './format/envelope.ts';
import type { EndRecord, ManifestRecord } from './format/records.ts';
import { readBackup, type Taker } from './read.ts';

/** What was looked at. */
export interface Verified {
  readonly header: Header;
  readonly rows: number;
  /** Values of rows that the keyring has sealed. */
  readonly sealed: number;
  readonly blobs: number;
  /** What does not open, or is not there: all of them counted, a line each for the first. */
  readonly failed: number;
  readonly failures: readonly string[];
}

/** @limit failures of a backup that are told one by one, failures -> they are counted */
const MAX_FAILURES = 20;

/**
 * Reads all of a backup, and opens each value that the keyring has sealed and each content.
 * @param columns all that the keyring seals in the databases
 * @throws DamagedBackup, KeyringError where the backup itself is not whole
 */
export async function verifyBackup(
  source: AsyncIterable<Uint8Array>,
  keyring: Keyring,
  columns: readonly SealedColumn[],
): Promise<Verified> {
  const verification = new Verification(keyring, columns);
  await readBackup(source, keyring, verification);
  return verification.result();
}

class Verification implements Taker {
  readonly #keyring: Keyring;
  readonly #columns: ReadonlyMap<string, readonly SealedColumn[]>;
  #header: Header | undefined;
  #hasBlobs = false;
  #rows = 0;
  #sealed = 0;
  #blobs = 0;
  #failed = 0;
  readonly #failures: string[] = [];
  /** The sealed keys of contents that are still to come, by name. */
  readonly #keys = new Map<string, Uint8Array>();

  constructor(keyring: Keyring, columns: readonly SealedColumn[]) {
    this.#keyring = keyring;
    this.#columns = Map.groupBy(columns, ({ table }) => table);
  }

  async manifest({ blobs }: ManifestRecord, header: Header): Promise<void> {
    this.#header = header;
    this.#hasBlobs = blobs;
  }

  async rows(table: Table, rows: readonly Row[]): Promise<void> {
    this.#rows += rows.length;
    for (const row of rows) {
      if (table.name === 'blob')
        this.#keys.set(text(table, row, 'name'), valueOf(table, row, 'data_key') as Uint8Array);
      for (const column of this.#columns.get(table.name) ?? []) this.#open(table, row, column);
    }
  }

  async blob(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    this.#blobs++;
    const dataKey = this.#keys.get(name);
    this.#keys.delete(name);
    if (dataKey === undefined) return this.#fail(`content ${name}: no row names it`);
    try {
      for await (const _ of openContent(this.#keyring, { name, dataKey }, content));
    } catch (error) {
      this.#fail(`content ${name}: ${(error as Error).message}`);
    }
  }

  async end({ missing }: EndRecord): Promise<void> {
    for (const name of missing) {
      this.#keys.delete(name);
      this.#fail(`content ${name}: it was in no store when the backup was made`);
    }
    if (this.#hasBlobs) for (const name of this.#keys.keys()) this.#fail(`content ${name}: it is not in the backup`);
  }

  result(): Verified {
    if (this.#header === undefined) throw new Error('nothing was verified');
    const [rows, sealed, blobs] = [this.#rows, this.#sealed, this.#blobs];
    return { header: this.#header, rows, sealed, blobs, failed: this.#failed, failures: this.#failures };
  }

  #open(table: Table, row: Row, { key, column, contextOf }: SealedColumn): void {
    const value = valueOf(table, row, column);
    if (!(value instanceof Uint8Array)) return;
    this.#sealed++;
    const [first, second] = key;
    const number = second === undefined ? 0 : Number(valueOf(table, row, second));
    try {
      this.#keyring.decrypt(value, contextOf(text(table, row, first), number));
    } catch (error) {
      this.#fail(`${table.name}.${column} of ${text(table, row, first)}: ${(error as Error).message}`);
    }
  }

  #fail(line: string): void {
    this.#failed++;
    if (this.#failures.length < MAX_FAILURES) this.#failures.push(line);
  }
}

function valueOf({ columns }: Table, row: Row, name: string): SqlValue | undefined {
  return row[columns.findIndex((column) => column.name === name)];
}

const text = (table: Table, row: Row, name: string): string => String(valueOf(table, row, name));

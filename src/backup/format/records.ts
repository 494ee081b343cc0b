import type { Dialect, Row, SqlValue, Table } from '../../storage/index.ts';
import { DamagedBackup } from './frames.ts';

/** The applied migrations of each set, in order. */
export type Schema = Readonly<Record<string, readonly string[]>>;

/** The first record: the origin and schema of the rows. */
export interface ManifestRecord {
  readonly kind: 'manifest';
  readonly id: string;
  readonly dialect: Dialect;
  readonly schema: Schema;
  readonly tables: readonly Table[];
}

/** Some rows of a table. Bytes are base64. */
export interface RowsRecord {
  readonly kind: 'rows';
  readonly table: string;
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** A blob: its encrypted bytes follow in frames of their own, before the next record. */
export interface BlobRecord {
  readonly kind: 'blob';
  readonly name: string;
}

/** The last record, which marks a backup as complete. */
export interface EndRecord {
  readonly kind: 'end';
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly blobs: number;
  /** Names of blobs that rows name and that were missing from the store. */
  readonly missing: readonly string[];
  /** Names of blobs that were deleted while the backup started: their rows were about to be deleted. */
  readonly removed: readonly string[];
}

export type BackupRecord = ManifestRecord | RowsRecord | BlobRecord | EndRecord;

const KINDS: readonly string[] = ['manifest', 'rows', 'blob', 'end'];

/**
 * Checks only the kind of a record, because the record was encrypted by this server.
 * @throws DamagedBackup
 */
export function toRecord(value: unknown): BackupRecord {
  const record = value as BackupRecord | null;
  if (KINDS.includes(record?.kind ?? '')) return record as BackupRecord;
  throw new DamagedBackup('the backup has a record of a kind that this version does not know');
}

export function toRowsRecord({ name, columns }: Table, rows: readonly Row[]): RowsRecord {
  const values = rows.map((row) =>
    row.map((value, at) => (columns[at]?.type === 'blob' ? encoded(value) : (value as string | number | null))),
  );
  return { kind: 'rows', table: name, rows: values };
}

export function toRows({ columns }: Table, { rows }: RowsRecord): Row[] {
  return rows.map((row) =>
    row.map(
      (value, at): SqlValue =>
        columns[at]?.type === 'blob' && value !== null ? Buffer.from(String(value), 'base64') : value,
    ),
  );
}

function encoded(value: SqlValue | undefined): string | null {
  if (!(value instanceof Uint8Array)) return null;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}

/** Returns the encrypted data key in the row of a blob. Base64 takes the least memory. */
export function dataKeyOf(table: Table, row: Row): string {
  const key = fieldOf(table, row, 'data_key');
  return key instanceof Uint8Array ? Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('base64') : '';
}

export function fieldOf({ columns }: Table, row: Row, name: string): SqlValue | undefined {
  return row[columns.findIndex((column) => column.name === name)];
}

export const text = (table: Table, row: Row, name: string): string => String(fieldOf(table, row, name));

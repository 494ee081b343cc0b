import type { Dialect, Row, SqlValue, Table } from '../../storage/index.ts';
import { DamagedBackup } from './frames.ts';

/** The steps of each set of migrations that the tables have, in their order. */
export type Schema = Readonly<Record<string, readonly string[]>>;

/** The first record: what the rows belong to. */
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

/** A content: its bytes, as they are sealed, follow in frames of their own, and then the next record. */
export interface BlobRecord {
  readonly kind: 'blob';
  readonly name: string;
}

/** The last record: without it a backup is not whole. */
export interface EndRecord {
  readonly kind: 'end';
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly blobs: number;
  /** Names of contents that rows name and that were in no store. */
  readonly missing: readonly string[];
  /** Names of contents that were deleted while the backup began: their rows were on the way out. */
  readonly removed: readonly string[];
}

export type BackupRecord = ManifestRecord | RowsRecord | BlobRecord | EndRecord;

const KINDS: readonly string[] = ['manifest', 'rows', 'blob', 'end'];

/** What is in it was sealed by us: its shape is not looked at any further. @throws DamagedBackup */
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

/** The sealed key of a content, of its row. Base64, which takes the least memory. */
export function dataKeyOf(table: Table, row: Row): string {
  const key = fieldOf(table, row, 'data_key');
  return key instanceof Uint8Array ? Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('base64') : '';
}

export function fieldOf({ columns }: Table, row: Row, name: string): SqlValue | undefined {
  return row[columns.findIndex((column) => column.name === name)];
}

export const text = (table: Table, row: Row, name: string): string => String(fieldOf(table, row, name));

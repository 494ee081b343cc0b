import type { Row, SqlValue, Table } from '../../storage/index.ts';
import { DamagedBackup } from './frames.ts';

/** The first record: what the rows belong to. */
export interface ManifestRecord {
  readonly kind: 'manifest';
  readonly id: string;
  /** The steps of each set of migrations that the tables have. */
  readonly schema: Readonly<Record<string, readonly string[]>>;
  readonly tables: readonly Table[];
  /** Whether the contents that rows name are in it. */
  readonly blobs: boolean;
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
  /** Names of contents that were in no store when the backup was made. */
  readonly missing: readonly string[];
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

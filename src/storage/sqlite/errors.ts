import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../lib/errors.ts';
import { ReferenceViolation, UniqueViolation } from '../database.ts';
import { databaseUnavailable } from '../errors.ts';

/** Result codes: https://sqlite.org/rescode.html. The low byte is the primary code. */
const IO_ERROR = 10;
const UNAVAILABLE = new Set<number | undefined>([
  5 /* busy */,
  IO_ERROR,
  13 /* full */,
  14 /* a file cannot be opened: no descriptors, or no space for a temporary file */,
]);
const FOREIGN_KEY = 787;
const UNIQUE = new Set<number | undefined>([1555 /* primary key */, 2067 /* unique index */, 2579 /* rowid */]);

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** Returns whether the disk failed, so that recent writes may be lost. Accepts a translated error too. */
export function isDiskFailure(error: unknown): boolean {
  return primaryCode(error instanceof AppError ? error.cause : error) === IO_ERROR;
}

/** Converts an error of node:sqlite to one of the database interface. */
export function translate(error: unknown, database: DatabaseSync): unknown {
  if (!(error instanceof Error)) return error;
  if (UNIQUE.has(resultCode(error))) return new UniqueViolation(violatedConstraint(error, database), error);
  if (resultCode(error) === FOREIGN_KEY) return new ReferenceViolation(error);
  return UNAVAILABLE.has(primaryCode(error)) ? databaseUnavailable(error) : error;
}

interface UniqueIndex {
  readonly name: string;
  /** Origin of the index: PRIMARY KEY, UNIQUE in CREATE TABLE, or CREATE INDEX. */
  readonly origin: 'pk' | 'u' | 'c';
  readonly columns: string;
}

const UNIQUE_INDEXES = `
  SELECT l.name, l.origin, (SELECT json_group_array(i.name) FROM pragma_index_info(l.name) i) AS columns
  FROM pragma_index_list(?) l WHERE l."unique" = 1`;

/**
 * Returns the name of the violated constraint as PostgreSQL names it: that of the index, `role_pkey`, or
 * `role_mount_name_key`. SQLite itself returns the columns (`UNIQUE constraint failed: role.mount, role.name`).
 */
function violatedConstraint(error: Error, database: DatabaseSync): string {
  const index = /index '(.+)'/.exec(error.message)?.[1];
  if (index) return index;
  const columns = error.message.replace(/^.*: /, '').split(', ');
  const table = columns[0]?.split('.')[0] ?? '';
  const names = columns.map((column) => column.slice(table.length + 1));
  const indexes = database.prepare(UNIQUE_INDEXES).all(table) as unknown as UniqueIndex[];
  const found = indexes.find(({ columns }) => columns === JSON.stringify(names));
  if (found?.origin === 'c') return found.name;
  return found?.origin === 'u' ? [table, ...names, 'key'].join('_') : `${table}_pkey`;
}

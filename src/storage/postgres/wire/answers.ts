import { DatabaseError } from 'pg';
import { parserOf } from '../values.ts';
import type { MessageReader } from './frames.ts';

/** A column of a result. */
export interface Column {
  readonly name: string;
  /** Parser of the column's values. Undefined for text, the most frequent type. */
  readonly parse: ((text: string) => unknown) | undefined;
}

/** Parses a RowDescription message. */
export function columnsOf(message: MessageReader): Column[] {
  return Array.from({ length: message.int16() }, () => {
    const name = message.cstring();
    message.skip(6); // table and number of the column
    const type = message.int32();
    message.skip(8); // size, modifier, format
    return { name, parse: parserOf(type) };
  });
}

/** Parses a DataRow message. */
export function rowOf(message: MessageReader, columns: readonly Column[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  message.skip(2); // number of columns
  for (const { name, parse } of columns) {
    const length = message.int32();
    if (length === -1) row[name] = null;
    else row[name] = parse === undefined ? message.text(length) : parse(message.text(length));
  }
  return row;
}

/** CommandComplete: the number of rows, which is the last word where there is one (`INSERT 0 3`). */
export function rowCountOf(message: MessageReader): number | null {
  const tag = message.cstring();
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return Number.isNaN(count) ? null : count;
}

/** Field codes. `V` is the severity that is not translated. */
const FIELDS = {
  V: 'severity',
  C: 'code',
  D: 'detail',
  H: 'hint',
  P: 'position',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  n: 'constraint',
  R: 'routine',
} as const;

/** Parses an ErrorResponse message. */
export function errorOf(message: MessageReader): DatabaseError {
  const fields: Record<string, string> = {};
  for (let type = message.byte(); type !== 0; type = message.byte()) {
    fields[String.fromCharCode(type)] = message.cstring();
  }
  const error = new DatabaseError(fields.M ?? '', 0, 'error');
  for (const [letter, name] of Object.entries(FIELDS)) {
    if (fields[letter] !== undefined) error[name] = fields[letter];
  }
  return error;
}

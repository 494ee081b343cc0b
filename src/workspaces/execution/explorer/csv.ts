import { isoTime } from '../../../lib/clock.ts';
import type { Kind, Value } from './field.ts';
import type { Result } from './search.ts';

/** Rows of a part of the file. */
const STEP = 500;
/** @limit rows of a CSV file of the explorer, rows -> the others are left out; use filters */
const MAX_CSV_ROWS = 100_000;

/** Characters with which a spreadsheet starts a formula, and those that it skips before one. */
const FORMULA = /^[=+\-@\t\r]/;

/** Yields a CSV file (RFC 4180) with one line for each row of the result. */
export async function* csvOf(result: Result): AsyncGenerator<string> {
  yield `${result.fields.map(({ name }) => name).join(',')}\n`;
  const total = Math.min(result.total, MAX_CSV_ROWS);
  for (let at = 0; at < total; at += STEP) {
    const rows = await result.rows(at, Math.min(STEP, total - at));
    yield rows
      .map(({ values }) => `${values.map((value, column) => cell(result, column, value)).join(',')}\n`)
      .join('');
  }
}

function cell({ fields }: Result, column: number, value: Value): string {
  return quoted(textOf(fields[column]?.kind ?? 'text', value));
}

/** Returns a value as text: times in ISO 8601, lists with commas, nothing for null. */
function textOf(kind: Kind, value: Value): string {
  if (value === null) return '';
  if (kind === 'time') return isoTime(value as number);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** Quotes a cell. An apostrophe keeps spreadsheets from executing a text as a formula. */
function quoted(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

import { isoTime } from '../../../lib/clock.ts';
import { yieldIfDue } from '../../../lib/slices.ts';
import type { Kind, Value } from './field.ts';
import type { Result } from './search.ts';

/** Size of a part of the file in characters. */
const PART = 65_536;
/** @limit rows of a CSV file of the explorer, rows -> the others are left out; use filters */
const MAX_CSV_ROWS = 100_000;

/** Characters with which a spreadsheet starts a formula, and those that it skips before one. */
const FORMULA = /^[=+\-@\t\r]/;

/** Starts a CSV file (RFC 4180) with one line for each row of the result, and returns its parts. */
export async function csvOf(result: Result): Promise<AsyncGenerator<string>> {
  return partsOf(result, await result.rows(0, MAX_CSV_ROWS));
}

async function* partsOf(result: Result, rows: Awaited<ReturnType<Result['rows']>>): AsyncGenerator<string> {
  let part = `${result.fields.map(({ name }) => name).join(',')}\n`;
  for (const { values } of rows) {
    part += `${values.map((value, column) => cell(result, column, value)).join(',')}\n`;
    if (part.length >= PART) {
      yield part;
      part = '';
    }
    const turn = yieldIfDue();
    if (turn) await turn;
  }
  yield part;
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

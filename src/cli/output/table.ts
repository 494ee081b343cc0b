import { hasParts } from '../../lib/exact-json/exact-json.ts';
import { printable } from './printable.ts';

/** Formats an object as two columns, and a list as rows with a heading. Ends with a newline. */
export function table(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return listTable(value);
  if (hasParts(value)) {
    return aligned(Object.entries(value).map(([key, member]) => [cell(key), cell(member)]));
  }
  return `${cell(value)}\n`;
}

function listTable(items: readonly unknown[]): string {
  if (!items.every(hasParts)) return items.map((item) => `${cell(item)}\n`).join('');
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  if (columns.length === 0) return '';
  const rows = items.map((item) => columns.map((column) => cell((item as Record<string, unknown>)[column])));
  return aligned([columns.map((column) => cell(column.toUpperCase())), ...rows]);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = hasParts(value) ? JSON.stringify(value) : String(value);
  return printable(text).trimEnd();
}

/** Pads columns to their widest cell. Multi-line text continues in its own column. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, text] of row.slice(0, -1).entries()) widths[index] = Math.max(widths[index] ?? 0, text.length);
  }
  const indent = ' '.repeat(widths.reduce((sum, width) => sum + width + 2, 0));
  const line = (row: readonly string[]) =>
    row
      .map((text, index) => `${text.padEnd(widths[index] ?? 0)}  `)
      .join('')
      .trimEnd()
      .replaceAll('\n', `\n${indent}`);
  return rows.map((row) => `${line(row)}\n`).join('');
}

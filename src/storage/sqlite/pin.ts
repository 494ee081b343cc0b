import type { Followed } from './history.ts';

/** Keywords that may widen the result beyond the individual conditions. */
const NOT_PLAIN = /\b(?:or|not|union|except|intersect|with)\b/i;

/** Index of the parameter (from 0) with the ID of the row; `each` if the parameters are the IDs of all rows. */
export type Pin = number | 'each';

/**
 * Returns the parameter that identifies the rows which a statement reads of the followed tables: each of these tables
 * must be restricted by an equation or a list of IDs. Returns undefined if the text does not clearly do so.
 */
export function pinOf(text: string, followed: Followed): Pin | undefined {
  if (NOT_PLAIN.test(text)) return undefined;
  const keys: string[] = [];
  for (const [table, key] of Object.entries(followed)) {
    const named = [...text.matchAll(new RegExp(`\\b(?:from|join)\\s+${table}\\s+(?:as\\s+)?(\\w+)`, 'gi'))];
    const mentions = text.match(new RegExp(`(?<![.\\w])${table}(?![\\w])`, 'gi')) ?? [];
    if (named.length !== mentions.length) return undefined;
    keys.push(...named.map(([, alias]) => `${alias}.${key}`));
  }
  const equations = new Map(keys.map((key) => [key, equationsOf(text, key)]));
  const direct = keys.filter((key) => equations.get(key)?.every((value) => /^[?(]/.test(value)));
  const pins = new Set<Pin>();
  for (const [key, values] of equations) {
    if (values.length < keys.filter((other) => other === key).length) return undefined;
    for (const value of values) {
      if (/^[?(]/.test(value)) pins.add(value.startsWith('(') ? 'each' : Number(value.slice(1)) - 1);
      else if (!direct.includes(value)) return undefined;
    }
  }
  const [pin, other] = pins;
  return other === undefined ? pin : undefined;
}

/** Returns the values that a column must equal: `?1`, `(?, ?)` or another column. */
function equationsOf(text: string, column: string): string[] {
  const equation = new RegExp(
    `\\b(?:where|and|on)\\s+${column}\\s*(?:=\\s*(\\?\\d+|\\w+\\.\\w+)|in\\s*(\\(\\?(?:, \\?)*\\)))`,
    'gi',
  );
  return [...text.matchAll(equation)].map(([, value = '', list = '']) => value || list);
}

import { types } from 'pg';

/** Type identifiers of the catalogue `pg_type`. */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const NUMERIC = 1700;
/** `name`, `text`, `varchar`, and text that stands in the query itself. */
const TEXTS: readonly number[] = [19, 25, 705, 1043];

/** How a column's text becomes the value that SQLite would give, by its type. Other types are as the driver has them. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => (text === 't' ? 1 : 0),
  [BYTEA]: (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')),
  [INT8]: toNumber,
  // The sum of a bigint is a numeric.
  [NUMERIC]: toNumber,
};

/** Undefined for text, which stays as it is. */
export function parserOf(type: number): ((text: string) => unknown) | undefined {
  return TEXTS.includes(type) ? undefined : (PARSERS[type] ?? types.getTypeParser(type, 'text'));
}

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53`);
  return value;
}

import { types } from 'pg';

/** Type OIDs of the catalogue `pg_type`. */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const NUMERIC = 1700;
/** `name`, `text`, `varchar`, and text literals of the query itself (`unknown`). */
const TEXTS: readonly number[] = [19, 25, 705, 1043];

/** Parsers by type, which return the values that SQLite would return. Other types stay as the driver returns them. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => (text === 't' ? 1 : 0),
  [BYTEA]: (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')),
  [INT8]: toNumber,
  // The sum of a bigint is a numeric.
  [NUMERIC]: toNumber,
};

/** Returns undefined for text, which is not parsed. */
export function parserOf(type: number): ((text: string) => unknown) | undefined {
  return TEXTS.includes(type) ? undefined : (PARSERS[type] ?? types.getTypeParser(type, 'text'));
}

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53`);
  return value;
}

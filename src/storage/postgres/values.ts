/** Type identifiers of the catalogue `pg_type`. */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const NUMERIC = 1700;

/** How a column's text becomes the value that SQLite would give, by its type. Other types are as the driver has them. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => (text === 't' ? 1 : 0),
  [BYTEA]: (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')),
  [INT8]: toNumber,
  // The sum of a bigint is a numeric.
  [NUMERIC]: toNumber,
};

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53`);
  return value;
}

import { parseExactJson } from '../../../lib/exact-json/exact-json.ts';
import { JsonScanner } from '../../../lib/long-json/json-scanner.ts';
import { runInSlices, type Steps, yieldIfDue } from '../../../lib/slices.ts';

/** Characters that are made into bytes at once, and bytes that are read at once. */
const PIECE = 16_384;

/** The JSON of a list, a value at a time. */
export function* listText(values: readonly unknown[]): Generator<string> {
  let opening = '[';
  for (const value of values) {
    yield opening + JSON.stringify(value);
    opening = ',';
  }
  yield values.length === 0 ? '[]' : ']';
}

/** The bytes of a long text that is being made: in slices between which others have their turn. */
export async function inOne(texts: Iterable<string>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    pieces.push(Buffer.from(piece));
    piece = '';
    await yieldIfDue();
  }
  return Buffer.concat([...pieces, Buffer.from(piece)]);
}

/** The values of a list that was written here, read as it was made. */
export function readList<T>(json: Uint8Array): Promise<T[]> {
  return runInSlices(readingList<T>(json));
}

/** The same in steps, each of some values, or of one that is large. */
export function* readingList<T>(json: Uint8Array): Steps<T[]> {
  const values: T[] = [];
  const visitor = {
    want: (keys: readonly string[]) => (keys.length === 0 ? ('enter' as const) : ('capture' as const)),
    captured: (_keys: readonly string[], value = '') => void values.push(parseExactJson(value) as T),
    part: () => {},
    left: () => {},
  };
  const scanner = new JsonScanner(visitor, json.length);
  for (let start = 0; start < json.length; start += PIECE) {
    if (start > 0) yield;
    scanner.feed(json.subarray(start, start + PIECE));
  }
  return values;
}

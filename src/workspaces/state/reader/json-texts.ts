import { parseExactJson } from '../../../lib/exact-json/exact-json.ts';
import { JsonScanner } from '../../../lib/long-json/json-scanner.ts';
import { runInSlices, type Steps, yieldIfDue } from '../../../lib/slices.ts';

/** Number of characters to encode, or bytes to parse, at a time. */
const PIECE = 16_384;

/** Yields the JSON of a list, one value at a time. */
export function* listText(values: readonly unknown[]): Generator<string> {
  let opening = '[';
  for (const value of values) {
    yield opening + JSON.stringify(value);
    opening = ',';
  }
  yield values.length === 0 ? '[]' : ']';
}

/** Encodes a long text to bytes in slices, so that the event loop is not blocked. */
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

/** Parses a list that `listText` wrote. */
export function readList<T>(json: Uint8Array): Promise<T[]> {
  return runInSlices(readingList<T>(json));
}

/** Parses a list in steps, each for some values or a single large one. */
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

import { MASK, type Range } from './masking.ts';
import { WORDS } from './words.ts';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Members of a line in which all numbers are counts, positions and times of the engine. */
const COUNTED = new Set(['change', 'changes', 'diagnostic', 'hook']);
const MASKED_NUMBER = Buffer.from(`"${MASK}"`);
/** A text, which is the name of a member where a colon follows; a number; or what JSON itself is made of. */
const TOKEN = /(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?|(?<number>-?\d[\d.eE+-]*)|[{}[\]]|[^"\d{}[\]-]+/gsy;

/** Whether a line is a JSON object, as engines print them. */
export function isStructured(line: Buffer): boolean {
  try {
    return typeof JSON.parse(line.toString()) === 'object';
  } catch {
    return false;
  }
}

/**
 * Masks secrets in a line of JSON so that it stays JSON: in texts and numbers, and never what JSON itself is made of. A text that is
 * a word of the engine's own lines stays, as `null`, `true` and `false` do.
 * @param line see `isStructured`
 * @param found where secrets are
 */
export function maskedLine(line: Buffer, found: readonly Range[]): Buffer {
  if (found.length === 0) return line;
  const secret = new Uint8Array(line.length);
  for (const { from, to } of found) secret.fill(1, from, to);
  const parts: Buffer[] = [];
  let depth = 0;
  let member = '';
  // A character for each byte, so that offsets of one are those of the other.
  for (const { 0: token, index, groups: { text, colon, number } = {} } of line.toString('latin1').matchAll(TOKEN)) {
    const to = index + token.length;
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (colon !== undefined && depth === 1) member = text?.slice(1, -1) ?? '';
    const isSecret = secret.subarray(index, to).includes(1);
    const isNumber = number !== undefined && !COUNTED.has(member);
    if (isSecret && text !== undefined) parts.push(maskedText(line, secret, index, index + text.length, to));
    else parts.push(isSecret && isNumber ? MASKED_NUMBER : line.subarray(index, to));
  }
  return Buffer.concat(parts);
}

/** The token from `from` to `to`, of which the text in its quotes ends at `end`. */
function maskedText(line: Buffer, secret: Uint8Array, from: number, end: number, to: number): Buffer {
  if (WORDS.has(line.toString('latin1', from + 1, end - 1))) return line.subarray(from, to);
  const parts: Buffer[] = [];
  let clear = from;
  let isMasked = false;
  for (let at = from + 1; at < end - 1; ) {
    const next = at + lengthAt(line, at);
    const isSecret = secret.subarray(at, next).includes(1);
    if (isSecret && !isMasked) parts.push(line.subarray(clear, at), MASK);
    if (isSecret) clear = next;
    isMasked = isSecret;
    at = next;
  }
  return Buffer.concat([...parts, line.subarray(clear, to)]);
}

/** Bytes of a character in a text, where an escape is one: its rest alone would mean something else, or nothing. */
function lengthAt(line: Buffer, at: number): number {
  if (line[at] !== BACKSLASH) return 1;
  return line[at + 1] === LOWER_U ? 6 : 2;
}

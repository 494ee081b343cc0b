import { MASK, type Range } from './masking.ts';
import { WORDS } from './words.ts';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Members whose numbers are counts, positions and times of the engine, and never secrets. */
const COUNTED = new Set(['change', 'changes', 'diagnostic', 'hook']);
const MASKED_NUMBER = Buffer.from(`"${MASK}"`);
const NULL = Buffer.from('null');
/** Nesting depth of the members of one output, in a line that lists outputs. */
const IN_OUTPUT = 3;
/** A JSON string, with the colon after a member name; a number; or other JSON syntax. */
const TOKEN = /(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?|(?<number>-?\d[\d.eE+-]*)|[{}[\]]|[^"\d{}[\]-]+/gsy;

/** Returns whether a line is a JSON object, as engines print with `-json`. */
export function isStructured(line: Buffer): boolean {
  try {
    return typeof JSON.parse(line.toString()) === 'object';
  } catch {
    return false;
  }
}

/**
 * Masks secrets in a line of JSON so that it stays JSON: in strings and numbers, but not in the syntax. Strings that
 * are words of the engine's own lines stay, as do `null`, `true` and `false`.
 * @param line see `isStructured`
 * @param found ranges of the secrets
 */
export function maskedLine(line: Buffer, found: readonly Range[]): Buffer {
  if (found.length === 0) return line;
  const secret = new Uint8Array(line.length);
  for (const { from, to } of found) secret.fill(1, from, to);
  const parts: Buffer[] = [];
  const numbers = new MaskedNumbers(parts);
  // latin1 maps each byte to one character, so offsets are equal.
  for (const { 0: token, index, groups: { text, colon, number } = {} } of line.toString('latin1').matchAll(TOKEN)) {
    const to = index + token.length;
    const isSecret = secret.subarray(index, to).includes(1);
    if (isSecret && text !== undefined) parts.push(maskedText(line, secret, index, index + text.length, to));
    else parts.push((isSecret && number !== undefined && numbers.masked()) || line.subarray(index, to));
    numbers.passed(token, colon === undefined ? undefined : text);
  }
  return Buffer.concat(parts);
}

/** Chooses the replacement of a secret number by its position in the line. */
class MaskedNumbers {
  readonly #parts: Buffer[];
  #depth = 0;
  #member = '';
  /** Index of the part with the value of `sensitive` in the current output. */
  #sensitiveAt: number | undefined;

  /** @param parts the masked line so far */
  constructor(parts: Buffer[]) {
    this.#parts = parts;
  }

  /** Records a token that was added to the parts. @param name quoted member name, if the token is one */
  passed(token: string, name: string | undefined): void {
    if (token === '{' || token === '[') this.#depth++;
    if (token === '}' || token === ']') this.#depth--;
    if (token === '{' && this.#depth === IN_OUTPUT) this.#sensitiveAt = undefined;
    if (this.#depth === 1 && name !== undefined) this.#member = name.slice(1, -1);
    if (this.#depth === IN_OUTPUT && name === '"sensitive"') this.#sensitiveAt = this.#parts.length;
  }

  /** Returns the replacement of a number; undefined if the number is a count, position or time of the engine. */
  masked(): Buffer | undefined {
    if (this.#member !== 'outputs') return COUNTED.has(this.#member) ? undefined : MASKED_NUMBER;
    // `tofu` and `terraform` crash if an output of type "number" has a string value. They do not print sensitive
    // outputs, so the output is marked sensitive.
    const at = this.#sensitiveAt ?? -1;
    this.#parts[at] &&= Buffer.from(String(this.#parts[at]).replace('false', 'true'));
    return NULL;
  }
}

/** Masks the token from `from` to `to`. Its closing quote ends at `end`. */
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

/**
 * Returns the bytes of a character in a JSON string. An escape counts as one character, because a part of it would be
 * invalid or mean something else.
 */
function lengthAt(line: Buffer, at: number): number {
  if (line[at] !== BACKSLASH) return 1;
  return line[at + 1] === LOWER_U ? 6 : 2;
}

import { MASK, type Range } from './masking.ts';
import { WORDS } from './words.ts';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Members of a line in which all numbers are counts, positions and times of the engine. */
const COUNTED = new Set(['change', 'changes', 'diagnostic', 'hook']);
const MASKED_NUMBER = Buffer.from(`"${MASK}"`);
const NULL = Buffer.from('null');
/** Depth of the members of one output, in a line that lists outputs. */
const IN_OUTPUT = 3;
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
  const numbers = new MaskedNumbers(parts);
  // A character for each byte, so that offsets of one are those of the other.
  for (const { 0: token, index, groups: { text, colon, number } = {} } of line.toString('latin1').matchAll(TOKEN)) {
    const to = index + token.length;
    const isSecret = secret.subarray(index, to).includes(1);
    if (isSecret && text !== undefined) parts.push(maskedText(line, secret, index, index + text.length, to));
    else parts.push((isSecret && number !== undefined && numbers.masked()) || line.subarray(index, to));
    numbers.passed(token, colon === undefined ? undefined : text);
  }
  return Buffer.concat(parts);
}

/** Says what stands in the place of a number that is a secret, by where in the line it is. */
class MaskedNumbers {
  readonly #parts: Buffer[];
  #depth = 0;
  #member = '';
  /** Position of the value that says whether the output is sensitive. */
  #sensitiveAt: number | undefined;

  /** @param parts the line as far as it is masked */
  constructor(parts: Buffer[]) {
    this.#parts = parts;
  }

  /** A token was put into the parts. @param name with its quotes, where it is the name of a member */
  passed(token: string, name: string | undefined): void {
    if (token === '{' || token === '[') this.#depth++;
    if (token === '}' || token === ']') this.#depth--;
    if (token === '{' && this.#depth === IN_OUTPUT) this.#sensitiveAt = undefined;
    if (this.#depth === 1 && name !== undefined) this.#member = name.slice(1, -1);
    if (this.#depth === IN_OUTPUT && name === '"sensitive"') this.#sensitiveAt = this.#parts.length;
  }

  /** Returns undefined where a number is a count, a position or a time of the engine. */
  masked(): Buffer | undefined {
    if (this.#member !== 'outputs') return COUNTED.has(this.#member) ? undefined : MASKED_NUMBER;
    // Command lines crash where an output of the type "number" has a text. One that is sensitive they do not print.
    const at = this.#sensitiveAt ?? -1;
    this.#parts[at] &&= Buffer.from(String(this.#parts[at]).replace('false', 'true'));
    return NULL;
  }
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

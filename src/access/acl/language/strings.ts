import { errorAt, type PolicyError } from './policy-error.ts';

interface Read {
  readonly value: string;
  /** Offset of the first character after the value. */
  readonly end: number;
}

/**
 * Maximum length of one string, in UTF-16 units. Bounds the work for escapes and lines.
 * @limit a string in a policy, characters -> 400
 */
export const MAX_TEXT_LENGTH = 16_384;

const PLAIN = /[^"\\\n]*/y;
const ESCAPE = /\\(?:([0-7]{3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y;
const SIMPLE: ReadonlyMap<string, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }),
);
const HEREDOC = /<<(-?)([\p{L}_][\p{L}\p{N}_.-]*)[^\S\n]*\n/uy;
const LAST_CODE_POINT = 0x10ffff;

/** Reads a string in double quotes, with the escapes of HCL and JSON. */
export function readString(text: string, start: number): Read {
  const pieces: string[] = [];
  let offset = start + 1;
  for (;;) {
    PLAIN.lastIndex = offset;
    const plain = PLAIN.exec(text)?.[0] ?? '';
    pieces.push(plain);
    offset += plain.length;
    if (offset - start > MAX_TEXT_LENGTH) throw tooLong(text, start);
    if (text[offset] === '"') return { value: pieces.join(''), end: offset + 1 };
    if (text[offset] !== '\\')
      throw errorAt(text, start, 'this string has no end on its line; close it with a double quote');
    const escaped = readEscape(text, offset);
    pieces.push(escaped.value);
    offset = escaped.end;
  }
}

export function tooLong(text: string, start: number): PolicyError {
  return errorAt(text, start, `a string may have at most ${MAX_TEXT_LENGTH} characters`);
}

function readEscape(text: string, start: number): Read {
  const simple = SIMPLE.get(text[start + 1] ?? '');
  if (simple !== undefined) return { value: simple, end: start + 2 };
  ESCAPE.lastIndex = start;
  const found = ESCAPE.exec(text);
  if (!found) throw errorAt(text, start, 'unknown escape; write a backslash as two');
  const [whole, octal, ...hex] = found;
  const end = start + whole.length;
  const code = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex.find(Boolean) ?? '', 16);
  if (code > LAST_CODE_POINT) throw errorAt(text, start, 'this code is not a Unicode character');
  return { value: String.fromCodePoint(code), end };
}

/**
 * Reads a heredoc: `<<END` or `<<-END`, then lines up to one that contains only `END`. The second form removes the
 * common indentation.
 */
export function readHeredoc(text: string, start: number): Read {
  HEREDOC.lastIndex = start;
  const [head, dash, marker] = HEREDOC.exec(text) ?? [];
  if (head === undefined || marker === undefined) {
    throw errorAt(text, start, 'a string of several lines starts with <<WORD and a line break');
  }
  const lines: string[] = [];
  for (let offset = start + head.length; offset < text.length; ) {
    const newline = text.indexOf('\n', offset);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(offset, end);
    if (line.trim() === marker) return { value: (dash ? withoutIndent(lines) : lines).join(''), end };
    if (end - start > MAX_TEXT_LENGTH) throw tooLong(text, start);
    lines.push(`${line}\n`);
    offset = end + 1;
  }
  throw errorAt(text, start, `this string has no end; close it with a line that contains only ${marker}`);
}

function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = indents.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  return lines.map((line) => (line.trim() === '' ? '\n' : line.slice(indent)));
}

import { errorAt, quoted } from './policy-error.ts';
import { MAX_TEXT_LENGTH, readHeredoc, readString, tooLong } from './strings.ts';

export type TokenKind = 'word' | 'string' | 'number' | 'mark' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The value of a string; otherwise the text as written. */
  readonly text: string;
  /** Offset of the token's first character. */
  readonly offset: number;
}

/** White space characters outside ASCII. */
const WIDE_SPACES: ReadonlySet<number> = new Set([
  ...[0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
]);
/** Sticky patterns: they match at the current offset only. The length of a word is limited like that of a string. */
const WORD = new RegExp(`[\\p{L}_][\\p{L}\\p{N}_.-]{0,${MAX_TEXT_LENGTH}}`, 'uy');
const NUMBER = /-?(?:0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const MARKS = '{}[]=,:';
const HASH = 0x23;
const SLASH = 0x2f;
const STAR = 0x2a;
const NEWLINE = 0x0a;

/** Splits a policy into tokens, one at a time. */
export class Scanner {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Offset after the last token. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * Returns the next token.
   * @throws PolicyError for an invalid one
   */
  next(): Token {
    this.#skipBlank();
    const offset = this.#offset;
    const first = this.#text[offset];
    if (first === undefined) return { kind: 'end', text: '', offset };
    if (MARKS.includes(first)) return this.#token('mark', first, offset + 1);
    if (first === '"') return this.#read(readString, offset);
    if (this.#text.startsWith('<<', offset)) return this.#read(readHeredoc, offset);
    const word = this.#match(WORD);
    if (word !== undefined && word.length > MAX_TEXT_LENGTH) throw tooLong(this.#text, offset);
    if (word !== undefined) return this.#token('word', word, offset + word.length);
    const number = this.#match(NUMBER);
    if (number !== undefined) return this.#token('number', number, offset + number.length);
    throw errorAt(this.#text, offset, `${quoted(first)} has no meaning here; strings need double quotes`);
  }

  /** Skips white space and comments. A loop instead of a pattern, because a policy may consist of comments only. */
  #skipBlank(): void {
    const text = this.#text;
    let offset = this.#offset;
    for (;;) {
      const first = text.charCodeAt(offset);
      if (isSpace(first)) offset++;
      else if (first === HASH || (first === SLASH && text.charCodeAt(offset + 1) === SLASH))
        offset = endOfLine(text, offset);
      else if (first === SLASH && text.charCodeAt(offset + 1) === STAR) offset = endOfComment(text, offset);
      else break;
    }
    this.#offset = offset;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text)?.[0];
  }

  #read(reader: typeof readString, offset: number): Token {
    const { value, end } = reader(this.#text, offset);
    return this.#token('string', value, end);
  }

  #token(kind: TokenKind, text: string, end: number): Token {
    const offset = this.#offset;
    this.#offset = end;
    return { kind, text, offset };
  }
}

/** `NaN`, the character code after the end, is not white space. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= 0x80 && WIDE_SPACES.has(code);
}

function endOfLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== NEWLINE) end++;
  return end;
}

function endOfComment(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  if (end < 0) throw errorAt(text, start, 'this comment has no end; close it with */');
  return end + 2;
}

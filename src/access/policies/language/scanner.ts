import { errorAt, quoted } from './policy-error.ts';
import { readHeredoc, readString } from './strings.ts';

export type TokenKind = 'word' | 'string' | 'number' | 'mark' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The value of a string; otherwise as it was written. */
  readonly text: string;
  /** Where it begins. */
  readonly offset: number;
}

/** White space, or a comment of one line. All are sticky: they look at one place and nowhere else. */
const BLANK = /[\s\uFEFF]+|#[^\n]*|\/\/[^\n]*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_.-]*/uy;
const NUMBER = /-?(?:0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const MARKS = '{}[]=,:';

/** Cuts a policy into tokens, one at a time. */
export class Scanner {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws PolicyError for what is no token */
  next(): Token {
    this.#skipBlank();
    const offset = this.#offset;
    const first = this.#text[offset];
    if (first === undefined) return { kind: 'end', text: '', offset };
    if (MARKS.includes(first)) return this.#token('mark', first, offset + 1);
    if (first === '"') return this.#read(readString, offset);
    if (this.#text.startsWith('<<', offset)) return this.#read(readHeredoc, offset);
    const word = this.#match(WORD);
    if (word !== undefined) return this.#token('word', word, offset + word.length);
    const number = this.#match(NUMBER);
    if (number !== undefined) return this.#token('number', number, offset + number.length);
    throw errorAt(this.#text, offset, `${quoted(first)} has no meaning here; texts stand in double quotes`);
  }

  #skipBlank(): void {
    for (;;) {
      const blank = this.#match(BLANK);
      if (blank !== undefined) {
        this.#offset += blank.length;
      } else if (this.#text.startsWith('/*', this.#offset)) {
        this.#offset = this.#endOfComment();
      } else {
        return;
      }
    }
  }

  #endOfComment(): number {
    const end = this.#text.indexOf('*/', this.#offset + 2);
    if (end < 0) throw errorAt(this.#text, this.#offset, 'this comment has no end; close it with */');
    return end + 2;
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

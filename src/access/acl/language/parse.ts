import type { Steps } from '../../../lib/slices.ts';
import { errorAt, type PolicyError, quoted } from './policy-error.ts';
import { Scanner, type Token } from './scanner.ts';

export interface Key {
  readonly text: string;
  readonly offset: number;
}

/** An item: `key = value`, `key "label" { … }`, or `"key": value`. */
export interface Item {
  readonly keys: readonly [Key, ...Key[]];
  readonly value: Value;
}

export type Value =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null; readonly offset: number }
  | { readonly kind: 'list'; readonly values: readonly Value[]; readonly offset: number }
  | { readonly kind: 'object'; readonly items: readonly Item[]; readonly offset: number };

/**
 * Maximum nesting. Valid policies need at most half of it.
 * @limit nested objects and lists in a policy, levels -> 400
 */
const MAX_DEPTH = 16;

/**
 * Names before one block. A third one is parsed only to report that it is too many.
 * @limit parsed names before a block of a policy, names -> 400, as for three
 */
const MAX_KEYS = 3;
/** Items and values, and characters, in one slice: some tens of microseconds of work. */
const READ_IN_STEP = 50;
const LENGTH_OF_STEP = 4096;

/**
 * Parses HCL 1 as far as policies use it, or JSON if the first character is a brace. Expressions are not supported.
 * @throws PolicyError with line and column
 */
export function parseLanguage(text: string): Steps<readonly Item[]> {
  return new Parser(text).document();
}

class Parser {
  readonly #text: string;
  readonly #scanner: Scanner;
  #json = false;
  #token: Token = { kind: 'end', text: '', offset: 0 };
  #depth = 0;
  /** Items read in this slice, and the offset of its start. */
  #read = 0;
  #began = 0;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new Scanner(text);
  }

  *document(): Steps<readonly Item[]> {
    // A policy may start with half a million characters of comments. They are a slice of their own.
    yield;
    this.#advance();
    this.#json = this.#take('{');
    const items = yield* this.#items(this.#json ? '}' : '');
    if (this.#token.kind !== 'end') throw this.#unexpected('the end of the policy');
    return items;
  }

  /**
   * Reads items up to the closing mark, which is consumed, or up to the end. Commas are optional in HCL and required
   * in JSON.
   */
  *#items(close: '}' | ''): Steps<readonly Item[]> {
    const items: Item[] = [];
    for (;;) {
      if (close === '' ? this.#token.kind === 'end' : this.#take(close)) return items;
      items.push({ keys: this.#keys(), value: yield* this.#value() });
      if (!this.#take(',') && this.#json && !this.#is('}')) throw this.#unexpected('a comma or }');
    }
  }

  /** Reads the names before a value. */
  #keys(): [Key, ...Key[]] {
    const keys: [Key, ...Key[]] = [this.#key()];
    if (this.#json) {
      if (!this.#take(':')) throw this.#unexpected('a colon');
      return keys;
    }
    while (keys.length < MAX_KEYS && (this.#token.kind === 'string' || this.#token.kind === 'word'))
      keys.push(this.#key());
    if (this.#is('{')) return keys;
    if (keys.length > 1) throw this.#unexpected('{ to open the block');
    if (!this.#take('=')) throw this.#unexpected('= and a value, or a block in braces');
    return keys;
  }

  #key(): Key {
    const { kind, text, offset } = this.#token;
    if (kind !== 'string' && (kind !== 'word' || this.#json)) {
      throw this.#unexpected(this.#json ? 'a name in double quotes' : 'a name');
    }
    this.#advance();
    return { text, offset };
  }

  *#value(): Steps<Value> {
    if (++this.#read >= READ_IN_STEP || this.#scanner.offset - this.#began >= LENGTH_OF_STEP) {
      yield;
      this.#read = 0;
      this.#began = this.#scanner.offset;
    }
    const { offset } = this.#token;
    if (this.#take('{')) return { kind: 'object', items: yield* this.#nested(this.#items('}')), offset };
    if (this.#take('[')) return { kind: 'list', values: yield* this.#nested(this.#list()), offset };
    const value = this.#scalar();
    this.#advance();
    return { kind: 'scalar', value, offset };
  }

  *#list(): Steps<readonly Value[]> {
    const values: Value[] = [];
    while (!this.#take(']')) {
      values.push(yield* this.#value());
      if (!this.#take(',') && !this.#is(']')) throw this.#unexpected('a comma or ]');
    }
    return values;
  }

  #scalar(): string | number | boolean | null {
    const { kind, text } = this.#token;
    if (kind === 'string') return text;
    if (kind === 'number') return this.#number(text);
    if (kind === 'word' && (text === 'true' || text === 'false')) return text === 'true';
    if (kind === 'word' && text === 'null' && this.#json) return null;
    throw this.#unexpected('a value: a string in double quotes, a number, true, false, a list or a block');
  }

  /** HCL reads a number with a leading zero as octal. Policies do not mean that, so the number is read as decimal. */
  #number(text: string): number {
    const number = text.startsWith('-') ? -Number(text.slice(1)) : Number(text);
    if (!Number.isFinite(number)) throw errorAt(this.#text, this.#token.offset, 'this number is too large');
    return number;
  }

  *#nested<T>(inside: Steps<T>): Steps<T> {
    if (++this.#depth > MAX_DEPTH) throw errorAt(this.#text, this.#token.offset, 'nested too deeply');
    const result = yield* inside;
    this.#depth--;
    return result;
  }

  #is(mark: string): boolean {
    return this.#token.kind === 'mark' && this.#token.text === mark;
  }

  #take(mark: string): boolean {
    const there = this.#is(mark);
    if (there) this.#advance();
    return there;
  }

  #advance(): void {
    this.#token = this.#scanner.next();
  }

  #unexpected(wanted: string): PolicyError {
    const { kind, text, offset } = this.#token;
    const found = kind === 'end' ? 'the text ends' : `found ${kind === 'string' ? 'the string ' : ''}${quoted(text)}`;
    return errorAt(this.#text, offset, `expected ${wanted}, but ${found}`);
  }
}

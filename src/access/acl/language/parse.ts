import type { Steps } from '../../../lib/slices.ts';
import { errorAt, type PolicyError, quoted } from './policy-error.ts';
import { Scanner, type Token } from './scanner.ts';

export interface Key {
  readonly text: string;
  readonly offset: number;
}

/** `key = value`, `key "label" { … }`, or `"key": value`. */
export interface Item {
  readonly keys: readonly [Key, ...Key[]];
  readonly value: Value;
}

export type Value =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null; readonly offset: number }
  | { readonly kind: 'list'; readonly values: readonly Value[]; readonly offset: number }
  | { readonly kind: 'object'; readonly items: readonly Item[]; readonly offset: number };

/**
 * Objects and lists inside one another. No policy that means something goes deeper than half of it.
 * @limit objects and lists inside one another in a policy, levels -> 400
 */
const MAX_DEPTH = 16;

/**
 * In front of one block; a third one is told apart only to say that it is too many.
 * @limit names in front of a block of a policy that are looked at, names -> 400, as for three
 */
const MAX_KEYS = 3;
/** Items and values that are read in one step, and characters: some tens of microseconds. */
const READ_IN_STEP = 50;
const LENGTH_OF_STEP = 4096;

/**
 * HCL, version 1, as far as policies use it; or JSON, when the first character is a brace. What both leave out: expressions.
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
  /** In this step, and where it began. */
  #read = 0;
  #began = 0;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new Scanner(text);
  }

  *document(): Steps<readonly Item[]> {
    // What a policy begins with may be half a million characters of comments, which are one step.
    yield;
    this.#advance();
    this.#json = this.#take('{');
    const items = yield* this.#items(this.#json ? '}' : '');
    if (this.#token.kind !== 'end') throw this.#unexpected('the end of the policy');
    return items;
  }

  /** Up to the closing mark, which it takes; or to the end, when there is none. Commas are free in HCL, and due in JSON. */
  *#items(close: '}' | ''): Steps<readonly Item[]> {
    const items: Item[] = [];
    for (;;) {
      if (close === '' ? this.#token.kind === 'end' : this.#take(close)) return items;
      items.push({ keys: this.#keys(), value: yield* this.#value() });
      if (!this.#take(',') && this.#json && !this.#is('}')) throw this.#unexpected('a comma or }');
    }
  }

  /** What stands before a value. */
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
    throw this.#unexpected('a value: a text in double quotes, a number, true, false, a list or a block');
  }

  /** A zero in front makes a number octal in HCL; nobody writes a policy that way, so it is read as it looks. */
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
    const found = kind === 'end' ? 'the text ends' : `found ${kind === 'string' ? 'the text ' : ''}${quoted(text)}`;
    return errorAt(this.#text, offset, `expected ${wanted}, but ${found}`);
  }
}

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

/** Objects and lists inside one another. No policy that means something goes deeper than half of it. */
const MAX_DEPTH = 16;

/**
 * HCL, version 1, as far as policies use it; or JSON, when the first character is a brace. What both leave out: expressions.
 * @throws PolicyError with line and column
 */
export function parseLanguage(text: string): readonly Item[] {
  return new Parser(text).document();
}

class Parser {
  readonly #text: string;
  readonly #scanner: Scanner;
  readonly #json: boolean;
  #token: Token;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new Scanner(text);
    this.#token = this.#scanner.next();
    this.#json = this.#is('{');
  }

  document(): readonly Item[] {
    if (this.#json) this.#advance();
    const items = this.#items(this.#json ? '}' : '');
    if (this.#token.kind !== 'end') throw this.#unexpected('the end of the policy');
    return items;
  }

  /** Up to the closing mark, which it takes; or to the end, when there is none. Commas are free in HCL, and due in JSON. */
  #items(close: '}' | ''): readonly Item[] {
    const items: Item[] = [];
    for (;;) {
      if (close === '' ? this.#token.kind === 'end' : this.#take(close)) return items;
      items.push(this.#item());
      if (!this.#take(',') && this.#json && !this.#is('}')) throw this.#unexpected('a comma or }');
    }
  }

  #item(): Item {
    const keys: [Key, ...Key[]] = [this.#key()];
    if (this.#json) {
      if (!this.#take(':')) throw this.#unexpected('a colon');
      return { keys, value: this.#value() };
    }
    while (this.#token.kind === 'string' || this.#token.kind === 'word') keys.push(this.#key());
    if (this.#is('{')) return { keys, value: this.#value() };
    if (keys.length > 1) throw this.#unexpected('{ to open the block');
    if (!this.#take('=')) throw this.#unexpected('= and a value, or a block in braces');
    return { keys, value: this.#value() };
  }

  #key(): Key {
    const { kind, text, offset } = this.#token;
    if (kind !== 'string' && (kind !== 'word' || this.#json)) {
      throw this.#unexpected(this.#json ? 'a name in double quotes' : 'a name');
    }
    this.#advance();
    return { text, offset };
  }

  #value(): Value {
    const { offset } = this.#token;
    if (this.#take('{')) return { kind: 'object', items: this.#nested(() => this.#items('}')), offset };
    if (this.#take('[')) return { kind: 'list', values: this.#nested(() => this.#list()), offset };
    const value = this.#scalar();
    this.#advance();
    return { kind: 'scalar', value, offset };
  }

  #list(): readonly Value[] {
    const values: Value[] = [];
    while (!this.#take(']')) {
      values.push(this.#value());
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

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw errorAt(this.#text, this.#token.offset, 'nested too deeply');
    const result = read();
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

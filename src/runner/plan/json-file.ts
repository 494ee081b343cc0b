import { closeSync, openSync, writeSync } from 'node:fs';

/** Characters to buffer before a write. */
const PIECE = 262_144;

/** Writes a JSON object to a file member by member, so that it is never in memory as a whole. */
export class JsonFile {
  readonly #file: number;
  readonly #names = new Set<string>();
  #held = '{';
  #isFirst = true;
  /** The list or object that is being written. */
  #open: { readonly name: string; readonly end: string } | null = null;

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600);
  }

  /** Writes a whole member. @param json its value */
  member(name: string, json: string): void {
    this.#close();
    this.#begin(name, json);
    this.#isFirst = false;
  }

  /** Appends a value to a member that is a list. All values of a list must be written consecutively. */
  item(name: string, json: string): void {
    this.#enter(name, '[', ']');
    this.#write(json);
  }

  /** Adds an entry to a member that is an object. All entries of an object must be written consecutively. */
  entry(name: string, key: string, json: string): void {
    this.#enter(name, '{', '}');
    this.#write(`${JSON.stringify(key)}:${json}`);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  end(): void {
    this.#close();
    writeSync(this.#file, `${this.#held}}`);
    closeSync(this.#file);
  }

  #enter(name: string, begin: string, end: string): void {
    if (this.#open?.name === name) return;
    this.#close();
    this.#begin(name, begin);
    this.#isFirst = true;
    this.#open = { name, end };
  }

  #close(): void {
    if (this.#open === null) return;
    this.#held += this.#open.end;
    this.#open = null;
    this.#isFirst = false;
  }

  #begin(name: string, json: string): void {
    this.#names.add(name);
    this.#write(`${JSON.stringify(name)}:${json}`);
  }

  #write(json: string): void {
    this.#held += this.#isFirst ? json : `,${json}`;
    this.#isFirst = false;
    if (this.#held.length < PIECE) return;
    writeSync(this.#file, this.#held);
    this.#held = '';
  }
}

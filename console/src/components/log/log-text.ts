import { plainOf } from './ansi.ts';

/** A log begins with the first, and ends with the second. */
const START = 0x02;
const END = 0x03;
const LINE_END = 0x0a;
/** Lines of a log that are shown; the rest is in the download. */
const MOST_LINES = 400_000;
/** Characters of one line that are shown. */
const LONGEST_LINE = 4_000;
const FIRST_BYTES = 65_536;

const decoder = new TextDecoder();

/** A log as it comes in: its bytes, and where its lines begin. A line becomes a text when somebody looks at it. */
export class LogText {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #starts = new Uint32Array(1_024);
  #lines = 0;
  #read = 0;
  #hasEnded = false;

  /** How many bytes were read: where to go on. */
  get offset(): number {
    return this.#read;
  }

  /** Whether nothing more comes. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** How many lines can be shown. */
  get count(): number {
    return this.#lines;
  }

  /** How many of them have ended. */
  get whole(): number {
    const isWhole = this.#hasEnded || this.#bytes[this.#length - 1] === LINE_END;
    return isWhole ? this.#lines : Math.max(0, this.#lines - 1);
  }

  /** Whether there are more lines than can be shown. */
  get isCut(): boolean {
    return this.#lines === MOST_LINES;
  }

  /** The next bytes, from `offset` on. */
  append(bytes: Uint8Array): void {
    let content = this.#read === 0 && bytes[0] === START ? bytes.subarray(1) : bytes;
    this.#read += bytes.length;
    if (content.at(-1) === END) {
      this.#hasEnded = true;
      content = content.subarray(0, -1);
    }
    if (content.length === 0) return;
    this.#reserve(content.length);
    this.#bytes.set(content, this.#length);
    const from = this.#length;
    this.#length += content.length;
    this.#index(from);
  }

  /** All of it, as the engine wrote it. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A line, from 0 on, as it is to be read: of a structured one what it says. */
  line(index: number): string {
    const text = messageOf(this.#raw(index));
    return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)} … (${text.length} characters)`;
  }

  /** In small steps, so that nothing else waits: lines that have this in them. Ends early once it is not wanted any more. */
  async find(wanted: string, signal: AbortSignal, most: number): Promise<readonly number[]> {
    const found: number[] = [];
    const lower = wanted.toLowerCase();
    let paused = performance.now();
    for (let index = 0; index < this.#lines && found.length < most; index++) {
      if (plainOf(this.line(index)).toLowerCase().includes(lower)) found.push(index);
      if (index % 256 === 0 && performance.now() - paused > 8) {
        await new Promise((resolve) => setTimeout(resolve));
        if (signal.aborted) return [];
        paused = performance.now();
      }
    }
    return found;
  }

  #raw(index: number): string {
    const start = this.#starts[index] ?? 0;
    const next = index + 1 < this.#lines ? (this.#starts[index + 1] ?? 0) - 1 : this.#endOfLast(start);
    return decoder.decode(this.#bytes.subarray(start, next));
  }

  #endOfLast(start: number): number {
    const end = this.#bytes.subarray(start, this.#length).indexOf(LINE_END);
    return end < 0 ? this.#length : start + end;
  }

  /** A line begins where a character stands that follows the end of one. */
  #index(from: number): void {
    if (from === 0) this.#begin(0);
    let at = Math.max(from, 1);
    // The first byte of what is new may begin a line that the end of the last part announced.
    while (at < this.#length) {
      if (this.#bytes[at - 1] === LINE_END) this.#begin(at);
      const next = this.#bytes.subarray(at, this.#length).indexOf(LINE_END);
      if (next < 0) return;
      at += next + 1;
    }
  }

  #begin(at: number): void {
    if (this.#lines === MOST_LINES) return;
    if (this.#lines === this.#starts.length) {
      const larger = new Uint32Array(this.#starts.length * 2);
      larger.set(this.#starts);
      this.#starts = larger;
    }
    this.#starts[this.#lines] = at;
    this.#lines += 1;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Engines write structured lines where they can: what such a line says. */
export function messageOf(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (!text.startsWith('{"@')) return text;
  try {
    const { '@message': message, '@level': level, diagnostic } = JSON.parse(text) as Structured;
    if (typeof message !== 'string') return text;
    const sign = level === 'error' ? '\u001b[31m' : level === 'warn' ? '\u001b[33m' : '';
    const where = diagnostic?.range?.filename
      ? ` (${diagnostic.range.filename}, line ${diagnostic.range.start?.line ?? '?'})`
      : '';
    const detail = diagnostic?.detail ? ` · ${diagnostic.detail.replaceAll(/\s*\n\s*/g, ' ')}` : '';
    return `${sign}${message}${sign && '\u001b[0m'}${where}${detail}`;
  } catch {
    return text;
  }
}

interface Structured {
  readonly '@message'?: unknown;
  readonly '@level'?: unknown;
  readonly diagnostic?: {
    readonly detail?: string;
    readonly range?: { readonly filename?: string; readonly start?: { readonly line?: number } };
  };
}

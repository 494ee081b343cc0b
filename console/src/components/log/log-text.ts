import { plainOf } from './ansi.ts';
import * as texts from './texts.ts';

/** Control characters around a log: STX at its start, ETX at its end. */
const START = 0x02;
const END = 0x03;
const LINE_END = 0x0a;
/** Maximum number of lines shown; the download has all of them. */
const MOST_LINES = 400_000;
/** Maximum number of characters shown of a line. */
const LONGEST_LINE = 4_000;
const FIRST_BYTES = 65_536;

const decoder = new TextDecoder();

/** A log as it arrives: its bytes and the offsets of its lines. Lines are decoded when they are shown. */
export class LogText {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #starts = new Uint32Array(1_024);
  #lines = 0;
  #read = 0;
  #hasEnded = false;

  /** Number of bytes read so far, where the next read starts. */
  get offset(): number {
    return this.#read;
  }

  /** Whether the log is complete. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Number of lines. */
  get count(): number {
    return this.#lines;
  }

  /** Number of complete lines. */
  get whole(): number {
    const isWhole = this.#hasEnded || this.#bytes[this.#length - 1] === LINE_END;
    return isWhole ? this.#lines : Math.max(0, this.#lines - 1);
  }

  /** Whether the log has more lines than can be shown. */
  get isCut(): boolean {
    return this.#lines === MOST_LINES;
  }

  /** Appends bytes that were read from `offset`. */
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

  /** All bytes of the log, as the engine wrote them. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns a line, from 0. For a structured (JSON) line, returns its message. */
  line(index: number): string {
    const text = messageOf(this.#raw(index));
    return text.length <= LONGEST_LINE ? text : texts.characters(text.slice(0, LONGEST_LINE), text.length);
  }

  /** Finds lines that contain a text. Yields to the event loop between steps and stops when the search is aborted. */
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

  /** Records the start of each line: the position after a line end, once a byte exists there. */
  #index(from: number): void {
    if (from === 0) this.#begin(0);
    let at = Math.max(from, 1);
    // The first new byte starts a line if the previous part ended with a line end.
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

/** Returns the message of a structured (JSON) log line, or the line itself. */
export function messageOf(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (!text.startsWith('{"@')) return text;
  try {
    const { '@message': message, '@level': level, diagnostic } = JSON.parse(text) as Structured;
    if (typeof message !== 'string') return text;
    const sign = level === 'error' ? '\u001b[31m' : level === 'warn' ? '\u001b[33m' : '';
    const where = diagnostic?.range?.filename
      ? texts.line3(diagnostic.range.filename, diagnostic.range.start?.line ?? '?')
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

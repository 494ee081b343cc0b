import { MAX_LOG_PIECE } from '../../../lib/job/limits.ts';
import { isPassing } from '../http/failures.ts';
import { rest } from '../http/retry.ts';
import { type JobClient, TIMEOUT } from './job-client.ts';

/** @limit the log of a job that the server has not taken yet, bytes -> its engine waits */
const MAX_HELD = 4_194_304;
/** Between two pieces, seconds, where the server does not say: what is said meanwhile goes together. */
const GAP = 1;
/** @limit how long a server may want to wait for the next part of a log, seconds -> it is sent */
const LONGEST_GAP = 5;

/** Sends a log, in order, while more of it comes. */
export class LogUpload {
  readonly #client: JobClient;
  readonly #path: string;
  readonly #over = new AbortController();
  /** A whole piece is there, or nothing comes any more. */
  #hurry = new AbortController();
  #held: Buffer[] = [];
  #length = 0;
  #offset = 0;
  #gap = GAP;
  #isEnding = false;
  #isLastTry = false;
  #sending: Promise<void> | undefined;
  #taken = Promise.withResolvers<void>();

  constructor(client: JobClient, link: string) {
    this.#client = client;
    this.#path = client.pathOf(link);
    client.lost.addEventListener('abort', () => this.giveUp());
  }

  /** Bytes that the server has not taken yet. */
  get held(): number {
    return this.#length;
  }

  /** Takes bytes to be sent; waits while too many are. @throws Error when the log is given up */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#over.signal.aborted) throw new Error('the log cannot be sent');
    this.#held.push(Buffer.from(bytes));
    this.#length += bytes.length;
    if (this.#length >= MAX_LOG_PIECE) this.#hurry.abort();
    this.#sending ??= this.#send();
    while (this.#length > MAX_HELD && !this.#over.signal.aborted) await this.#taken.promise;
  }

  /** When all of it has been taken, or was given up. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#hurry.abort();
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#length > 0) {
      try {
        await this.#sendPiece();
        if (this.#length < MAX_LOG_PIECE && !this.#isEnding) await this.#rest();
      } catch (error) {
        if (!this.#goesOn(error)) this.giveUp();
      }
    }
    this.#sending = undefined;
  }

  /** Until more has come, or a whole piece, or nothing comes any more. */
  async #rest(): Promise<void> {
    const signal = AbortSignal.any([this.#over.signal, this.#hurry.signal]);
    await rest(this.#gap * 1000, signal).catch(() => this.#over.signal.throwIfAborted());
  }

  /** However long the server is away: while the engine runs and need not wait, and once more after that. */
  #goesOn(error: unknown): boolean {
    if (!isPassing(error) || this.#isLastTry || this.#length > MAX_HELD) return false;
    this.#isLastTry = this.#isEnding;
    return true;
  }

  async #sendPiece(): Promise<void> {
    const piece = this.#piece();
    if (!this.#isEnding) this.#hurry = new AbortController();
    const path = `${this.#path}?offset=${this.#offset}`;
    const asked = { method: 'PATCH', path, body: { bytes: piece } } as const;
    const { logBytes, interval } = await this.#client.report(asked, this.#over.signal, TIMEOUT);
    this.#gap = Math.min(interval ?? GAP, LONGEST_GAP);
    // Where it has no more than before, it does not want any more.
    const taken = logBytes === null || logBytes <= this.#offset ? piece.length : logBytes - this.#offset;
    this.#drop(Math.min(taken, this.#length));
    this.#taken.resolve();
    this.#taken = Promise.withResolvers();
  }

  #piece(): Buffer {
    const whole = Buffer.concat(this.#held);
    this.#held = [whole];
    return whole.subarray(0, MAX_LOG_PIECE);
  }

  #drop(count: number): void {
    const [whole = Buffer.alloc(0), ...rest] = this.#held;
    // More may have come since, behind the first.
    const all = count > whole.length ? Buffer.concat([whole, ...rest]) : whole;
    const left = all.subarray(count);
    this.#held = [...(left.length > 0 ? [left] : []), ...(all === whole ? rest : [])];
    this.#length -= count;
    this.#offset += count;
  }

  /** Nothing more is sent; nobody waits any more. */
  giveUp(): void {
    this.#over.abort();
    this.#held = [];
    this.#length = 0;
    this.#taken.resolve();
  }
}

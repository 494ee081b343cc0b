import { MAX_LOG_PIECE } from '../../../lib/job/limits.ts';
import { isPassing } from '../http/failures.ts';
import { rest } from '../http/retry.ts';
import { type JobClient, TIMEOUT } from './job-client.ts';

/** @limit log of a job that the server has not stored yet, bytes -> back-pressure: the engine waits */
const MAX_HELD = 4_194_304;
/** Default interval between two parts of a log, in seconds. Output is collected meanwhile. */
const GAP = 1;
/** @limit interval between two parts of a log that a server may set, seconds -> this maximum holds */
const LONGEST_GAP = 5;

/** Uploads a log in order, while the job still writes to it. */
export class LogUpload {
  readonly #client: JobClient;
  readonly #path: string;
  readonly #over = new AbortController();
  /** Aborts when a full part is ready, or the log has ended: the next part is sent immediately. */
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

  /** Number of bytes that the server has not stored yet. */
  get held(): number {
    return this.#length;
  }

  /** Adds bytes to the log; waits while too many are not sent yet (back-pressure). @throws Error after `giveUp` */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#over.signal.aborted) throw new Error('the log cannot be sent');
    this.#held.push(Buffer.from(bytes));
    this.#length += bytes.length;
    if (this.#length >= MAX_LOG_PIECE) this.#hurry.abort();
    this.#sending ??= this.#send();
    while (this.#length > MAX_HELD && !this.#over.signal.aborted) await this.#taken.promise;
  }

  /** Resolves when all of the log was sent or given up. */
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

  /** Waits for the next interval, or until a full part is ready or the log has ended. */
  async #rest(): Promise<void> {
    const signal = AbortSignal.any([this.#over.signal, this.#hurry.signal]);
    await rest(this.#gap * 1000, signal).catch(() => this.#over.signal.throwIfAborted());
  }

  /** Retries for as long as the engine runs and need not wait, and once more after its end. */
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
    // A server that reports no more bytes than before accepts no more of the log, so the part is dropped.
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
    // Other bytes may have been added behind the first buffer meanwhile.
    const all = count > whole.length ? Buffer.concat([whole, ...rest]) : whole;
    const left = all.subarray(count);
    this.#held = [...(left.length > 0 ? [left] : []), ...(all === whole ? rest : [])];
    this.#length -= count;
    this.#offset += count;
  }

  /** Discards the rest of the log and releases writers that wait. */
  giveUp(): void {
    this.#over.abort();
    this.#held = [];
    this.#length = 0;
    this.#taken.resolve();
  }
}

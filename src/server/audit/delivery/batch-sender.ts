import { setTimeout as sleep } from 'node:timers/promises';
import type { Backlog } from '../audit-sink.ts';
import type { Batch, DiskBuffer } from '../buffer/disk-buffer.ts';
import { BatchSize } from './batch-size.ts';

/** A collector that acknowledges lines. */
export interface Receiver {
  /**
   * Sends lines and resolves with the acknowledgement.
   * @throws Refused for an error response; otherwise system errors
   */
  deliver(lines: readonly string[], signal: AbortSignal): Promise<void>;
  /** Reloads tokens and certificates. @throws system errors */
  reload(): Promise<void>;
  close(): void;
}

/** Error response of a collector. */
export class Refused extends Error {
  /**
   * Whether the response concerns these lines or their number and not our credentials, so that other lines may be
   * accepted.
   */
  readonly isOfLines: boolean;
  /** Requested delay (Retry-After), milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, { isOfLines = false, retryAfterMs = 0 } = {}) {
    super(message);
    this.isOfLines = isOfLines;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Location of a rejected line for the operator. It is the first waiting line. */
export interface RefusedLine {
  readonly file: string;
  readonly offset: number;
  readonly waitingLines: number;
}

export interface BatchSenderOptions {
  readonly buffer: DiskBuffer;
  readonly receiver: Receiver;
  /**
   * Called once with the reason when delivery fails, with the position of a single rejected line, and with undefined
   * on recovery.
   */
  readonly changed: (failure: string | undefined, line?: RefusedLine) => void;
  /** Called for each attempt. */
  readonly tried: (outcome: 'delivered' | 'failed') => void;
  /** Timeout of a delivery. Has a default. */
  readonly deliveryMs?: number;
}

/** Batching interval, milliseconds. Limits the request rate at low load. */
const GATHER_MS = 500;
const FIRST_PAUSE_MS = 100;
/** @limit back-off before a failing collector is tried again, ms -> the next attempt starts */
const LONGEST_PAUSE_MS = 30_000;
/**
 * @limit duration of one delivery to a collector, ms -> the delivery is aborted and retried with half as many entries
 */
const LONGEST_DELIVERY_MS = 30_000;
/** Time for a final delivery at exit. The rest stays on disk. */
const LAST_MS = 2_000;

/**
 * Relay of the outbox: sends buffered lines to their collector in order, one batch at a time, and retries until they
 * are accepted.
 */
export class BatchSender {
  readonly #options: BatchSenderOptions;
  readonly #end = new AbortController();
  /** Sends gathered lines at once. */
  readonly #hurry = new AbortController();
  #woken = Promise.withResolvers<void>();
  #isEnding = false;
  readonly #size = new BatchSize();
  #pauseMs = FIRST_PAUSE_MS;
  #failure: string | undefined;
  #waitingSince: number | undefined;
  #isLineRefused = false;
  #tried: Batch | undefined;
  #running: Promise<void> | undefined;

  constructor(options: BatchSenderOptions) {
    this.#options = options;
  }

  /** Status for metrics. */
  backlog(): Backlog {
    const ageMs = this.#waitingSince === undefined ? 0 : Math.max(0, Date.now() - this.#waitingSince);
    return { bytes: this.#options.buffer.bytes, ageMs, failure: this.#failure, isLineRefused: this.#isLineRefused };
  }

  /** Age of the oldest line before the first delivery. */
  async look(): Promise<void> {
    await this.#read();
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Notifies the sender of new lines. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Delivers until the buffer is empty. For buffers without a writer. */
  async drain(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#stop());
    if (signal.aborted) this.#stop();
    this.#isEnding = true;
    await this.#run();
  }

  /** Resolves when all lines are delivered, or after the final timeout. */
  async close(): Promise<void> {
    this.#isEnding = true;
    this.#hurry.abort();
    this.wake();
    const late = setTimeout(() => this.#stop(), LAST_MS);
    await this.#running;
    clearTimeout(late);
  }

  #stop(): void {
    this.#end.abort();
    this.wake();
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      try {
        const batch = await this.#read();
        if (batch) await this.#deliver(batch);
        else if (this.#isEnding) return;
        else await this.#wait();
      } catch (error) {
        if (!this.#end.signal.aborted) await this.#failed(error);
      }
    }
  }

  async #read(): Promise<Batch | undefined> {
    const batch = await this.#options.buffer.read(this.#size.most);
    const since = /^\{"time":"([^"]{1,40})"/.exec(batch?.lines[0] ?? '')?.[1];
    this.#waitingSince = since === undefined ? undefined : Date.parse(since) || undefined;
    return batch;
  }

  /** Waits for lines and a short batching interval. */
  async #wait(): Promise<void> {
    await this.#woken.promise;
    this.#woken = Promise.withResolvers();
    await sleep(GATHER_MS, undefined, { signal: this.#hurry.signal, ref: false }).catch(() => {});
  }

  async #deliver(batch: Batch): Promise<void> {
    const { buffer, receiver, changed, tried, deliveryMs = LONGEST_DELIVERY_MS } = this.#options;
    this.#tried = batch;
    const late = AbortSignal.timeout(deliveryMs);
    const signal = AbortSignal.any([this.#end.signal, late]);
    if (batch.lines.length > 0) {
      await receiver.deliver(batch.lines, signal).catch((error: unknown) => {
        throw late.aborted ? late.reason : error;
      });
    }
    await buffer.acknowledge(batch);
    tried('delivered');
    this.#pauseMs = FIRST_PAUSE_MS;
    const isBehind = this.#size.taken(batch) || this.#isLineRefused;
    this.#isLineRefused = false;
    if (!isBehind) return;
    if (this.#failure !== undefined) changed(undefined);
    this.#failure = undefined;
  }

  async #failed(error: unknown): Promise<void> {
    this.#options.tried('failed');
    const isOfLines = error instanceof Refused && error.isOfLines;
    const isHalved = (isOfLines || mayBeTooMuch(error)) && this.#tried !== undefined && this.#size.halve(this.#tried);
    this.#isLineRefused = isOfLines && !isHalved;
    await this.#tell(reasonOf(error) + (this.#isLineRefused ? ' to a single line' : ''));
    if (isOfLines && isHalved) return;
    const asked = error instanceof Refused ? Math.min(error.retryAfterMs, LONGEST_PAUSE_MS) : 0;
    await this.#pause(Math.max(asked, this.#pauseMs * (0.5 + Math.random() / 2)));
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }

  /** Makes one attempt. */
  async #tell(failure: string): Promise<void> {
    if (failure === this.#failure) return;
    this.#failure = failure;
    const { buffer, changed } = this.#options;
    const { first } = buffer;
    const line = this.#isLineRefused && first ? { ...first, waitingLines: await buffer.lines() } : undefined;
    changed(failure, line);
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#end.signal, ref: false }).catch(() => {});
  }
}

/** After a timeout or a closed connection a smaller batch may succeed, because some proxies close on large bodies. */
function mayBeTooMuch(error: unknown): boolean {
  const { code = '', name } = error as NodeJS.ErrnoException;
  return name === 'TimeoutError' || ['ETIMEDOUT', 'ECONNRESET', 'EPIPE'].includes(code);
}

/** Returns the system's error code or the response status, without the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'a delivery timed out';
  return typeof code === 'string' ? code : 'delivery failed';
}

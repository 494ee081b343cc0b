import { setTimeout as sleep } from 'node:timers/promises';
import type { Backlog } from '../audit-sink.ts';
import type { Batch, DiskBuffer } from '../buffer/disk-buffer.ts';
import { BatchSize } from './batch-size.ts';

/** A collector that says when it has something. */
export interface Receiver {
  /**
   * Resolves when the collector has the lines.
   * @throws Refused for what it answers; else what the system says
   */
  deliver(lines: readonly string[], signal: AbortSignal): Promise<void>;
  /** Reads its files anew: tokens, certificates. @throws what the system says */
  reload(): Promise<void>;
  close(): void;
}

/** What a collector says that does not take lines. */
export class Refused extends Error {
  /** It is about these lines, or about how many they are, and not about us: others may be taken. */
  readonly isOfLines: boolean;
  /** When it wants to be asked again, milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, { isOfLines = false, retryAfterMs = 0 } = {}) {
    super(message);
    this.isOfLines = isOfLines;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Where a line is that is refused by itself, for whoever runs the server; all that waits begins with it. */
export interface RefusedLine {
  readonly file: string;
  readonly offset: number;
  readonly waitingLines: number;
}

export interface BatchSenderOptions {
  readonly buffer: DiskBuffer;
  readonly receiver: Receiver;
  /** Told why lines cannot be delivered, once, and when they can again (undefined); and which it is, where it is a single one. */
  readonly changed: (failure: string | undefined, line?: RefusedLine) => void;
  /** Told of each try. */
  readonly tried: (outcome: 'delivered' | 'failed') => void;
  /** How long one delivery may take; as it is bounded unless told. */
  readonly deliveryMs?: number;
}

/** What comes within it goes together, milliseconds: a collector is asked at most so often while little happens. */
const GATHER_MS = 500;
const FIRST_PAUSE_MS = 100;
/** @limit the pause before a collector that takes nothing is tried again, ms -> the next try */
const LONGEST_PAUSE_MS = 30_000;
/** @limit one delivery to a collector, ms -> it is given up, and half as many lines are tried */
const LONGEST_DELIVERY_MS = 30_000;
/** What is left when a process ends has so long; the rest stays on the disk. */
const LAST_MS = 2_000;

/** Takes what waits in a buffer to its collector: in order, one batch at a time, again and again until it is taken. */
export class BatchSender {
  readonly #options: BatchSenderOptions;
  readonly #end = new AbortController();
  /** What is gathered goes at once. */
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

  /** What there is to be watched. */
  backlog(): Backlog {
    const ageMs = this.#waitingSince === undefined ? 0 : Math.max(0, Date.now() - this.#waitingSince);
    return { bytes: this.#options.buffer.bytes, ageMs, failure: this.#failure, isLineRefused: this.#isLineRefused };
  }

  /** How long something waits already, before anything is delivered. */
  async look(): Promise<void> {
    await this.#read();
  }

  start(): void {
    this.#running = this.#run();
  }

  /** There is something to deliver. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Delivers what there is until the buffer is empty; for a buffer that nobody writes. */
  async drain(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#stop());
    if (signal.aborted) this.#stop();
    this.#isEnding = true;
    await this.#run();
  }

  /** Resolves when what waits is delivered, or its last time is over. */
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

  /** Until there is something, and a little longer, so that what comes together goes together. */
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

  /** Once. */
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

/** It takes longer than it may, or somebody on the way ends the connection, as many do with what is too long: less may get through. */
function mayBeTooMuch(error: unknown): boolean {
  const { code = '', name } = error as NodeJS.ErrnoException;
  return name === 'TimeoutError' || ['ETIMEDOUT', 'ECONNRESET', 'EPIPE'].includes(code);
}

/** The system's word for it, without the address that its own text would name; what a collector answers is a number. */
function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'a delivery does not come to an end';
  return typeof code === 'string' ? code : 'it cannot be delivered';
}

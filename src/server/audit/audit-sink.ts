import { setImmediate, setTimeout as wait } from 'node:timers/promises';

/** A way out for lines. Nothing is written while a write is under way. */
export interface Sink {
  /**
   * Resolves when the lines have left this process; each ends with its line feed.
   * @throws why not all of them could be
   */
  write(lines: readonly string[]): Promise<void>;
  /** Begins anew: the file may have been moved away. */
  reopen(): Promise<void>;
  close(): Promise<void>;
  /** What is to be watched of it. */
  readonly metrics?: SinkMetrics;
}

/** What a sink has beside the lines that it takes. */
export interface SinkMetrics {
  /** Where it writes. */
  readonly folder: string;
  /** Of lines that wait for a collector; absent where none does. */
  backlog?(): Backlog;
}

export interface Backlog {
  readonly bytes: number;
  /** How old the line is that waits longest. */
  readonly ageMs: number;
  /** Why nothing is delivered, in words that anybody may read. */
  readonly failure: string | undefined;
  /** Whether the first line is refused by itself: all behind it wait until somebody does something. */
  readonly isLineRefused: boolean;
}

export interface QueuedSinkOptions {
  /** `file`; the second one is `file-2`. */
  readonly name: string;
  readonly type: 'file' | 'stdout' | 'syslog' | 'http';
  readonly sink: Sink;
  /** Told when it stops working, with the reason, and when it works again. */
  readonly changed: (sink: QueuedSink) => void;
  /** Told of each line that was not taken. */
  readonly failed: (sink: QueuedSink) => void;
  /** How long a write may take until its lines count as not taken. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly lines: readonly string[];
  readonly settle: (taken: boolean) => void;
}

const STUCK = 'a write does not come to an end';
/** @limit a write to a sink, ms -> the sink counts as failed; without another one requests get 503 */
const WRITE_TIMEOUT_MS = 5_000;
/**
 * Characters that wait for the write before them.
 * @limit lines that wait for a sink, characters -> the sink takes no more; without another one requests get 503
 */
const MAX_WAITING = 8_388_608;

/** One place where the audit record goes. Lines are kept in the order given; those that come during a write share the next. */
export class QueuedSink {
  readonly name: string;
  readonly type: QueuedSinkOptions['type'];
  readonly #options: QueuedSinkOptions;
  readonly #timeoutMs: number;
  #waiting: Waiting[] = [];
  #size = 0;
  #isBusy = false;
  #isStuck = false;
  #reopens = false;
  #failure: string | undefined;
  #isProven = false;
  #idle = Promise.resolve();

  constructor(options: QueuedSinkOptions) {
    this.name = options.name;
    this.type = options.type;
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? WRITE_TIMEOUT_MS;
  }

  /** Why it does not work; undefined when it does, or nothing was written yet. In words that anybody may read. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get metrics(): SinkMetrics | undefined {
    return this.#options.sink.metrics;
  }

  /** Whether the last line was taken. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** Whether all of these lines were taken; each ends with its line feed. Never rejects. */
  write(lines: readonly string[]): Promise<boolean> {
    const size = lines.reduce((sum, { length }) => sum + length, 0);
    if (this.#isStuck) return this.#refuse(STUCK);
    if (this.#size + size > MAX_WAITING) return this.#refuse('too many lines wait to be written');
    this.#size += size;
    return new Promise((settle) => {
      this.#waiting.push({ lines, settle });
      this.#wake();
    });
  }

  /** Before the next line. */
  reopen(): void {
    this.#reopens = true;
    this.#wake();
  }

  /** Resolves when everything taken is written, or the timeout has passed. Nothing is written after it. */
  async close(): Promise<void> {
    const over = new AbortController();
    const late = wait(this.#timeoutMs, undefined, over).catch(() => {});
    await Promise.race([this.#idle, late]);
    over.abort();
    await this.#options.sink.close();
  }

  #wake(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#idle = this.#work();
  }

  /** Begins at the end of this turn of the event loop, so that all its lines share one write: writes are what costs. */
  async #work(): Promise<void> {
    await setImmediate();
    while (this.#waiting.length > 0 || this.#reopens) {
      if (this.#reopens) await this.#reopen();
      const batch = this.#waiting;
      this.#waiting = [];
      this.#size = 0;
      if (batch.length > 0) await this.#send(batch);
    }
    this.#isBusy = false;
  }

  async #reopen(): Promise<void> {
    this.#reopens = false;
    try {
      await this.#options.sink.reopen();
    } catch (error) {
      this.#note(reasonOf(error));
    }
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const stuck = setTimeout(() => this.#stall(batch), this.#timeoutMs);
    try {
      await this.#options.sink.write(batch.flatMap(({ lines }) => lines));
      this.#note(undefined);
      for (const { settle } of batch) settle(true);
    } catch (error) {
      this.#giveUp(batch, reasonOf(error));
    } finally {
      clearTimeout(stuck);
      this.#isStuck = false;
    }
  }

  /** The write goes on; whoever waits for it, or behind it, is not to wait any longer. */
  #stall(batch: readonly Waiting[]): void {
    this.#isStuck = true;
    const behind = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    this.#giveUp([...batch, ...behind], STUCK);
  }

  #giveUp(batch: readonly Waiting[], reason: string): void {
    for (const { settle } of batch) {
      this.#fail(reason);
      settle(false);
    }
  }

  async #refuse(reason: string): Promise<false> {
    this.#fail(reason);
    return false;
  }

  #fail(reason: string): void {
    this.#note(reason);
    this.#options.failed(this);
  }

  #note(failure: string | undefined): void {
    const changes = (failure === undefined) !== (this.#failure === undefined);
    this.#failure = failure;
    this.#isProven = failure === undefined;
    if (changes) this.#options.changed(this);
  }
}

/** The system's word for it, without the path or address that its own text would name: anybody may see it. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

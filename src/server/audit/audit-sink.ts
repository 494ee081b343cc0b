import { setImmediate, setTimeout as wait } from 'node:timers/promises';

/** Output of a sink. Writes do not overlap. */
export interface Sink {
  /**
   * Resolves when the lines have left this process. Each line ends with a line feed.
   * @throws the reason if a line could not be written
   */
  write(lines: readonly string[]): Promise<void>;
  /** Reopens the output, because its file may have been moved. */
  reopen(): Promise<void>;
  close(): Promise<void>;
  /** Status for metrics. */
  readonly metrics?: SinkMetrics;
}

/** Status of a sink. */
export interface SinkMetrics {
  /** Folder or file that the sink writes to. */
  readonly folder: string;
  /** Backlog of lines for a collector. Absent without a collector. */
  backlog?(): Backlog;
}

export interface Backlog {
  readonly bytes: number;
  /** Age of the oldest waiting line. */
  readonly ageMs: number;
  /** Reason for failed delivery, without confidential details. */
  readonly failure: string | undefined;
  /** Whether the collector rejects the first line, which blocks all later ones. */
  readonly isLineRefused: boolean;
}

export interface QueuedSinkOptions {
  /** Name of the sink, such as `file`; the second of a type is `file-2`. */
  readonly name: string;
  readonly type: 'file' | 'stdout' | 'syslog' | 'http';
  readonly sink: Sink;
  /** Called when the sink fails, with the reason, and when it recovers. */
  readonly changed: (sink: QueuedSink) => void;
  /** Called for each line that was not accepted. */
  readonly failed: (sink: QueuedSink) => void;
  /** Write timeout after which the lines count as not accepted. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly lines: readonly string[];
  readonly settle: (taken: boolean) => void;
}

const STUCK = 'a write timed out';
/**
 * @limit duration of one write to an audit sink, ms -> the sink counts as failed; without another sink requests get 503
 */
const WRITE_TIMEOUT_MS = 5_000;
/**
 * Maximum size of lines that wait for the current write, characters.
 * @limit total length of the entries that wait for an audit sink, characters -> the sink accepts no more; without
 * another sink requests get 503
 */
const MAX_WAITING = 8_388_608;

/** One audit sink. Lines keep their order. Lines that arrive during a write share the next write. */
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

  /** Reason for the failure, without confidential details. Undefined if the sink works or nothing was written yet. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get metrics(): SinkMetrics | undefined {
    return this.#options.sink.metrics;
  }

  /** Whether the last line was accepted. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** Writes lines, each with its line feed. Resolves with whether all were accepted. Never rejects. */
  write(lines: readonly string[]): Promise<boolean> {
    const size = lines.reduce((sum, { length }) => sum + length, 0);
    if (this.#isStuck) return this.#refuse(STUCK);
    if (this.#size + size > MAX_WAITING) return this.#refuse('too many lines are waiting for the sink');
    this.#size += size;
    return new Promise((settle) => {
      this.#waiting.push({ lines, settle });
      this.#wake();
    });
  }

  /** Reopens the output before the next line. */
  reopen(): void {
    this.#reopens = true;
    this.#wake();
  }

  /** Resolves when all accepted lines are written, or after the timeout. Nothing is written afterwards. */
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

  /** Group commit: starts at the end of this event loop turn, so that all its lines share one write. */
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

  /** The write continues, but callers that wait for it or behind it stop waiting. */
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

/** Returns the system's error code. The full message would reveal a path or URL. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

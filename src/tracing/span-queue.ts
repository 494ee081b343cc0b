import { HttpPost, type PostTls, tokenHeaders } from '../lib/collector/http-post.ts';
import { otlpRequest } from './otlp.ts';
import type { Span } from './span.ts';

export interface SpanQueueOptions {
  /** URL of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly tokenHeader: string;
  readonly token?: string | undefined;
  readonly tls?: PostTls | undefined;
  readonly version: string;
  /** Called with the number of exported or dropped spans. */
  readonly counted: (outcome: SpanOutcome, count: number) => void;
  /** Called once with the reason when the export fails, and with undefined when it works again. */
  readonly changed: (failure: string | undefined) => void;
}

export type SpanOutcome = 'exported' | 'failed' | 'dropped';

/** @limit spans in the export queue, spans -> new ones are dropped and counted */
const MOST_WAITING = 4_096;
/** @limit spans in one export, spans -> the others follow in the next one */
const MOST_BATCH = 512;
/** Delay for batching, milliseconds: spans that arrive within it are exported together. */
const GATHER_MS = 1_000;
/** @limit duration of one export of spans, ms -> its spans are dropped */
const LONGEST_EXPORT = 10_000;
/** Time for the remaining spans when the process stops. */
const LAST_MS = 2_000;

/**
 * Export queue of spans. A collector that is unavailable or hangs costs only spans, because no request waits for the
 * export.
 */
export class SpanQueue {
  readonly #options: SpanQueueOptions;
  readonly #post: HttpPost;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #end = new AbortController();
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #failure: string | undefined;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
    this.#post = new HttpPost(`${options.endpoint.replace(/\/$/, '')}/v1/traces`, options.tls);
    this.#headers = { 'content-type': 'application/json', ...tokenHeaders(options.tokenHeader, options.token) };
  }

  add(span: Span): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(span);
    else this.#options.counted('dropped', 1);
    this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
  }

  /** Resolves when the queue is empty or its last time is over. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.#end.abort(), LAST_MS);
    await this.#sending;
    while (this.#waiting.length > 0 && !this.#end.signal.aborted) await this.#export();
    clearTimeout(late);
    clearTimeout(this.#timer);
    this.#post.close();
  }

  #send(): void {
    this.#sending = this.#export().finally(() => {
      this.#sending = undefined;
      this.#timer = undefined;
      if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#send(), this.#pauseMs).unref();
    });
  }

  /** A backlog is exported without a delay, unless the collector fails. */
  get #pauseMs(): number {
    return this.#failure === undefined && this.#waiting.length >= MOST_BATCH ? 0 : GATHER_MS;
  }

  /** Exports one batch. Spans that the collector does not accept are dropped: traces are not an audit log. */
  async #export(): Promise<void> {
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(LONGEST_EXPORT)]);
    const spans = this.#waiting.splice(0, MOST_BATCH);
    const body = Buffer.from(JSON.stringify(otlpRequest(spans, this.#options)));
    const failure = await this.#post.send(body, this.#headers, signal).then(
      ({ status }) => (status >= 200 && status < 300 ? undefined : `answered with ${status}`),
      ({ code, name }: NodeJS.ErrnoException) => (name === 'TimeoutError' ? 'ETIMEDOUT' : (code ?? name)),
    );
    this.#options.counted(failure === undefined ? 'exported' : 'failed', spans.length);
    if (failure !== this.#failure) this.#options.changed(failure);
    this.#failure = failure;
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { isWithin, newSpanId, newTraceId, readTraceparent, type TraceContext } from './context.ts';
import { KIND, type Span } from './span.ts';

/** The operation in progress, which is the parent of new spans. */
interface Scope extends TraceContext {
  /** Number of spans below this request so far. */
  count: number;
}

/** @limit spans of one request, spans -> further spans are not recorded */
const MOST_OF_A_REQUEST = 200;
/**
 * @limit traces per second that clients request with `traceparent`, traces -> further traces are sampled by the ratio
 */
const MOST_WANTED = 100;

type Record = Pick<Span, 'name' | 'kind' | 'attributes'>;

/** Creates the spans of this process as children of the operation in progress. */
export class Tracer {
  readonly #add: (span: Span) => void;
  readonly #ratio: number;
  readonly #scopes = new AsyncLocalStorage<Scope>();
  #second = 0;
  #wanted = 0;

  /** @param ratio share of traces that are recorded, 0 to 1 */
  constructor(add: (span: Span) => void, ratio: number) {
    this.#add = add;
    this.#ratio = ratio;
  }

  /** Returns whether a trace that starts here is recorded; every node decides the same. */
  isSampled(traceId: string): boolean {
    return isWithin(traceId, this.#ratio);
  }

  /** Starts the span of a request, in the trace of the client if it sends one. */
  begin(traceparent: unknown): { readonly scope: Scope; readonly parentId: string | undefined } {
    const parent = readTraceparent(traceparent);
    const traceId = parent?.traceId ?? newTraceId();
    const isSampled = parent ? parent.isSampled && this.#takes(traceId) : this.isSampled(traceId);
    return { scope: { traceId, spanId: newSpanId(), isSampled, count: 0 }, parentId: parent?.spanId };
  }

  within<T>(scope: Scope, work: () => T): T {
    return this.#scopes.run(scope, work);
  }

  record(span: Span): void {
    this.#add(span);
  }

  /** Runs a step of the operation in progress as a span. Nothing is recorded outside of an operation. */
  async step<T>(described: () => Omit<Record, 'kind'>, work: () => Promise<T>): Promise<T> {
    const scope = this.#scopes.getStore();
    if (!scope?.isSampled || scope.count >= MOST_OF_A_REQUEST) return work();
    scope.count++;
    const start = now();
    let isError = true;
    try {
      const result = await work();
      isError = false;
      return result;
    } finally {
      const { traceId, spanId: parentId } = scope;
      const span = { traceId, spanId: newSpanId(), parentId, kind: KIND.client, start, end: now(), isError };
      this.#add({ ...described(), ...span });
    }
  }

  /** Limits the traces per second that clients request, so that they do not displace all others. */
  #takes(traceId: string): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#wanted = 0;
    this.#second = second;
    return this.#wanted++ < MOST_WANTED || this.isSampled(traceId);
  }
}

/** Milliseconds since 1970, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();

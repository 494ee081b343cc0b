import { AsyncLocalStorage } from 'node:async_hooks';
import { isWithin, newSpanId, newTraceId, readTraceparent, type TraceContext } from './context.ts';
import { KIND, type Span } from './span.ts';

/** What is under way, and whose children others are. */
interface Scope extends TraceContext {
  /** Spans below this request so far. */
  count: number;
}

/** @limit spans of one request, spans -> others are not recorded */
const MOST_OF_A_REQUEST = 200;
/** @limit traces that clients want recorded, in each second, traces -> others are recorded by the ratio */
const MOST_WANTED = 100;

type Record = Pick<Span, 'name' | 'kind' | 'attributes'>;

/** Spans of this process, as children of what is under way. */
export class Tracer {
  readonly #add: (span: Span) => void;
  readonly #ratio: number;
  readonly #scopes = new AsyncLocalStorage<Scope>();
  #second = 0;
  #wanted = 0;

  /** @param ratio of traces that are recorded, 0 to 1 */
  constructor(add: (span: Span) => void, ratio: number) {
    this.#add = add;
    this.#ratio = ratio;
  }

  /** Whether a trace that begins here is recorded: the same on every node. */
  isSampled(traceId: string): boolean {
    return isWithin(traceId, this.#ratio);
  }

  /** What somebody begins who asks us: in their trace, if they say so. */
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

  /** A step of what is under way; nothing is recorded where nothing is. */
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

  /** Strangers may ask for it too: so many in a second, so that they do not push out everybody else's. */
  #takes(traceId: string): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#wanted = 0;
    this.#second = second;
    return this.#wanted++ < MOST_WANTED || this.isSampled(traceId);
  }
}

/** Milliseconds since 1970, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();

/** What is told of a request once it is over. */
interface Ended {
  readonly requestId: string;
  readonly service: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly httpVersion: string;
  readonly remoteAddress: string;
  readonly bytes: number;
}

/** A request that is part of a trace. */
export interface RequestTrace {
  /** In hex. */
  readonly traceId: string;
  /** What is begun in `work` belongs to it. */
  within<T>(work: () => T): T;
  end(record: Ended): void;
}

/** Who records what requests do; there is none unless it is configured. */
export interface RequestTracing {
  /** @param traceparent as the client sent it; undefined is answered for a request that is part of none */
  begin(traceparent: unknown): RequestTrace | undefined;
}

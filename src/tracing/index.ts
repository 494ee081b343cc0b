import type { Database } from '../storage/index.ts';
import { RequestTraces } from './request-traces.ts';
import { RunTraces } from './run-traces.ts';
import { SpanQueue, type SpanQueueOptions } from './span-queue.ts';
import { TracedDatabase } from './traced-database.ts';
import { Tracer } from './tracer.ts';

export type { SpanOutcome } from './span-queue.ts';

/**
 * Spans of this server and their export to an OpenTelemetry collector. The module is loaded only if tracing is
 * configured.
 */
export interface Tracing {
  readonly requests: RequestTraces;
  readonly runs: RunTraces;
  database(database: Database): Database;
  close(): Promise<void>;
}

/** @param sampleRatio share of the traces that start here which are recorded, 0 to 1 */
export function startTracing({
  sampleRatio,
  ...options
}: SpanQueueOptions & { readonly sampleRatio: number }): Tracing {
  const queue = new SpanQueue(options);
  const tracer = new Tracer((span) => queue.add(span), sampleRatio);
  return {
    requests: new RequestTraces(tracer),
    runs: new RunTraces(tracer),
    database: (database) => new TracedDatabase(database, tracer),
    close: () => queue.close(),
  };
}

import { counter, gauge } from '../monitoring/metric-definition.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Backlog, QueuedSink } from './audit-sink.ts';
import type { SinkSpaces } from './sink-spaces.ts';

/** Metrics of audit sinks. */
export const AUDIT_METRICS = {
  failures: counter('audit_failures_total', 'Audit entries that a sink did not accept.', ['sink']),
  deliveries: counter(
    'audit_deliveries_total',
    'Batches of audit entries sent from a buffer to its collector, by outcome.',
    ['sink', 'outcome'],
  ),
  lost: counter('audit_files_lost_total', 'Audit files that were removed or moved without a SIGHUP.', ['sink']),
  buffered: gauge(
    'audit_buffer_bytes',
    'Audit entries that wait for a collector, including those of exited processes.',
    ['sink'],
  ),
  age: gauge('audit_buffer_age_seconds', 'Age of the oldest audit entry that waits for a collector.', ['sink']),
  refused: gauge(
    'audit_buffer_line_refused',
    '1 if a collector rejects the oldest waiting audit entry, which blocks all later ones until an operator acts.',
    ['sink'],
  ),
  free: gauge('audit_free_bytes', 'Free disk space of an audit sink.', ['sink']),
} as const;

/** Counters of sinks. */
export interface AuditCounters {
  /** Entries that a sink did not accept, by `sink`. */
  failed(sink: string): void;
  delivery(sink: string, outcome: 'delivered' | 'failed'): void;
  lost(sink: string): void;
}

export function auditCounters(metrics: Metrics): AuditCounters {
  const failures = metrics.counter(AUDIT_METRICS.failures);
  const deliveries = metrics.counter(AUDIT_METRICS.deliveries);
  const lost = metrics.counter(AUDIT_METRICS.lost);
  return {
    failed: (sink) => failures.inc({ sink }),
    delivery: (sink, outcome) => deliveries.inc({ sink, outcome }),
    lost: (sink) => lost.inc({ sink }),
  };
}

/** Gauges, read at each scrape. */
export function registerAuditMetrics(metrics: Metrics, sinks: readonly QueuedSink[], spaces: SinkSpaces): void {
  const waiting = (figure: (waits: Backlog) => number) => async () =>
    sinks.flatMap(({ name, metrics: ofSink }) =>
      ofSink?.backlog ? [{ labels: { sink: name }, value: figure(ofSink.backlog()) }] : [],
    );
  metrics.gauge(
    AUDIT_METRICS.buffered,
    waiting(({ bytes }) => bytes),
  );
  metrics.gauge(
    AUDIT_METRICS.age,
    waiting(({ ageMs }) => ageMs / 1_000),
    'max',
  );
  metrics.gauge(
    AUDIT_METRICS.refused,
    waiting(({ isLineRefused }) => Number(isLineRefused)),
    'max',
  );
  metrics.gauge(
    AUDIT_METRICS.free,
    async () => (await spaces.now()).map(({ name, bytes }) => ({ labels: { sink: name }, value: bytes })),
    'max',
  );
}

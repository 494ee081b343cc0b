import { counter, gauge } from '../monitoring/metric-definition.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Backlog, QueuedSink } from './audit-sink.ts';
import type { SinkSpaces } from './sink-spaces.ts';

/** How the sinks of the audit record are doing. */
export const AUDIT_METRICS = {
  failures: counter('audit_failures_total', 'Audit lines that a sink did not take.', ['sink']),
  deliveries: counter(
    'audit_deliveries_total',
    'Batches of audit lines that were sent from a buffer to its collector, by what came of it.',
    ['sink', 'outcome'],
  ),
  lost: counter(
    'audit_files_lost_total',
    'Files of the audit record that were removed or moved away by somebody who did not say so.',
    ['sink'],
  ),
  buffered: gauge(
    'audit_buffer_bytes',
    'Audit lines that wait for a collector, those included that a process which has ended has left.',
    ['sink'],
  ),
  age: gauge('audit_buffer_age_seconds', 'How old the audit line is that waits longest for a collector.', ['sink']),
  refused: gauge(
    'audit_buffer_line_refused',
    '1 when a collector refuses the audit line that waits longest by itself: it waits until somebody does something, and all behind it.',
    ['sink'],
  ),
  free: gauge('audit_free_bytes', 'Room where a sink of the audit record writes.', ['sink']),
} as const;

/** What is counted of sinks. */
export interface AuditCounters {
  /** Lines that a sink did not take, by `sink`. */
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

/** What is looked at when somebody asks. */
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

import { statfs } from 'node:fs/promises';
import { counter, gauge } from '../monitoring/definition.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Sink } from './audit-sink.ts';

/** Below it an operator should make room, bytes. */
const LOW_SPACE = 67_108_864;

/** How the sinks of the audit record are doing. */
export const AUDIT_FIGURES = {
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
  buffered: gauge('audit_buffer_bytes', 'Audit lines that wait for a collector.', ['sink']),
  age: gauge('audit_buffer_age_seconds', 'How old the audit line is that waits longest for a collector.', ['sink']),
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
  const failures = metrics.counter(AUDIT_FIGURES.failures);
  const deliveries = metrics.counter(AUDIT_FIGURES.deliveries);
  const lost = metrics.counter(AUDIT_FIGURES.lost);
  return {
    failed: (sink) => failures.inc({ sink }),
    delivery: (sink, outcome) => deliveries.inc({ sink, outcome }),
    lost: (sink) => lost.inc({ sink }),
  };
}

/** What is looked at when somebody asks. */
export function registerAuditFigures(metrics: Metrics, sinks: readonly Sink[]): void {
  const waiting = (kind: 'bytes' | 'ageMs', unit: number) => async () =>
    sinks.flatMap(({ name, figures }) =>
      figures?.waiting ? [{ labels: { sink: name }, value: figures.waiting()[kind] / unit }] : [],
    );
  metrics.gauge(AUDIT_FIGURES.buffered, waiting('bytes', 1));
  metrics.gauge(AUDIT_FIGURES.age, waiting('ageMs', 1_000), 'max');
  metrics.gauge(
    AUDIT_FIGURES.free,
    async () => (await spaces(sinks)).map(({ name, bytes }) => ({ labels: { sink: name }, value: bytes })),
    'max',
  );
}

/** Where room runs out, in words that anybody may read: `file: 12 MiB are free`. */
export async function lowSpaces(sinks: readonly Sink[]): Promise<string[]> {
  const low = (await spaces(sinks)).filter(({ bytes }) => bytes < LOW_SPACE);
  return low.map(({ name, bytes }) => `${name}: ${Math.floor(bytes / 1_048_576)} MiB are free`);
}

async function spaces(sinks: readonly Sink[]): Promise<{ name: string; bytes: number }[]> {
  const found = sinks.map(async ({ name, figures }) => {
    const free = figures && (await statfs(figures.folder).catch(() => undefined));
    return free ? [{ name, bytes: free.bavail * free.bsize }] : [];
  });
  return (await Promise.all(found)).flat();
}

import { statfs } from 'node:fs/promises';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Sink } from './audit-sink.ts';

/** Below it an operator should make room, bytes. */
const LOW_SPACE = 67_108_864;

/** What is counted of sinks. */
export interface AuditCounters {
  /** Lines that a sink did not take, by `sink`. */
  failed(sink: string): void;
  delivery(sink: string, outcome: 'delivered' | 'failed'): void;
  lost(sink: string): void;
}

export function auditCounters(metrics: Metrics): AuditCounters {
  const failures = metrics.counter('audit_failures_total', 'Audit lines that a sink did not take.', ['sink']);
  const deliveries = metrics.counter(
    'audit_deliveries_total',
    'Batches of audit lines that were sent from a buffer to its collector, by what came of it.',
    ['sink', 'outcome'],
  );
  const lost = metrics.counter(
    'audit_files_lost_total',
    'Files of the audit record that were removed or moved away by somebody who did not say so.',
    ['sink'],
  );
  return {
    failed: (sink) => failures.inc({ sink }),
    delivery: (sink, outcome) => deliveries.inc({ sink, outcome }),
    lost: (sink) => lost.inc({ sink }),
  };
}

/** What is looked at when somebody asks. */
export function registerAuditFigures(metrics: Metrics, sinks: readonly Sink[]): void {
  if (sinks.length === 0) return;
  const waiting = (kind: 'bytes' | 'ageMs', unit: number) => async () =>
    sinks.flatMap(({ name, figures }) =>
      figures?.waiting ? [{ labels: { sink: name }, value: figures.waiting()[kind] / unit }] : [],
    );
  metrics.gauge('audit_buffer_bytes', 'Audit lines that wait for a collector.', ['sink'], waiting('bytes', 1));
  metrics.gauge(
    'audit_buffer_age_seconds',
    'How old the audit line is that waits longest for a collector.',
    ['sink'],
    waiting('ageMs', 1_000),
    'max',
  );
  metrics.gauge(
    'audit_free_bytes',
    'Room where a sink of the audit record writes.',
    ['sink'],
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

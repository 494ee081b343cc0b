/** One number of a metric, by its labels. */
interface MetricValue {
  readonly value: number;
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, unknown>>;
}

interface MetricSnapshot {
  readonly name: string;
  readonly type: string;
  readonly values: readonly MetricValue[];
}

/** Counters must not decrease when a process exits. */
const LASTING = new Set(['counter', 'histogram']);

/** Accumulated counters of exited processes, in the form of one more process. */
export class EndedWorkerMetrics {
  readonly #metrics = new Map<string, { readonly of: MetricSnapshot; readonly values: Map<string, MetricValue> }>();

  add(metrics: unknown): void {
    if (!Array.isArray(metrics)) return;
    for (const metric of metrics as MetricSnapshot[]) {
      if (LASTING.has(metric.type)) this.#add(metric);
    }
  }

  all(): unknown[] {
    return [...this.#metrics.values()].map(({ of, values }) => ({ ...of, values: [...values.values()] }));
  }

  #add(metric: MetricSnapshot): void {
    const { values } = this.#metrics.get(metric.name) ?? { values: new Map<string, MetricValue>() };
    this.#metrics.set(metric.name, { of: metric, values });
    for (const one of metric.values) {
      const key = JSON.stringify([one.metricName, Object.entries(one.labels).sort()]);
      values.set(key, { ...one, value: one.value + (values.get(key)?.value ?? 0) });
    }
  }
}

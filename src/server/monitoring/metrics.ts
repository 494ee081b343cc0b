import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Counter as PromCounter,
  Registry,
} from 'prom-client';
import { AppError } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { KNOWN_METHODS } from '../http1/list-method.ts';
import { plainErrors } from '../request/error-edge.ts';
import type { RequestRecord } from '../request/request-context.ts';
import type { MetricDefinition, MetricType } from './metric-definition.ts';
import { MetricsHistory } from './metrics-history.ts';
import { SERVER_METRICS } from './server-metrics.ts';

/** Counter for use in domains. */
export interface Counter {
  /** Adds 1 or a number. Every label needs a value. */
  inc(labels?: Labels, by?: number): void;
}

/** Histogram for use in domains. */
export interface Observer {
  observe(labels: Labels, value: number): void;
}

type Labels = Readonly<Record<string, string>>;

/** One sample of a gauge. */
export interface MetricSample {
  readonly labels: Labels;
  readonly value: number;
}

/** Upper bounds of the duration histogram's buckets, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Label values come only from closed sets, so that clients cannot create time series. */
const OTHER = 'other';

/** Serialized metrics of a process. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];

/**
 * Aggregation over processes: sum, or for values that all processes share, maximum or minimum.
 */
export type Aggregation = 'sum' | 'max' | 'min';

let processMetrics: Registry | undefined;

/**
 * Process metrics, shared by all servers in the process, because collecting them needs a permanent timer and observer.
 */
function processRegistry(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}

/** Names of the library's process metrics. */
export function processDefinitions(): MetricDefinition[] {
  return processRegistry()
    .getMetricsAsArray()
    .map(({ name, help, type, ...more }) => {
      const { labelNames = [] } = more as { readonly labelNames?: readonly string[] };
      return { name, help, type: `${type}` as MetricType, labels: labelNames };
    });
}

/** Metrics of one server, in its own registry. */
export class Metrics {
  /** Recent history of this process. */
  readonly history = new MetricsHistory();
  readonly #registry = new Registry();
  /** Metrics that all processes share. Only the process that handles the metrics request reads them. */
  readonly #shared = new Registry();
  readonly #requests = this.counter(SERVER_METRICS.requests);
  readonly #durations = this.histogram(SERVER_METRICS.durations, BUCKETS);
  readonly #inFlight = this.#level(SERVER_METRICS.inFlight);
  readonly #connections = this.#level(SERVER_METRICS.connections);
  readonly #handshakeErrors = this.counter(SERVER_METRICS.handshakeErrors);
  readonly #strippedCertificates = this.counter(SERVER_METRICS.strippedCertificates);
  readonly #finished: ((record: RequestRecord) => void)[] = [];

  #otherProcesses: ((own: MetricsSnapshot) => Promise<readonly MetricsSnapshot[]>) | undefined;

  constructor() {
    for (const { name } of processRegistry().getMetricsAsArray()) {
      const metric = processRegistry().getSingleMetric(name);
      if (metric) this.#registry.registerMetric(metric);
    }
  }

  /** @param known labels that start at 0, so that the first increase is visible */
  counter({ name, help, labels }: MetricDefinition<'counter'>, known: readonly Labels[] = []): Counter {
    const counter = new PromCounter({ name, help, labelNames: [...labels], registers: [this.#registry] });
    for (const values of known) counter.inc({ ...values }, 0);
    return { inc: (values = {}, by = 1) => counter.inc({ ...values }, by) };
  }

  histogram({ name, help, labels }: MetricDefinition<'histogram'>, buckets: readonly number[]): Observer {
    const registers = [this.#registry];
    const measured = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
    return { observe: (values, value) => measured.observe({ ...values }, value) };
  }

  /** Gauge of this process, read at each scrape. Has no samples while `read` fails. */
  gauge(
    of: MetricDefinition<'gauge'>,
    read: () => Promise<readonly MetricSample[]>,
    aggregator: Aggregation = 'sum',
  ): void {
    this.#read(this.#registry, of, read, aggregator);
  }

  /** Gauge of a resource that all processes share, such as the database. */
  shared(of: MetricDefinition<'gauge'>, read: () => Promise<readonly MetricSample[]>): void {
    this.#read(this.#shared, of, read, 'max');
  }

  #read(
    registry: Registry,
    { name, help, labels }: MetricDefinition<'gauge'>,
    read: () => Promise<readonly MetricSample[]>,
    aggregator: Aggregation,
  ): void {
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        this.reset();
        for (const { labels: values, value } of await read().catch(() => [])) this.set({ ...values }, value);
      },
    });
  }

  /** Like `gauge`, for counters of a domain. */
  total({ name, help, labels }: MetricDefinition<'counter'>, read: () => Promise<readonly MetricSample[]>): void {
    new PromCounter({
      name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      async collect() {
        this.reset();
        for (const { labels: values, value } of await read().catch(() => [])) this.inc({ ...values }, value);
      },
    });
  }

  /** @param finished called for each finished request */
  follow(finished: (record: RequestRecord) => void): void {
    this.#finished.push(finished);
  }

  requestStarted(listener: string): void {
    change(this.#inFlight, listener, 1);
  }

  requestFinished(record: RequestRecord): void {
    const { service } = record;
    const method = KNOWN_METHODS.has(record.method) ? record.method : OTHER;
    const route = record.route ?? OTHER;
    change(this.#inFlight, record.listener, -1);
    this.#requests.inc({ service, method, route, status: `${record.status}` });
    if (record.isTimed) this.#durations.observe({ service, method, route }, record.durationMs / 1_000);
    this.history.request(record);
    for (const tell of this.#finished) tell(record);
  }

  connections(listener: string, by: 1 | -1): void {
    change(this.#connections, listener, by);
    this.history.connections(by);
  }

  handshakeFailed(listener: string): void {
    this.#handshakeErrors.inc({ listener });
    this.history.count('handshake_errors');
  }

  forwardedCertificateStripped(listener: string): void {
    this.#strippedCertificates.inc({ listener });
  }

  /** Returns the metrics of this process. */
  snapshot(): Promise<MetricsSnapshot> {
    return this.#registry.getMetricsAsJSON();
  }

  /** @param others requests the metrics of other processes, including exited ones; gets those of this process */
  addOtherProcesses(others: (own: MetricsSnapshot) => Promise<readonly MetricsSnapshot[]>): void {
    this.#otherProcesses = others;
  }

  /** Returns the text for Prometheus, aggregated over all processes. */
  async page(): Promise<string> {
    if (this.#otherProcesses === undefined) return Registry.merge([this.#registry, this.#shared]).metrics();
    const [own, shared] = await Promise.all([this.snapshot(), this.#shared.getMetricsAsJSON()]);
    const all = [own, shared, ...(await this.#otherProcesses(own))].map(withStart);
    return AggregatorRegistry.aggregate(all).metrics();
  }

  /** Service for `/metrics`. */
  service(): Service {
    return {
      name: 'metrics',
      prefix: '/metrics',
      errors: plainErrors,
      notFound: () => new AppError('not-found', 'no such path'),
      routes: (app) => {
        app.get('', { config: { audit: false } }, async (_request, reply) => {
          return reply.header('content-type', this.#registry.contentType).send(await this.page());
        });
      },
    };
  }

  /** Gauge with one value for each listener. */
  #level({ name, help, labels }: MetricDefinition<'gauge'>): Map<string, number> {
    const levels = new Map<string, number>();
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect() {
        for (const [listener, level] of levels) this.set({ listener }, level);
      },
    });
    return levels;
  }
}

function change(levels: Map<string, number>, listener: string, by: 1 | -1): void {
  levels.set(listener, (levels.get(listener) ?? 0) + by);
}

/** Uses the minimum, because a server started with its first process. */
function withStart(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.map((metric) =>
    metric.name === 'process_start_time_seconds' ? { ...metric, aggregator: 'min' } : metric,
  );
}

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

/** A number that only grows, for domains that count something of their own. */
export interface Counter {
  /** One more, or so many; every label that the counter was made with has a value. */
  inc(labels?: Labels, by?: number): void;
}

/** Something that is measured again and again. */
export interface Observer {
  observe(labels: Labels, value: number): void;
}

type Labels = Readonly<Record<string, string>>;

/** One metric of a gauge. */
export interface MetricSample {
  readonly labels: Labels;
  readonly value: number;
}

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Labels come from closed sets alone: what a client makes up must not become a time series. */
const OTHER = 'other';

/** All metrics of a process, as it tells them to another. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];

/**
 * How the metrics of several processes become one: levels and counts add up; of what each of them knows of all it is the largest, or the
 * smallest.
 */
export type Aggregation = 'sum' | 'max' | 'min';

let processMetrics: Registry | undefined;

/** The metrics of the process, once for all servers in it: to collect them takes a timer and an observer, for good. */
function processRegistry(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}

/** What is told of the process itself, as the library that collects it calls it. */
export function processDefinitions(): MetricDefinition[] {
  return processRegistry()
    .getMetricsAsArray()
    .map(({ name, help, type, ...more }) => {
      const { labelNames = [] } = more as { readonly labelNames?: readonly string[] };
      return { name, help, type: `${type}` as MetricType, labels: labelNames };
    });
}

/** The metrics of one server, in a registry of its own. */
export class Metrics {
  /** The last hours of this process. */
  readonly history = new MetricsHistory();
  readonly #registry = new Registry();
  /** What is the same for all processes of this server: read by the one that answers, and by no other. */
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

  /** @param known labels that are there from the start, with 0: what begins with 1 looks as if it had never grown */
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

  /** Metrics of this process that are read whenever the page is. Without any while `read` fails. */
  gauge(
    of: MetricDefinition<'gauge'>,
    read: () => Promise<readonly MetricSample[]>,
    aggregator: Aggregation = 'sum',
  ): void {
    this.#read(this.#registry, of, read, aggregator);
  }

  /** The same of what all processes of this server share, as a database. */
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

  /** As `gauge`, for numbers that a domain counts itself. */
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

  /** @param finished told of each request that was answered */
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

  /** Those of this process. */
  snapshot(): Promise<MetricsSnapshot> {
    return this.#registry.getMetricsAsJSON();
  }

  /** @param others asks the other processes of this server, those that have ended included; it is told what this one knows */
  addOtherProcesses(others: (own: MetricsSnapshot) => Promise<readonly MetricsSnapshot[]>): void {
    this.#otherProcesses = others;
  }

  /** What Prometheus reads: the sum of all processes. */
  async page(): Promise<string> {
    if (this.#otherProcesses === undefined) return Registry.merge([this.#registry, this.#shared]).metrics();
    const [own, shared] = await Promise.all([this.snapshot(), this.#shared.getMetricsAsJSON()]);
    const all = [own, shared, ...(await this.#otherProcesses(own))].map(withStart);
    return AggregatorRegistry.aggregate(all).metrics();
  }

  /** The page, under `/metrics`. */
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

  /** Something that is there in numbers on each listener, written out when it is asked for. */
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

/** Left out otherwise: a server has begun with the first of its processes. */
function withStart(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.map((metric) =>
    metric.name === 'process_start_time_seconds' ? { ...metric, aggregator: 'min' } : metric,
  );
}

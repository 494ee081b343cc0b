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
import type { RequestRecord } from '../request/exchange.ts';
import { Past } from './past.ts';

/** A number that only grows, for domains that count something of their own. */
export interface Counter {
  /** One more; every label that the counter was made with has a value. */
  inc(labels?: Readonly<Record<string, string>>): void;
}

/** One figure of a gauge. */
export interface Figure {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Labels come from closed sets alone: what a client makes up must not become a time series. */
const OTHER = 'other';

/** All figures of a process, as it tells them to another. */
export type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** How the figures of several processes become one: levels and counts add up; of what each of them knows of all it is the largest. */
export type Togetherness = 'sum' | 'max';

let processFigures: Registry | undefined;

/** The figures of the process, once for all servers in it: to collect them takes a timer and an observer, for good. */
function ofProcess(): Registry {
  if (!processFigures) {
    processFigures = new Registry();
    collectDefaultMetrics({ register: processFigures });
  }
  return processFigures;
}

/** The figures of one server, in a registry of its own. */
export class Metrics {
  /** The last hours of this process. */
  readonly past = new Past();
  readonly #registry = new Registry();
  readonly #requests = new PromCounter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames: ['service', 'method', 'route', 'status'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['service', 'method', 'route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #inFlight = this.#level('http_requests_in_flight', 'Requests that are being answered.');
  readonly #connections = this.#level('connections', 'Open connections.');
  readonly #handshakeErrors = this.counter('tls_handshake_errors_total', 'TLS handshakes that failed.', ['listener']);
  readonly #strippedCertificates = this.counter(
    'forwarded_client_certificates_stripped_total',
    'Headers with a client certificate from somebody who may not forward one.',
    ['listener'],
  );

  #others: ((own: Figures) => Promise<readonly Figures[]>) | undefined;

  constructor() {
    for (const { name } of ofProcess().getMetricsAsArray()) {
      const figure = ofProcess().getSingleMetric(name);
      if (figure) this.#registry.registerMetric(figure);
    }
  }

  counter(name: string, help: string, labels: readonly string[] = []): Counter {
    const counter = new PromCounter({ name, help, labelNames: [...labels], registers: [this.#registry] });
    return { inc: (values = {}) => counter.inc({ ...values }) };
  }

  /** Figures of a domain that are read whenever the page is. Without any while `read` fails. */
  gauge(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<readonly Figure[]>,
    aggregator: Togetherness = 'sum',
  ): void {
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: [...labels],
      registers: [this.#registry],
      async collect() {
        this.reset();
        for (const { labels: values, value } of await read().catch(() => [])) this.set({ ...values }, value);
      },
    });
  }

  /** As `gauge`, for numbers that a domain counts itself. */
  total(name: string, help: string, labels: readonly string[], read: () => Promise<readonly Figure[]>): void {
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

  requestStarted(listener: string): void {
    change(this.#inFlight, listener, 1);
  }

  requestFinished(record: RequestRecord): void {
    const { service } = record;
    const method = KNOWN_METHODS.has(record.method) ? record.method : OTHER;
    const route = record.route ?? OTHER;
    change(this.#inFlight, record.listener, -1);
    this.#requests.inc({ service, method, route, status: record.status });
    this.#durations.observe({ service, method, route }, record.durationMs / 1_000);
    this.past.request(record);
  }

  connections(listener: string, by: 1 | -1): void {
    change(this.#connections, listener, by);
    this.past.connections(by);
  }

  handshakeFailed(listener: string): void {
    this.#handshakeErrors.inc({ listener });
    this.past.count('handshake_errors');
  }

  forwardedCertificateStripped(listener: string): void {
    this.#strippedCertificates.inc({ listener });
  }

  /** Those of this process. */
  figures(): Promise<Figures> {
    return this.#registry.getMetricsAsJSON();
  }

  /** @param others asks the other processes of this server, those that have ended included; it is told what this one knows */
  addOthers(others: (own: Figures) => Promise<readonly Figures[]>): void {
    this.#others = others;
  }

  /** What Prometheus reads: the sum of all processes. */
  async page(): Promise<string> {
    if (this.#others === undefined) return this.#registry.metrics();
    const own = await this.figures();
    const all = [own, ...(await this.#others(own))].map(withStart);
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
  #level(name: string, help: string): Map<string, number> {
    const levels = new Map<string, number>();
    new Gauge({
      name,
      help,
      labelNames: ['listener'],
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
function withStart(figures: Figures): Figures {
  return figures.map((figure) =>
    figure.name === 'process_start_time_seconds' ? { ...figure, aggregator: 'min' } : figure,
  );
}

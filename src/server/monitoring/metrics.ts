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
import type { FigureDefinition, FigureType } from './definition.ts';
import { Past } from './past.ts';
import { SERVER_FIGURES } from './server-figures.ts';

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

/** One figure of a gauge. */
export interface Figure {
  readonly labels: Labels;
  readonly value: number;
}

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Labels come from closed sets alone: what a client makes up must not become a time series. */
const OTHER = 'other';

/** All figures of a process, as it tells them to another. */
export type Figures = MetricObjectWithValues<MetricValue<string>>[];

/**
 * How the figures of several processes become one: levels and counts add up; of what each of them knows of all it is the largest, or the
 * smallest.
 */
export type Togetherness = 'sum' | 'max' | 'min';

let processFigures: Registry | undefined;

/** The figures of the process, once for all servers in it: to collect them takes a timer and an observer, for good. */
function ofProcess(): Registry {
  if (!processFigures) {
    processFigures = new Registry();
    collectDefaultMetrics({ register: processFigures });
  }
  return processFigures;
}

/** What is told of the process itself, as the library that collects it calls it. */
export function processDefinitions(): FigureDefinition[] {
  return ofProcess()
    .getMetricsAsArray()
    .map(({ name, help, type, ...more }) => {
      const { labelNames = [] } = more as { readonly labelNames?: readonly string[] };
      return { name, help, type: `${type}` as FigureType, labels: labelNames };
    });
}

/** The figures of one server, in a registry of its own. */
export class Metrics {
  /** The last hours of this process. */
  readonly past = new Past();
  readonly #registry = new Registry();
  /** What is the same for all processes of this server: read by the one that answers, and by no other. */
  readonly #shared = new Registry();
  readonly #requests = this.counter(SERVER_FIGURES.requests);
  readonly #durations = this.histogram(SERVER_FIGURES.durations, BUCKETS);
  readonly #inFlight = this.#level(SERVER_FIGURES.inFlight);
  readonly #connections = this.#level(SERVER_FIGURES.connections);
  readonly #handshakeErrors = this.counter(SERVER_FIGURES.handshakeErrors);
  readonly #strippedCertificates = this.counter(SERVER_FIGURES.strippedCertificates);
  readonly #finished: ((record: RequestRecord) => void)[] = [];

  #others: ((own: Figures) => Promise<readonly Figures[]>) | undefined;

  constructor() {
    for (const { name } of ofProcess().getMetricsAsArray()) {
      const figure = ofProcess().getSingleMetric(name);
      if (figure) this.#registry.registerMetric(figure);
    }
  }

  /** @param known labels that are there from the start, with 0: what begins with 1 looks as if it had never grown */
  counter({ name, help, labels }: FigureDefinition<'counter'>, known: readonly Labels[] = []): Counter {
    const counter = new PromCounter({ name, help, labelNames: [...labels], registers: [this.#registry] });
    for (const values of known) counter.inc({ ...values }, 0);
    return { inc: (values = {}, by = 1) => counter.inc({ ...values }, by) };
  }

  histogram({ name, help, labels }: FigureDefinition<'histogram'>, buckets: readonly number[]): Observer {
    const registers = [this.#registry];
    const measured = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
    return { observe: (values, value) => measured.observe({ ...values }, value) };
  }

  /** Figures of this process that are read whenever the page is. Without any while `read` fails. */
  gauge(of: FigureDefinition<'gauge'>, read: () => Promise<readonly Figure[]>, aggregator: Togetherness = 'sum'): void {
    this.#read(this.#registry, of, read, aggregator);
  }

  /** The same of what all processes of this server share, as a database. */
  shared(of: FigureDefinition<'gauge'>, read: () => Promise<readonly Figure[]>): void {
    this.#read(this.#shared, of, read, 'max');
  }

  #read(
    registry: Registry,
    { name, help, labels }: FigureDefinition<'gauge'>,
    read: () => Promise<readonly Figure[]>,
    aggregator: Togetherness,
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
  total({ name, help, labels }: FigureDefinition<'counter'>, read: () => Promise<readonly Figure[]>): void {
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
    this.past.request(record);
    for (const tell of this.#finished) tell(record);
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
    if (this.#others === undefined) return Registry.merge([this.#registry, this.#shared]).metrics();
    const [own, shared] = await Promise.all([this.figures(), this.#shared.getMetricsAsJSON()]);
    const all = [own, shared, ...(await this.#others(own))].map(withStart);
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
  #level({ name, help, labels }: FigureDefinition<'gauge'>): Map<string, number> {
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
function withStart(figures: Figures): Figures {
  return figures.map((figure) =>
    figure.name === 'process_start_time_seconds' ? { ...figure, aggregator: 'min' } : figure,
  );
}

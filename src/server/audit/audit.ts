import type { Logger } from 'pino';
import { AppError } from '../../lib/errors.ts';
import type { Keyring } from '../../storage/index.ts';
import type { HealthCheck } from '../monitoring/health.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { testLine } from './audit-line.ts';
import { auditCounters, registerAuditMetrics } from './audit-metrics.ts';
import { QueuedSink } from './audit-sink.ts';
import { type AuditSinkOptions, createSink } from './create-sink.ts';
import type { RefusedLine } from './delivery/batch-sender.ts';
import type { AuditQuestion } from './reading/audit-question.ts';
import { type AuditPage, AuditReader, type AuditStretch } from './reading/audit-reader.ts';
import { SinkSpaces } from './sink-spaces.ts';

export interface AuditOptions {
  /** Without any, nothing is recorded and nothing refused. */
  readonly sinks: readonly AuditSinkOptions[];
  readonly keyring: Pick<Keyring, 'hash'>;
  readonly logger: Logger;
  /** Those of the record are added. */
  readonly metrics: Metrics;
}

/** How a sink is doing. */
export interface AuditSinkStatus {
  /** `file`; the second one is `file-2`. */
  readonly name: string;
  readonly type: AuditSinkOptions['type'];
  /** Why it takes no lines, in words that anybody may read; undefined when it does. */
  readonly failure: string | undefined;
}

/** How the record as a whole is doing. */
export interface AuditHealth {
  /** Whether requests can be recorded, and so answered. */
  readonly ok: boolean;
  /** `file: ENOSPC`: what an operator has to see to, in words that anybody may read; empty when there is nothing. */
  readonly detail: string;
}

/** The record of who asked for what and what came of it: JSON lines, to each sink alike. */
export class Audit {
  readonly #sinks: readonly QueuedSink[];
  readonly #spaces: SinkSpaces;
  readonly #keyring: Pick<Keyring, 'hash'>;
  /** Of the sinks that are files, by name. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #reader = new AuditReader();
  #testing: Promise<unknown> | undefined;
  #lowSpaces: readonly string[] = [];

  private constructor(
    sinks: readonly QueuedSink[],
    spaces: SinkSpaces,
    keyring: Pick<Keyring, 'hash'>,
    paths: readonly (readonly [string, string])[],
  ) {
    this.#sinks = sinks;
    this.#spaces = spaces;
    this.#keyring = keyring;
    this.#paths = new Map(paths);
  }

  /**
   * Collectors need not be there yet: until they are, nothing is ready.
   * @throws when a file cannot be opened
   */
  static async open({ sinks, keyring, logger, metrics }: AuditOptions): Promise<Audit> {
    const counters = auditCounters(metrics);
    const changed = (sink: QueuedSink) => report(sink, logger);
    const failed = ({ name }: QueuedSink) => counters.failed(name);
    const names = sinkNames(sinks);
    const opened = sinks.map((options, index) => {
      const { type } = options;
      const name = names[index] ?? type;
      const sink = createSink(options, {
        changed: (failure, line) => reportDelivery(name, failure, line, logger),
        tried: (outcome) => counters.delivery(name, outcome),
        lost: (loss) => {
          counters.lost(name);
          logger.warn({ sink: name }, `the file of the audit record was ${loss}: a new one was begun`);
        },
      });
      return { sink, queued: new QueuedSink({ name, type, sink, changed, failed }) };
    });
    await Promise.all(opened.map(({ sink }) => sink.reopen()));
    const ready = opened.map(({ queued }) => queued);
    const spaces = new SinkSpaces(ready);
    registerAuditMetrics(metrics, ready, spaces);
    const paths = sinks.flatMap((sink, index) =>
      sink.type === 'file' ? [[names[index] ?? '', sink.path] as const] : [],
    );
    return new Audit(ready, spaces, keyring, paths);
  }

  get isEnabled(): boolean {
    return this.#sinks.length > 0;
  }

  /** What stands in the record for a text: `hmac-sha256:<hex>`, under a key of the keyring. */
  readonly hash = (value: string): string =>
    `hmac-sha256:${Buffer.from(this.#keyring.hash(value, 'audit')).toString('hex')}`;

  /** Whether a sink has taken these lines; the first to do so is enough. Never rejects. */
  write(...lines: readonly string[]): Promise<boolean> {
    const [first] = this.#sinks;
    return this.#sinks.length === 1 && first ? first.write(lines) : any(this.#sinks.map((sink) => sink.write(lines)));
  }

  sinks(): AuditSinkStatus[] {
    return this.#sinks.map(({ name, type, failure }) => ({ name, type, failure }));
  }

  /**
   * Whether a sink works, as far as is known at this moment, and which do not. Those in doubt are tried on the way, since
   * nobody else does while requests are sent elsewhere.
   */
  health(): AuditHealth {
    void this.#test();
    const failing = this.#sinks.filter(({ failure }) => failure !== undefined);
    const undelivered = this.#sinks.flatMap(({ name, failure, metrics }) => {
      const why = failure === undefined ? metrics?.backlog?.().failure : undefined;
      return why === undefined ? [] : [`${name}: not delivered, ${why}`];
    });
    const told = [...failing.map(({ name, failure }) => `${name}: ${failure}`), ...undelivered, ...this.#lowSpaces];
    return { ok: failing.length < this.#sinks.length || !this.isEnabled, detail: told.join(', ') };
  }

  /** Fails when no sink works; those in doubt are tried first. */
  healthCheck(): HealthCheck {
    return {
      name: 'audit',
      run: async () => {
        await this.#test();
        this.#lowSpaces = await this.#spaces.low();
        if (!this.health().ok) throw new Error('no sink takes a line');
      },
      reason: () => this.health().detail || undefined,
    };
  }

  /**
   * What stands in a sink that is a file: the first one, where none is named.
   * @throws AppError bad-request when there is no such file
   */
  async read(question: AuditQuestion, stretch: AuditStretch, name?: string): Promise<AuditPage> {
    const path = name === undefined ? [...this.#paths.values()][0] : this.#paths.get(name);
    if (path !== undefined) return this.#reader.read(path, question, stretch);
    const which = name === undefined ? 'no sink of the audit record' : `no sink "${name.slice(0, 100)}" that`;
    throw new AppError('bad-request', `${which} is a file of this node: read it where it is collected`);
  }

  /** Files are opened anew: they may have been moved away. */
  reopen(): void {
    for (const sink of this.#sinks) sink.reopen();
  }

  /** Resolves when everything taken is written. */
  async close(): Promise<void> {
    await Promise.all(this.#sinks.map((sink) => sink.close()));
  }

  /** One line to each sink that has not taken its last one. Whoever asks at the same time shares it. */
  #test(): Promise<unknown> {
    const doubtful = this.#sinks.filter(({ isProven }) => !isProven);
    if (doubtful.length === 0) return Promise.resolve();
    this.#testing ??= Promise.all(doubtful.map((sink) => sink.write([testLine()]))).finally(() => {
      this.#testing = undefined;
    });
    return this.#testing;
  }
}

function report({ name, failure }: QueuedSink, logger: Logger): void {
  if (failure === undefined) logger.info({ sink: name }, 'the audit record can be written again');
  else logger.error({ sink: name, reason: failure }, 'the audit record cannot be written');
}

function reportDelivery(
  sink: string,
  failure: string | undefined,
  line: RefusedLine | undefined,
  logger: Logger,
): void {
  if (failure === undefined) logger.info({ sink }, 'the audit record is delivered again');
  else if (line) {
    const { file, offset, waitingLines: waiting_lines } = line;
    const message = 'a line of the audit record is refused by its collector: it waits in the buffer, and all behind it';
    logger.error({ sink, reason: failure, file, offset, waiting_lines }, message);
  } else logger.error({ sink, reason: failure }, 'the audit record cannot be delivered: it waits in the buffer');
}

function sinkNames(sinks: readonly AuditSinkOptions[]): string[] {
  return sinks.map(({ type }, index) => {
    const nth = sinks.slice(0, index).filter((before) => before.type === type).length + 1;
    return nth === 1 ? type : `${type}-${nth}`;
  });
}

/** True as soon as one is; false when none is. */
function any(results: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise((resolve) => {
    for (const result of results) void result.then((is) => is && resolve(true));
    void Promise.all(results).then(() => resolve(false));
  });
}

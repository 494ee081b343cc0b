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
  /** Without sinks nothing is audited and nothing is refused. */
  readonly sinks: readonly AuditSinkOptions[];
  readonly keyring: Pick<Keyring, 'hash'>;
  readonly logger: Logger;
  /** Registry that gets the audit metrics. */
  readonly metrics: Metrics;
}

/** Status of a sink. */
export interface AuditSinkStatus {
  /** Name of the sink, such as `file`; the second of a type is `file-2`. */
  readonly name: string;
  readonly type: AuditSinkOptions['type'];
  /** Reason why it accepts no entries, without confidential details. Undefined if it does. */
  readonly failure: string | undefined;
}

/** Status of the audit log. */
export interface AuditHealth {
  /** Whether requests can be audited. If not, they are refused. */
  readonly ok: boolean;
  /** Problems for the operator, such as `file: ENOSPC`, without confidential details. Empty without problems. */
  readonly detail: string;
}

/** The audit log: JSON lines with the caller, the request and its outcome, written to every sink. */
export class Audit {
  readonly #sinks: readonly QueuedSink[];
  readonly #spaces: SinkSpaces;
  readonly #keyring: Pick<Keyring, 'hash'>;
  /** File sinks, by name. */
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
   * Opens the sinks. Collectors may be unreachable; until they respond the server is not ready.
   * @throws if a file cannot be opened
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
          logger.warn({ sink: name }, `the audit file was ${loss}; a new file was started`);
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

  /** Returns the form of a hashed text in the audit log: `hmac-sha256:<hex>`, with a key of the keyring. */
  readonly hash = (value: string): string =>
    `hmac-sha256:${Buffer.from(this.#keyring.hash(value, 'audit')).toString('hex')}`;

  /** Resolves with true as soon as one sink has accepted the lines. Never rejects. */
  write(...lines: readonly string[]): Promise<boolean> {
    const [first] = this.#sinks;
    return this.#sinks.length === 1 && first ? first.write(lines) : any(this.#sinks.map((sink) => sink.write(lines)));
  }

  sinks(): AuditSinkStatus[] {
    return this.#sinks.map(({ name, type, failure }) => ({ name, type, failure }));
  }

  /**
   * Returns the status of the sinks. Tries failed sinks again, because no requests arrive while the server is not
   * ready.
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

  /** Rejects if no sink works, after trying failed sinks. */
  healthCheck(): HealthCheck {
    return {
      name: 'audit',
      run: async () => {
        await this.#test();
        this.#lowSpaces = await this.#spaces.low();
        if (!this.health().ok) throw new Error('no audit sink accepts entries');
      },
      reason: () => this.health().detail || undefined,
    };
  }

  /**
   * Returns the reader of a file sink. Default: the first one.
   * @throws AppError bad-request for an unknown file sink
   */
  async read(question: AuditQuestion, stretch: AuditStretch, name?: string): Promise<AuditPage> {
    const path = name === undefined ? [...this.#paths.values()][0] : this.#paths.get(name);
    if (path !== undefined) return this.#reader.read(path, question, stretch);
    const which = name === undefined ? 'no audit sink' : `no sink "${name.slice(0, 100)}" that`;
    throw new AppError('bad-request', `${which} is a file of one node; read the audit log at its collector`);
  }

  /** Reopens the files, because they may have been moved. */
  reopen(): void {
    for (const sink of this.#sinks) sink.reopen();
  }

  /** Resolves when all accepted entries are written. */
  async close(): Promise<void> {
    await Promise.all(this.#sinks.map((sink) => sink.close()));
  }

  /** Writes one test entry to each failed sink. Concurrent calls share it. */
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
  if (failure === undefined) logger.info({ sink: name }, 'the audit log can be written again');
  else logger.error({ sink: name, reason: failure }, 'the audit log cannot be written');
}

function reportDelivery(
  sink: string,
  failure: string | undefined,
  line: RefusedLine | undefined,
  logger: Logger,
): void {
  if (failure === undefined) logger.info({ sink }, 'the audit log is delivered again');
  else if (line) {
    const { file, offset, waitingLines: waiting_lines } = line;
    const message = 'the collector rejects an audit entry, which blocks all later entries in the buffer';
    logger.error({ sink, reason: failure, file, offset, waiting_lines }, message);
  } else logger.error({ sink, reason: failure }, 'the audit log cannot be delivered; entries wait in the buffer');
}

function sinkNames(sinks: readonly AuditSinkOptions[]): string[] {
  return sinks.map(({ type }, index) => {
    const nth = sinks.slice(0, index).filter((before) => before.type === type).length + 1;
    return nth === 1 ? type : `${type}-${nth}`;
  });
}

/** Resolves with true as soon as one promise does, and with false if none does. */
function any(results: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise((resolve) => {
    for (const result of results) void result.then((is) => is && resolve(true));
    void Promise.all(results).then(() => resolve(false));
  });
}

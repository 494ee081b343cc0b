import type { Logger } from 'pino';
import { AppError } from '../../lib/errors.ts';
import type { Keyring } from '../../storage/index.ts';
import type { HealthCheck } from '../monitoring/health.ts';
import type { Counter } from '../monitoring/metrics.ts';
import { testLine } from './audit-line.ts';
import { type Outlet, Sink } from './audit-sink.ts';
import { FileOutlet, StdoutOutlet } from './descriptor-outlets.ts';
import type { AuditQuestion } from './reading/audit-question.ts';
import { type AuditPage, AuditReader, type AuditStretch } from './reading/audit-reader.ts';
import { type Facility, type SyslogAddress, syslogOutlet } from './syslog-outlets.ts';

/** One place where the audit record goes. */
export type AuditSinkOptions =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'stdout' }
  | { readonly type: 'syslog'; readonly address: SyslogAddress; readonly facility: Facility };

export interface AuditOptions {
  /** Without any, nothing is recorded and nothing refused. */
  readonly sinks: readonly AuditSinkOptions[];
  readonly keyring: Pick<Keyring, 'hash'>;
  readonly logger: Logger;
  /** Lines that a sink did not take, by `sink`. */
  readonly failures: Counter;
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
  /** `file: ENOSPC`: each sink that takes nothing and why, in words that anybody may read; empty when all work. */
  readonly detail: string;
}

/** The record of who asked for what and what came of it: JSON lines, to each sink alike. */
export class Audit {
  readonly #sinks: readonly Sink[];
  readonly #keyring: Pick<Keyring, 'hash'>;
  /** Of the sinks that are files, by name. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #reader = new AuditReader();
  #testing: Promise<unknown> | undefined;

  private constructor(
    sinks: readonly Sink[],
    keyring: Pick<Keyring, 'hash'>,
    paths: readonly (readonly [string, string])[],
  ) {
    this.#sinks = sinks;
    this.#keyring = keyring;
    this.#paths = new Map(paths);
  }

  /**
   * Collectors need not be there yet: until they are, nothing is ready.
   * @throws when a file cannot be opened
   */
  static async open({ sinks, keyring, logger, failures }: AuditOptions): Promise<Audit> {
    const outlets = sinks.map(outletOf);
    await Promise.all(outlets.map((outlet) => outlet.reopen()));
    const names = sinkNames(sinks);
    const changed = (sink: Sink) => report(sink, logger);
    const failed = ({ name }: Sink) => failures.inc({ sink: name });
    const opened = outlets.map((outlet, index) => {
      const type = sinks[index]?.type ?? 'file';
      return new Sink({ name: names[index] ?? type, type, outlet, changed, failed });
    });
    const paths = sinks.flatMap((sink, index) =>
      sink.type === 'file' ? [[names[index] ?? '', sink.path] as const] : [],
    );
    return new Audit(opened, keyring, paths);
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
    return {
      ok: failing.length < this.#sinks.length || !this.isEnabled,
      detail: failing.map(({ name, failure }) => `${name}: ${failure}`).join(', '),
    };
  }

  /** Fails when no sink works; those in doubt are tried first. */
  healthCheck(): HealthCheck {
    return {
      name: 'audit',
      run: async () => {
        await this.#test();
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

function report({ name, failure }: Sink, logger: Logger): void {
  if (failure === undefined) logger.info({ sink: name }, 'the audit record can be written again');
  else logger.error({ sink: name, reason: failure }, 'the audit record cannot be written');
}

function outletOf(sink: AuditSinkOptions): Outlet {
  if (sink.type === 'file') return new FileOutlet(sink.path);
  if (sink.type === 'stdout') return new StdoutOutlet();
  return syslogOutlet(sink.address, sink.facility);
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

import { statfs } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { QueuedSink } from './audit-sink.ts';

/** Free space below which an operator should act, bytes. */
const LOW_SPACE = 67_108_864;
/** @limit time to measure the free space of an audit sink, ms -> the previous value is used */
const LOOK_MS = 1_000;

/** Free space of a sink. */
export interface SinkSpace {
  readonly name: string;
  readonly bytes: number;
}

type Look = (folder: string) => Promise<{ readonly bavail: number; readonly bsize: number }>;

/**
 * Measures the free space of sinks. A hanging disk is queried once for all callers and delays neither them nor other
 * sinks.
 */
export class SinkSpaces {
  readonly #sinks: readonly Pick<QueuedSink, 'name' | 'metrics'>[];
  readonly #look: Look;
  readonly #looking = new Map<string, Promise<void>>();
  readonly #found = new Map<string, number>();

  constructor(sinks: readonly Pick<QueuedSink, 'name' | 'metrics'>[], look: Look = statfs) {
    this.#sinks = sinks;
    this.#look = look;
  }

  async now(): Promise<readonly SinkSpace[]> {
    const looks = this.#sinks.flatMap(({ name, metrics }) => (metrics ? [this.#lookAt(name, metrics.folder)] : []));
    const over = new AbortController();
    await Promise.race([Promise.all(looks), wait(LOOK_MS, undefined, over).catch(() => {})]);
    over.abort();
    return [...this.#found].map(([name, bytes]) => ({ name, bytes }));
  }

  /** Low disk space, without confidential details, such as `file: 12 MiB are free`. */
  async low(): Promise<string[]> {
    const low = (await this.now()).filter(({ bytes }) => bytes < LOW_SPACE);
    return low.map(({ name, bytes }) => `${name}: ${Math.floor(bytes / 1_048_576)} MiB are free`);
  }

  #lookAt(name: string, folder: string): Promise<void> {
    const under = this.#looking.get(name);
    if (under) return under;
    const looking = this.#look(folder)
      .then(({ bavail, bsize }) => void this.#found.set(name, bavail * bsize))
      .catch(() => void this.#found.delete(name))
      .finally(() => this.#looking.delete(name));
    this.#looking.set(name, looking);
    return looking;
  }
}

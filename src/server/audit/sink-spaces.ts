import { statfs } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { QueuedSink } from './audit-sink.ts';

/** Below it an operator should make room, bytes. */
const LOW_SPACE = 67_108_864;
/** @limit the time that somebody waits for how much room a sink has, ms -> what was found before is told */
const LOOK_MS = 1_000;

/** Room where a sink writes. */
export interface SinkSpace {
  readonly name: string;
  readonly bytes: number;
}

type Look = (folder: string) => Promise<{ readonly bavail: number; readonly bsize: number }>;

/** How much room sinks have. A disk that hangs is looked at once, however many ask, and keeps neither them nor the other sinks waiting. */
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

  /** Where room runs out, in words that anybody may read: `file: 12 MiB are free`. */
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

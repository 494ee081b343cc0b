import { mkdirSync } from 'node:fs';
import { untilStopped } from './until-stopped.ts';

/**
 * A folder in which providers are kept for all jobs of an agent. Engines that fill it at the same time break it, so one after the
 * other does.
 */
export class ProviderCache {
  /** The same as engines see it. */
  readonly folder: string;
  #turn: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.folder = folder;
  }

  /** Work during which the folder is written. @throws the reason of the signal, while it waits for its turn */
  async alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#turn;
    const over = Promise.withResolvers<void>();
    this.#turn = before.then(() => over.promise);
    try {
      await untilStopped(before, signal);
      return await work();
    } finally {
      over.resolve();
    }
  }
}

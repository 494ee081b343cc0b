import type { AnchorSet } from '../../../x509/index.ts';
import type { ProvenIntermediates } from './proven-intermediates.ts';

/** Interval between two sweeps, milliseconds. */
const INTERVAL_MS = 3_600_000;

export interface IntermediateSweepParts {
  readonly intermediates: ProvenIntermediates;
  /** Returns the number of changes. Undefined if the mount is gone. */
  readonly version: () => Promise<number | undefined>;
  /** Returns the CA certificates of all roles. */
  readonly authorities: () => Promise<Pick<AnchorSet<unknown>, 'named'>>;
  readonly report: (error: unknown) => void;
}

/** Removes unused intermediates of a mount once an hour. Several nodes may do so at the same time. */
export class IntermediateSweep {
  readonly #parts: IntermediateSweepParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: IntermediateSweepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.run(), INTERVAL_MS).unref();
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.#running;
  }

  /** Runs the sweep after a running one. Never rejects. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#sweep()).catch(this.#parts.report);
    return this.#running;
  }

  async #sweep(): Promise<void> {
    const { intermediates, version, authorities } = this.#parts;
    const known = await version();
    if (known === undefined) return;
    await intermediates.current(known);
    if (intermediates.size > 0) await intermediates.sweep(await authorities());
  }
}

import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which others get their turn. */
const SLICE_MS = 1;

/** Keeps long work from holding up the event loop: to be asked for a breath after each small step. */
export class Pace {
  #since = performance.now();

  /** Lets everything else that is ready run first, when it is time for that. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await setImmediate();
    this.#since = performance.now();
  }
}

import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** CPU time of the thread that serves requests, in milliseconds. A busy machine and other threads add nothing to it. */
const cpuMilliseconds = (): number =>
  Object.values(process.threadCpuUsage()).reduce((sum, part) => sum + part / 1000, 0);

/** Watches the turns of the event loop: the most CPU time between two of them is the longest block. */
export class Turns {
  #longest = 0;
  #isOver = false;
  readonly #watching = this.#watch();

  /** Returns the longest block since the start, in milliseconds of CPU time. */
  async stop(): Promise<number> {
    this.#isOver = true;
    await this.#watching;
    return this.#longest;
  }

  async #watch(): Promise<void> {
    for (let last = cpuMilliseconds(); !this.#isOver; ) {
      await sleep(1);
      const now = cpuMilliseconds();
      this.#longest = Math.max(this.#longest, now - last);
      last = now;
    }
  }
}

/** Entry of the type `gc`: the types of Node.js lack its details. */
interface Collection {
  readonly detail: { readonly kind: number };
  readonly duration: number;
}

/** Watches full garbage collections. */
export class Collections {
  #longest = 0;
  readonly #observer = new PerformanceObserver((list) => this.#take(list.getEntries()));

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** Returns the duration of the longest one since the start, in milliseconds of wall time; 0 if there was none. */
  async stop(): Promise<number> {
    // The entries come in a later turn.
    await sleep(10);
    this.#observer.disconnect();
    return this.#longest;
  }

  #take(entries: readonly object[]): void {
    for (const { detail, duration } of entries as readonly Collection[]) {
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) this.#longest = Math.max(this.#longest, duration);
    }
  }
}

/** Returns the longest block of an event loop that does nothing for this time: the error of the measurement. */
export async function idleBlock(milliseconds: number): Promise<number> {
  const turns = new Turns();
  await sleep(milliseconds);
  return turns.stop();
}

/** Describes the longest blocks of several rounds. The first ones compile the code. */
export function blocks(held: readonly number[], idle: readonly number[]): string {
  const sorted = held.toSorted((one, other) => one - other);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  const between = `${at(0)} to ${at(1)} ms, median ${at(0.5)} ms`;
  return `longest block of a round ${between}; idle ${Math.min(...idle).toFixed(1)} to ${Math.max(...idle).toFixed(1)} ms`;
}

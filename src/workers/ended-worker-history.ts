type Numbers = Record<string, number>;

/** One minute of a process: sums, levels, and values that all processes share. */
interface Minute {
  readonly at: number;
  readonly counts: Numbers;
  readonly levels: Numbers;
  readonly shared: Numbers;
}

/** @limit period that the history of exited workers covers, minutes -> the oldest minutes are dropped */
const MOST_MINUTES = 360;

/** Recent history of exited processes, in the form of one more process. */
export class EndedWorkerHistory {
  #minutes = new Map<number, Minute>();

  add(history: unknown): void {
    if (!Array.isArray(history)) return;
    for (const minute of history as Minute[]) {
      const known = this.#minutes.get(minute.at) ?? { at: minute.at, counts: {}, levels: {}, shared: {} };
      this.#minutes.set(minute.at, known);
      for (const part of ['counts', 'levels', 'shared'] as const) {
        for (const [name, value] of Object.entries(minute[part])) {
          const before = known[part][name] ?? 0;
          known[part][name] = part === 'counts' ? before + value : Math.max(before, value);
        }
      }
    }
    const oldest = Math.max(...this.#minutes.keys()) - MOST_MINUTES;
    this.#minutes = new Map([...this.#minutes].filter(([at]) => at > oldest));
  }

  all(): readonly unknown[] {
    return [...this.#minutes.values()];
  }
}

/** Time budget that starts when it is created, measured with a monotonic clock. */
export class TimeBudget {
  readonly #end: number;

  constructor(milliseconds: number) {
    this.#end = performance.now() + milliseconds;
  }

  /** Remaining whole milliseconds; 0 if the budget is used up. */
  get left(): number {
    return Math.max(0, Math.floor(this.#end - performance.now()));
  }

  /** Returns a part of the remaining time, which starts now. */
  part(milliseconds: number): TimeBudget {
    return new TimeBudget(Math.min(milliseconds, this.left));
  }
}

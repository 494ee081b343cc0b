/** Time that may be spent, counted from when it is made, whatever the clock on the wall says. */
export class TimeBudget {
  readonly #end: number;

  constructor(milliseconds: number) {
    this.#end = performance.now() + milliseconds;
  }

  /** Whole milliseconds; 0 when it is spent. */
  get left(): number {
    return Math.max(0, Math.floor(this.#end - performance.now()));
  }

  /** A part of what is left, that starts now. */
  part(milliseconds: number): TimeBudget {
    return new TimeBudget(Math.min(milliseconds, this.left));
  }
}

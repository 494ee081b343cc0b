/** A response: complete for programs, and a summary for people. */
export interface Shown {
  readonly whole: unknown;
  /** Object or list for the table. */
  readonly brief: unknown;
}

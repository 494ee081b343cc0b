/** Meaning of a line, shown by a sign and a label. */
export type MarkKind = 'grants' | 'denies' | 'overridden' | 'fault' | 'warning';

/** An annotation of lines. */
export interface Mark {
  readonly kind: MarkKind;
  /** First line, from 1. */
  readonly line: number;
  /** Last line; by default the first. */
  readonly to?: number;
  /** Tooltip: a word or two. */
  readonly label: string;
  /** Text below the line. */
  readonly note?: string;
}

/** Annotations that the editor shows. */
export interface Shown {
  readonly marks: readonly Mark[];
  /** Numbers of changed lines. */
  readonly changed: readonly number[];
}

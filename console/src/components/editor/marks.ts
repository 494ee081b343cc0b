/** What a line of a text is: the sign before it says so, and a word with it. */
export type MarkKind = 'grants' | 'denies' | 'overridden' | 'fault' | 'warning';

/** Something that is known of lines of a text. */
export interface Mark {
  readonly kind: MarkKind;
  /** From 1 on. */
  readonly line: number;
  /** The last line of it; the same where it is one. */
  readonly to?: number;
  /** In a word or two, where the pointer is. */
  readonly label: string;
  /** Stands below the line. */
  readonly note?: string;
}

/** What an editor shows beside its text. */
export interface Shown {
  readonly marks: readonly Mark[];
  /** Lines that are not as they were. */
  readonly changed: readonly number[];
}

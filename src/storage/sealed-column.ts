/**
 * A column whose values the keyring has sealed: what resealing has to know of it. A domain declares its own. Every value in it
 * was sealed under a context that follows from the key of its row.
 */
export interface SealedColumn {
  readonly table: string;
  /** The primary key: a text, and a number after it where it has two parts. */
  readonly key: readonly [string] | readonly [string, string];
  readonly column: string;
  /** Another column that says which key of the keyring has sealed the value. */
  readonly versionColumn?: string;
  contextOf(text: string, number: number): string;
}

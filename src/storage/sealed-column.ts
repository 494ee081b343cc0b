/**
 * A column whose values the keyring has sealed: what resealing has to know of it, and what its values are bound to. A domain declares its
 * own. Every value in it was sealed under a context that follows from the key of its row.
 */
export interface SealedColumn {
  readonly table: string;
  /** The primary key: a text, and a number after it where it has two parts. */
  readonly key: readonly [string] | readonly [string, string];
  readonly column: string;
  /** Another column that says which key of the keyring has sealed the value. */
  readonly versionColumn?: string;
  /**
   * Attributes that decide who gets the secret, or can test it: a request that changes one has to bring the secret again. None where no
   * request can take a stored value elsewhere. A test walks them through the API (stored-secrets.test.ts).
   */
  readonly boundTo: readonly string[];
  contextOf(text: string, number: number): string;
}

/**
 * A column whose values the keyring encrypts. Declares what rotation of the keyring needs, and which attributes the
 * values are bound to. Each module declares its own columns. The encryption context of a value follows from the key of
 * its row.
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

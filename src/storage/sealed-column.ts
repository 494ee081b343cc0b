/**
 * A column whose values the keyring encrypts. It declares what key rotation needs, and the attributes to which the
 * values are bound. Each module declares its own columns. The encryption context of a value follows from the key of its
 * row.
 */
export interface SealedColumn {
  readonly table: string;
  /** The primary key: a text, optionally followed by a number. */
  readonly key: readonly [string] | readonly [string, string];
  readonly column: string;
  /** Column with the version of the key that encrypted the value. */
  readonly versionColumn?: string;
  /**
   * Attributes that determine who receives or can test the secret: a request that changes one of them must send the
   * secret again. Empty if no request can send a stored value elsewhere. A test checks them through the API
   * (stored-secrets.test.ts).
   */
  readonly boundTo: readonly string[];
  contextOf(text: string, number: number): string;
}

/** A token of an agent. */
export interface ObtainedToken {
  readonly token: string;
  /** Remaining lifetime in seconds; null if unknown. */
  readonly seconds: number | null;
}

/** Source of an agent's tokens. */
export interface TokenSource {
  /** Name of the credential in log messages, for example `the token in FILE`. */
  readonly what: string;
  /** Advice for log messages, for the case that the server rejects the credential. */
  readonly hint: string;
  /**
   * Obtains the next token.
   * @throws Unanswered if the server is unavailable, which does not mean that the credential is wrong
   */
  obtain(signal: AbortSignal): Promise<ObtainedToken>;
}

/** A token that an agent got. */
export interface ObtainedToken {
  readonly token: string;
  /** From now on; null where that is not known. */
  readonly seconds: number | null;
}

/** Where an agent has its tokens from. */
export interface TokenSource {
  /** In words, for the log: what is refused when a token is. */
  readonly what: string;
  /** What to look at when the server refuses it. */
  readonly hint: string;
  /**
   * The next token.
   * @throws Unanswered where the server is away, which says nothing about who asks
   */
  obtain(signal: AbortSignal): Promise<ObtainedToken>;
}

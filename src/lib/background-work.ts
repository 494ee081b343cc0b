/** What goes on beside all requests, from the start of a server to its end. */
export interface BackgroundWork {
  /** @param leadership of what one process does for all that share a database; what each does for itself does not ask */
  start(leadership?: Leadership): void | Promise<void>;
  /** Waits for what is under way. */
  stop(): void | Promise<void>;
}

/** Whose turn it is to do what is done once for all processes. */
export interface Leadership {
  /** Takes a step if it is our turn, and does not let it write any more once it is not. Undefined when it was, or is, not. */
  runIfLeader<T>(step: () => Promise<T>): Promise<T | undefined>;
}

/** Of the only process. */
export const ALWAYS_LEADER: Leadership = { runIfLeader: (step) => step() };

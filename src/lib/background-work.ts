/** What goes on beside all requests, from the start of a server to its end. */
export interface BackgroundWork {
  start(): void | Promise<void>;
  /** Waits for what is under way. */
  stop(): void | Promise<void>;
}

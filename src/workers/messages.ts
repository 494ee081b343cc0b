/** Requests between workers, and from the supervisor to workers. */
export type Topic = 'metrics' | 'history' | 'health' | 'tasks' | 'agentToken';

/** Messages to a worker. */
export type Order =
  /** Start, with the configuration that all workers share. */
  | { readonly do: 'begin'; readonly config: unknown }
  /** A connection; its handle is attached. */
  | { readonly do: 'take'; readonly listener: number }
  | { readonly do: 'reload' | 'drain' | 'retire' | 'stop' }
  | { readonly do: 'tell'; readonly question: number; readonly topic: Topic }
  | { readonly do: 'hear'; readonly question: number; readonly answers: readonly unknown[] };

/** Messages from a worker. */
export type Report =
  | { readonly is: 'ready' }
  /** Acknowledges the oldest connection that is not acknowledged. */
  | { readonly is: 'took' }
  /** Periodic memory use, bytes. */
  | { readonly is: 'well'; readonly memory: number }
  /** Request of a worker for status reports of the other workers; `own` is its own report. */
  | { readonly is: 'asking'; readonly question: number; readonly topic: Topic; readonly own: unknown }
  | { readonly is: 'telling'; readonly question: number; readonly answer: unknown }
  /** Last message before exit. */
  | { readonly is: 'leaving'; readonly metrics: unknown; readonly history: unknown };

/** Environment variable with the number of a worker. */
export const WORKER = 'LOCKKEEPER_WORKER';
/** Interval of heartbeats, milliseconds. */
export const SIGN_OF_LIFE_MS = 5_000;

/** What workers ask one another, and what whoever starts them asks. */
export type Topic = 'metrics' | 'history' | 'health' | 'agentToken';

/** What a worker is told. */
export type Order =
  /** To start; with the configuration, which is the same for all. */
  | { readonly do: 'begin'; readonly config: unknown }
  /** With the connection itself. */
  | { readonly do: 'take'; readonly listener: number }
  | { readonly do: 'reload' | 'drain' | 'retire' | 'stop' }
  | { readonly do: 'tell'; readonly question: number; readonly topic: Topic }
  | { readonly do: 'hear'; readonly question: number; readonly answers: readonly unknown[] };

/** What a worker says. */
export type Report =
  | { readonly is: 'ready' }
  /** That it has the connection which it was given first of those that it has not spoken of. */
  | { readonly is: 'took' }
  /** Again and again: what it takes, bytes. */
  | { readonly is: 'well'; readonly memory: number }
  /** What the others know; `own` is what it knows itself. */
  | { readonly is: 'asking'; readonly question: number; readonly topic: Topic; readonly own: unknown }
  | { readonly is: 'telling'; readonly question: number; readonly answer: unknown }
  /** At its end. */
  | { readonly is: 'leaving'; readonly metrics: unknown; readonly history: unknown };

/** The number of a worker, in its environment. */
export const WORKER = 'LOCKKEEPER_WORKER';
/** Milliseconds between two signs of life. */
export const SIGN_OF_LIFE_MS = 5_000;

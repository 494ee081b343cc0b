export interface PostgresQuery {
  /** Prepared for the connection under this name, and kept until another text has it. Planned anew each time without one. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

export interface PostgresAnswer {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

/** A connection. It answers in the order of the queries, and none of those waits for the one before. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresAnswer>;
  /** All of them or, where one fails, nothing: a unit of work of its own. */
  batch(queries: readonly PostgresQuery[]): Promise<readonly PostgresAnswer[]>;
  /** It is of no use: whoever waits for an answer is told so, and nobody is given it again. */
  discard(error: unknown): void;
  /** From now on an answer may take any time. */
  waitForever(): void;
  /** `destroy` when its state is not known. */
  release(destroy?: boolean): void;
}

/** How long a read may take: the look-up of a row, or whatever a list needs. */
export type Length = 'brief' | 'long';

/** How its connections are used, since the start. Lengths of time are seconds. */
export interface PoolMetrics {
  readonly most: number;
  readonly open: number;
  readonly inUse: number;
  /** Who waits for one now. */
  readonly waiting: number;
  /** How often somebody had to wait for one, for how long together, and how often in vain. */
  readonly waits: number;
  readonly waited: number;
  readonly timeouts: number;
}

/** What we need of a pool of connections. Values come parsed as `values.ts` says. Where there is no connection it says so as `translate` does. */
export interface PostgresPool {
  /** A connection for one user alone, until it is released. */
  connect(): Promise<PostgresClient>;
  /**
   * One on which others read at the same time, until `use` is done: for single statements that change nothing. Those that may
   * take long have connections of their own, so that the others do not wait behind them.
   */
  share<T>(use: (client: PostgresClient) => Promise<T>, length: Length): Promise<T>;
  metrics?(): PoolMetrics;
  end(): Promise<void>;
}

export interface PostgresQuery {
  /**
   * Name of the prepared statement, which the connection keeps until the name gets another text. Without a name the
   * query is planned each time.
   */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

export interface PostgresAnswer {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

/**
 * A connection with pipelining: it returns results in the order of the queries, and a query does not wait for the
 * result before it.
 */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresAnswer>;
  /** Runs a transaction: all queries succeed or, if one fails, none has an effect. */
  batch(queries: readonly PostgresQuery[]): Promise<readonly PostgresAnswer[]>;
  /** Marks the connection as unusable: pending queries fail, and it is not used again. */
  discard(error: unknown): void;
  /** Disables the timeout for responses. */
  waitForever(): void;
  /** Releases the connection; `destroy` if its state is unknown. */
  release(destroy?: boolean): void;
}

/** Expected duration of a read: the look-up of a row, or a list. */
export type Length = 'brief' | 'long';

/** Metrics of the connections since the start. Durations are in seconds. */
export interface PoolMetrics {
  readonly most: number;
  readonly open: number;
  readonly inUse: number;
  /** Number of callers that wait for a connection now. */
  readonly waiting: number;
  /** Number of waits for a connection, their total duration, and the number of timeouts. */
  readonly waits: number;
  readonly waited: number;
  readonly timeouts: number;
}

/**
 * Connection pool. Values are parsed as in `values.ts`. Without a connection it throws the same errors as `translate`.
 */
export interface PostgresPool {
  /** Returns a connection for exclusive use until it is released. */
  connect(): Promise<PostgresClient>;
  /**
   * Lends a connection that other reads use at the same time, until `use` is done: for single read-only statements.
   * Long reads have connections of their own, so that short ones do not wait behind them.
   */
  share<T>(use: (client: PostgresClient) => Promise<T>, length: Length): Promise<T>;
  metrics?(): PoolMetrics;
  end(): Promise<void>;
}

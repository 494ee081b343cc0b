import { Pool, types } from 'pg';
import { PARSERS } from './values.ts';

export interface PostgresQuery {
  /** Prepared once for the connection under this name, and kept. Planned anew each time without one. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A connection, to one user at a time. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>;
  /** `destroy` when its state is not known. */
  release(destroy?: boolean): void;
}

/** What we need of a pool of connections. Values come parsed by PARSERS. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

/** Milliseconds to wait for a connection, or for one to become free. */
const CONNECT_TIMEOUT = 5000;

export function createPool(url: string, size: number, report: (error: unknown) => void): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    application_name: 'lockkeeper',
    types: { getTypeParser: (id, format) => PARSERS[id] ?? types.getTypeParser(id, format) } as typeof types,
  });
  // Without a listener a connection that breaks would end the process: idle ones tell the pool, others only themselves.
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

import { Client, type Connection, type Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import { Session } from './session.ts';

/** A query for `pg` that never ends, which makes the connection available to this module. */
class Takeover implements Submittable {
  readonly #taken: (connection: Connection) => void;
  readonly #lost: (error: unknown) => void;

  constructor(taken: (connection: Connection) => void, lost: (error: unknown) => void) {
    this.#taken = taken;
    this.#lost = lost;
  }

  submit(connection: Connection): void {
    this.#taken(connection);
  }

  handleError(error: unknown): void {
    this.#lost(error);
  }
}

/** A connection that this module controls. */
export interface Connected {
  readonly session: Session;
  /** Closes the connection; queries without a result fail. */
  close(): void;
}

/**
 * Connects with `pg`, which resolves the host and does TLS and authentication. Afterwards this module uses the
 * connection itself, because each query of `pg` costs a write and a description of its result. `lost` is called when
 * the connection breaks.
 */
export async function connectSession(url: string, timeout: number, lost: (error: unknown) => void): Promise<Connected> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeout,
    keepAlive: true,
    application_name: 'lockkeeper',
  });
  // The takeover query receives the same error.
  client.on('error', () => {});
  await client.connect();
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  let broken = (error: unknown) => reject(error);
  client.query(new Takeover(resolve, (error) => broken(error)));
  const { stream } = await promise;
  stream.removeAllListeners('data');
  const session = new Session(stream);
  broken = (error) => {
    session.fail(error);
    lost(session.failure);
  };
  return {
    session,
    close: () => {
      broken = () => {};
      if (stream.writable) stream.write(serialize.end());
      session.fail(new Error('the connection was closed'));
    },
  };
}

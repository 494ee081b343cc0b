import { Client, type Connection, type Submittable } from 'pg';
import { Session } from './session.ts';

/** Terminate: the end of a connection that is in order. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/** What `pg` takes for a query without an end: from then on the connection is ours. */
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

/** A connection that is ours. */
export interface Connected {
  readonly session: Session;
  /** What is not answered yet is lost. */
  close(): void;
}

/**
 * Connects: addresses, TLS and authentication are those of `pg`, whose queries each cost a write and a description of their
 * result. `lost` is told when the connection breaks.
 */
export async function connectSession(url: string, timeout: number, lost: (error: unknown) => void): Promise<Connected> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeout,
    keepAlive: true,
    application_name: 'lockkeeper',
  });
  // Whatever it reports, the takeover is told too.
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
      if (stream.writable) stream.write(TERMINATE);
      session.fail(new Error('the connection was closed'));
    },
  };
}

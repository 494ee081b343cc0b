import type { PostgresAnswer, PostgresClient, PostgresQuery } from './pool.ts';
import { type Connected, connectSession } from './wire/connect.ts';

/** The current users of a client. */
interface Owner {
  lost(client: PooledClient, error: unknown): void;
  released(client: PooledClient, destroy: boolean): void;
}

/** A pooled connection: used exclusively by one caller, or shared by several readers. */
export class PooledClient implements PostgresClient {
  isTaken = false;
  readers = 0;
  idle: NodeJS.Timeout | undefined;
  readonly #connected: Connected;
  readonly #owner: Owner;

  private constructor(connected: Connected, owner: Owner) {
    this.#connected = connected;
    this.#owner = owner;
  }

  static async connect(url: string, timeout: number, owner: Owner): Promise<PooledClient> {
    const connected = await connectSession(url, timeout, (error) => owner.lost(client, error));
    const client: PooledClient = new PooledClient(connected, owner);
    return client;
  }

  get isBroken(): boolean {
    return this.#connected.session.failure !== undefined;
  }

  query(query: PostgresQuery): Promise<PostgresAnswer> {
    const { session } = this.#connected;
    return this.isTaken ? session.joined(query) : session.query(query);
  }

  batch(queries: readonly PostgresQuery[]): Promise<readonly PostgresAnswer[]> {
    return this.#connected.session.batch(queries);
  }

  discard(error: unknown): void {
    this.#connected.session.fail(error);
  }

  waitForever(): void {
    this.#connected.session.answerTimeoutMs = Number.POSITIVE_INFINITY;
  }

  release(destroy = false): void {
    this.#owner.released(this, destroy);
  }

  close(): void {
    this.#connected.close();
  }
}

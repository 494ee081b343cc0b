import { databaseUnavailable } from '../errors.ts';
import { PooledClient } from './client.ts';
import { translate } from './errors.ts';

import type { Length, PoolMetrics, PostgresClient, PostgresPool } from './pool.ts';

/** Timeout for opening a connection or waiting for a free one, milliseconds. */
const CONNECT_TIMEOUT = 5000;
/** Time after which an idle connection is closed, milliseconds. */
const IDLE_TIMEOUT = 10_000;
/**
 * Number of reads that share one connection while further connections are available. A slow read delays no more than
 * these.
 * @limit reads on one connection to PostgreSQL, reads -> another connection is used; if there is none, all take more
 */
const SHARED_READS = 8;

const CLOSED = 'the database is closed';

interface Waiter {
  /** Kind of read. Undefined for a caller that wants exclusive use. */
  readonly shared: Length | undefined;
  readonly settle: PromiseWithResolvers<PooledClient>;
  readonly timer: NodeJS.Timeout;
  /** Time from `performance.now()`. */
  readonly since: number;
}

/** Pool of connections to one server, opened on demand. Reads of one turn of the event loop use the same connection. */
export class SessionPool implements PostgresPool {
  readonly #url: string;
  readonly #size: number;
  readonly #report: (error: unknown) => void;
  #clients: readonly PooledClient[] = [];
  readonly #waiters: Waiter[] = [];
  /** Connection of the reads of this turn. */
  readonly #ofThisTurn = new Map<Length, PooledClient>();
  #connecting = 0;
  readonly #waits = { waits: 0, waited: 0, timeouts: 0 };
  #ended = false;
  readonly #over = Promise.withResolvers<void>();

  constructor(url: string, size: number, report: (error: unknown) => void) {
    this.#url = url;
    this.#size = size;
    this.#report = report;
  }

  async connect(): Promise<PostgresClient> {
    return this.#free(undefined) ?? this.#wait(undefined);
  }

  async share<T>(use: (client: PostgresClient) => Promise<T>, length: Length): Promise<T> {
    const client = this.#free(length) ?? (await this.#wait(length));
    try {
      return await use(client);
    } finally {
      client.readers--;
      if (client.isBroken) this.#remove(client);
      this.#goOn(client);
    }
  }

  metrics(): PoolMetrics {
    const inUse = this.#clients.filter(({ isTaken, readers }) => isTaken || readers > 0).length;
    const open = this.#clients.length;
    return { most: this.#size, open, inUse, waiting: this.#waiters.length, ...this.#waits };
  }

  /** Resolves when no connection is in use any more. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#failWaiters(new Error(CLOSED));
    for (const client of this.#clients) this.#goOn(client);
    if (this.#clients.length + this.#connecting > 0) await this.#over.promise;
  }

  /** Assigns a free connection to the caller at once, exclusively or shared. */
  #free(shared: Length | undefined): PooledClient | undefined {
    if (this.#ended || this.#waiters.length > 0) return undefined;
    return this.#take(shared);
  }

  #take(shared: Length | undefined): PooledClient | undefined {
    const client = shared ? this.#toReadOn(shared) : this.#unused();
    if (client === undefined) return undefined;
    clearTimeout(client.idle);
    if (shared) client.readers++;
    else client.isTaken = true;
    return client;
  }

  #unused(): PooledClient | undefined {
    return this.#clients.find((client) => !client.isTaken && !client.isBroken && client.readers === 0);
  }

  #toReadOn(length: Length): PooledClient | undefined {
    const others = this.#ofThisTurn.get(length);
    if (others && !others.isTaken && !others.isBroken && others.readers < SHARED_READS) return others;
    const client = this.#unused() ?? (this.#isFull ? this.#leastRead() : undefined);
    if (client === undefined) return undefined;
    if (this.#ofThisTurn.size === 0) setImmediate(() => this.#ofThisTurn.clear());
    this.#ofThisTurn.set(length, client);
    return client;
  }

  #leastRead(): PooledClient | undefined {
    const shared = this.#clients.filter((client) => !client.isTaken && !client.isBroken);
    return shared.reduce<PooledClient | undefined>((a, b) => (a && a.readers <= b.readers ? a : b), undefined);
  }

  get #isFull(): boolean {
    return this.#clients.length + this.#connecting >= this.#size;
  }

  #wait(shared: Length | undefined): Promise<PooledClient> {
    if (this.#ended) return Promise.reject(new Error(CLOSED));
    const settle = Promise.withResolvers<PooledClient>();
    const timer = setTimeout(() => {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      this.#waits.timeouts++;
      this.#noteWait(waiter);
      settle.reject(databaseUnavailable(new Error('timeout exceeded when trying to connect')));
    }, CONNECT_TIMEOUT);
    const waiter: Waiter = { shared, settle, timer, since: performance.now() };
    this.#waiters.push(waiter);
    if (!this.#isFull) void this.#open();
    return settle.promise;
  }

  async #open(): Promise<void> {
    this.#connecting++;
    try {
      const client = await PooledClient.connect(this.#url, CONNECT_TIMEOUT, {
        lost: (lost, error) => this.#lost(lost, error),
        released: (released, destroy) => this.#released(released, destroy),
      });
      this.#connecting--;
      this.#clients = [...this.#clients, client];
      this.#goOn(client);
    } catch (error) {
      this.#connecting--;
      // While other connections exist, waiting callers can still get one of them.
      if (this.#clients.length + this.#connecting === 0) this.#failWaiters(translate(error));
      this.#endWhenEmpty();
    }
  }

  #released(client: PooledClient, destroy: boolean): void {
    client.isTaken = false;
    if (destroy || client.isBroken) this.#remove(client);
    this.#goOn(client);
  }

  #lost(client: PooledClient, error: unknown): void {
    // If the connection is in use, its users receive the error.
    if (!client.isTaken && client.readers === 0) this.#report(error);
    this.#remove(client);
    this.#serve();
  }

  /** Passes a released connection to the next caller, or keeps it idle. */
  #goOn(client: PooledClient): void {
    this.#serve();
    if (client.isTaken || client.readers > 0 || !this.#clients.includes(client)) return;
    if (this.#ended) {
      this.#remove(client);
    } else {
      clearTimeout(client.idle);
      client.idle = setTimeout(() => this.#remove(client), IDLE_TIMEOUT);
    }
  }

  #serve(): void {
    for (let next = this.#waiters[0]; next !== undefined; next = this.#waiters[0]) {
      const client = this.#take(next.shared);
      if (client === undefined) {
        if (!this.#isFull && this.#connecting < this.#waiters.length) void this.#open();
        return;
      }
      this.#waiters.shift();
      clearTimeout(next.timer);
      this.#noteWait(next);
      next.settle.resolve(client);
    }
  }

  #noteWait({ since }: Waiter): void {
    this.#waits.waits++;
    this.#waits.waited += (performance.now() - since) / 1000;
  }

  #remove(client: PooledClient): void {
    clearTimeout(client.idle);
    this.#clients = this.#clients.filter((other) => other !== client);
    client.close();
    this.#endWhenEmpty();
  }

  #endWhenEmpty(): void {
    if (this.#ended && this.#clients.length + this.#connecting === 0) this.#over.resolve();
  }

  #failWaiters(error: unknown): void {
    for (const { settle, timer } of this.#waiters.splice(0)) {
      clearTimeout(timer);
      settle.reject(error);
    }
  }
}

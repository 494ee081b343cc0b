import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { sql, type Transaction } from '../database.ts';
import { Listeners, type Signals } from './signals.ts';

const notify = sql<{ channel: string; topic: string }, unknown>('SELECT pg_notify(:channel, :topic)');
const CONNECT_TIMEOUT = 5_000;
const FIRST_PAUSE = 100;
/** @limit delay before the connection for signals is opened again, ms -> the next attempt */
const LONGEST_PAUSE = 5_000;

/** Connection options for the signals of one schema. */
export interface PostgresSignalsOptions {
  readonly url: string;
  readonly schema: string;
  /** Called when the connection is lost or cannot be opened. */
  readonly report: (error: unknown) => void;
}

/** Signals with NOTIFY: all nodes receive them at the commit. The first listener opens a dedicated connection. */
export class PostgresSignals implements Signals {
  readonly #options: PostgresSignalsOptions;
  readonly #channel: string;
  readonly #listeners = new Listeners();
  readonly #end = new AbortController();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;

  constructor(options: PostgresSignalsOptions) {
    this.#options = options;
    this.#channel = `lockkeeper_${options.schema}`;
  }

  send(tx: Transaction, topic: string): void {
    // The transaction waits for this statement, and fails with it.
    tx.one(notify, { channel: this.#channel, topic }).catch(() => {});
  }

  listen(topic: string, listener: () => void): () => void {
    this.#connecting ??= this.#connect();
    return this.#listeners.add(topic, listener);
  }

  listenToPrefix(prefix: string, heard: (rest: string) => void): () => void {
    this.#connecting ??= this.#connect();
    return this.#listeners.addPrefixListener(prefix, heard);
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#connecting;
    await this.#client?.end().catch(() => {});
  }

  /** Resolves when it listens, or was closed. */
  async #connect(): Promise<void> {
    let pause = FIRST_PAUSE;
    while (!this.#end.signal.aborted) {
      try {
        this.#client = await this.#open();
        // Signals sent while the connection was down are lost.
        this.#listeners.notifyAll();
        return;
      } catch (error) {
        this.#options.report(error);
        await sleep(pause, undefined, { signal: this.#end.signal }).catch(() => {});
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      }
    }
  }

  async #open(): Promise<Client> {
    const client = new Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      application_name: 'lockkeeper signals',
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the connection for signals was closed')));
    client.on('notification', ({ payload }) => this.#listeners.notify(payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(this.#channel)}`);
      return client;
    } catch (error) {
      client
        .removeAllListeners('end')
        .end()
        .catch(() => {});
      throw error;
    }
  }

  #lose(client: Client, error: unknown): void {
    if (client !== this.#client || this.#end.signal.aborted) return;
    this.#client = undefined;
    this.#options.report(error);
    this.#connecting = this.#connect();
  }
}

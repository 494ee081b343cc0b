import { rest } from '../http/retry.ts';
import type { JobClient, JobOrders } from './job-client.ts';

/** Between two signs of life, seconds: at most, and for each second that the server wants between two parts of a log. */
const SLOWEST = 15;
const PARTS = 5;
/** @limit how often a server may want signs of life, seconds between two -> not more often */
const SHORTEST = 1;
/** A sign of life is soon followed by another, ms. */
const TIMEOUT = 30_000;

/** Signs of life of a job, which bring what the server wants of it, while no log does. */
export class Heartbeat {
  readonly #client: JobClient;
  readonly #path: string;
  readonly #stop = new AbortController();
  #next = 0;
  #beating: Promise<void> = Promise.resolve();

  constructor(client: JobClient, link: string) {
    this.#client = client;
    this.#path = client.pathOf(link);
    client.onOrders((wanted) => this.#heard(wanted));
  }

  start(): void {
    this.#beating = this.#beat(AbortSignal.any([this.#stop.signal, this.#client.lost]));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#beating;
  }

  #heard({ interval }: JobOrders): void {
    const seconds = Math.min(Math.max((interval ?? SLOWEST) * PARTS, SHORTEST), SLOWEST);
    this.#next = performance.now() + seconds * 1000;
  }

  async #beat(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = this.#next - performance.now();
      if (due > 0) await rest(due, signal).catch(() => {});
      else await this.#send(signal);
    }
  }

  async #send(signal: AbortSignal): Promise<void> {
    try {
      await this.#client.report({ method: 'POST', path: this.#path }, signal, TIMEOUT);
    } catch {
      // What it means is known to the line; or the server is away.
      await rest(SHORTEST * 1000, signal).catch(() => {});
    }
  }
}

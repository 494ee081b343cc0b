import { rest } from '../http/retry.ts';
import type { JobClient, JobOrders } from './job-client.ts';

/**
 * Longest interval between heartbeats, in seconds. Below it the interval is `PARTS` times the log interval of the
 * server.
 */
const SLOWEST = 15;
const PARTS = 5;
/** @limit interval between heartbeats that a server may set, seconds -> the agent uses this minimum */
const SHORTEST = 1;
/** Timeout of one heartbeat, in ms; the next one follows soon. */
const TIMEOUT = 30_000;

/** Sends heartbeats of a job while its log is idle. Each response contains the server's orders. */
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
      // The client has handled a refusal; otherwise the server is unavailable and the next heartbeat tries again.
      await rest(SHORTEST * 1000, signal).catch(() => {});
    }
  }
}

import { JobFailure } from '../../ports.ts';
import type { AgentLog } from '../agent-log.ts';
import { aboutJob, isRefusal } from '../http/failures.ts';
import { persistently } from '../http/retry.ts';
import type { Server, ServerRequest } from '../http/server.ts';

/** Orders of the server for a job, returned with each heartbeat. */
export interface JobOrders {
  /** `interrupt` after a cancel, `kill` after a force-cancel. */
  readonly cancel: 'none' | 'interrupt' | 'kill';
  /** Bytes of the log that the server has stored; null if it does not say. */
  readonly logBytes: number | null;
  /** Requested interval between two parts of the log, in seconds; null if the server does not say. */
  readonly interval: number | null;
}

/**
 * @limit time that an agent tries to report the result of a job to an unavailable server, ms -> it gives up; a state
 * stays on the agent
 */
export const TIMEOUT = 900_000;

/** Client for the requests about one job, with the token of that job. */
export class JobClient {
  readonly #server: Server;
  readonly #token: string;
  readonly #log: AgentLog;
  /** Headers of each request. */
  readonly #headers: Readonly<Record<string, string>>;
  readonly #lost = new AbortController();
  readonly #interrupt = new AbortController();
  readonly #kill = new AbortController();
  readonly #orderListeners = new Set<(orders: JobOrders) => void>();
  #isAway = false;

  /** @param traceparent W3C trace context of the job; null without tracing */
  constructor(server: Server, token: string, log: AgentLog, traceparent: string | null = null) {
    this.#headers = traceparent === null ? {} : { traceparent };
    this.#server = server;
    this.#token = token;
    this.#log = log;
  }

  /** Aborts when the server takes the job away or force-cancels it. After that the agent sends only the state. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Aborts when the run is canceled or the job is lost. */
  get interrupted(): AbortSignal {
    return this.#interrupt.signal;
  }

  /** Aborts when the run is force-canceled. */
  get killed(): AbortSignal {
    return this.#kill.signal;
  }

  /** Registers a listener for the orders in each heartbeat response. */
  onOrders(listener: (orders: JobOrders) => void): void {
    this.#orderListeners.add(listener);
  }

  /**
   * Sends a request and retries it while the server is unavailable.
   * @param timeout how long to retry, ms
   * @throws Refusal; Unanswered after the timeout; the reason of `signal`
   */
  async request(request: ServerRequest, signal: AbortSignal, timeout = TIMEOUT): Promise<unknown> {
    const work = () => this.#server.request({ ...this.#traced(request), token: this.#token, signal });
    return await this.#persistently(work, signal, timeout).catch((error) => this.#orLost(error, 401));
  }

  /** Like `request`, but streams the response. An interrupted stream is not retried. */
  async openStream(request: ServerRequest, maxBytes: number, signal: AbortSignal) {
    const work = () => this.#server.openStream({ ...this.#traced(request), token: this.#token, signal }, maxBytes);
    return await this.#persistently(work, signal, TIMEOUT);
  }

  /** Sends a request to a signed URL. The URL is the authorization, so the token of the job is not sent. */
  async requestSigned(request: ServerRequest, signal: AbortSignal, timeout: number): Promise<void> {
    await this.#persistently(() => this.#server.request({ ...this.#traced(request), signal }), signal, timeout);
  }

  #traced(request: ServerRequest): ServerRequest {
    return { ...request, headers: { ...request.headers, ...this.#headers } };
  }

  pathOf(link: unknown): string {
    return this.#server.pathOf(link);
  }

  /**
   * Sends a heartbeat and obeys the orders in the response. If the server refuses it, the job is lost. @throws Refusal,
   * Unanswered, the reason of `signal`
   */
  async report(request: ServerRequest, signal: AbortSignal, timeout: number): Promise<JobOrders> {
    const orders = ordersIn(
      await this.request(request, signal, timeout).catch((error) => this.#orLost(error, 404, 409)),
    );
    this.#obey(orders);
    for (const listener of this.#orderListeners) listener(orders);
    return orders;
  }

  #obey({ cancel }: JobOrders): void {
    if (cancel === 'none') return;
    if (cancel === 'kill') {
      this.#kill.abort();
      this.#lose('it was force-canceled');
    }
    if (!this.#interrupt.signal.aborted) this.#log.info('run canceled: interrupting its engine');
    this.#interrupt.abort();
  }

  #orLost(error: unknown, ...statuses: readonly number[]): never {
    if (isRefusal(error, ...statuses)) this.#lose(error.message);
    throw error;
  }

  #lose(why: string): void {
    if (this.#lost.signal.aborted) return;
    this.#log.warn(`the server no longer accepts this job from this agent: ${why}`);
    const reason = new JobFailure('The server took the job away from this agent');
    this.#lost.abort(reason);
    this.#interrupt.abort(reason);
  }

  async #persistently<T>(work: () => Promise<T>, signal: AbortSignal, timeout: number): Promise<T> {
    const onFailure = (error: Error): void => {
      if (!this.#isAway) this.#log.warn(`server unavailable, retrying: ${error.message}`);
      this.#isAway = true;
    };
    const answer = await persistently(work, { signal, timeout, onFailure }).catch((error) => {
      throw aboutJob(error);
    });
    if (this.#isAway) this.#log.info('server available again');
    this.#isAway = false;
    return answer;
  }
}

function ordersIn(answer: unknown): JobOrders {
  const { attributes = {} } = (answer as { data?: { attributes?: Record<string, unknown> } } | null)?.data ?? {};
  const { cancel, interval, 'log-bytes': logBytes } = attributes;
  return {
    cancel: cancel === 'interrupt' || cancel === 'kill' ? cancel : 'none',
    interval: typeof interval === 'number' ? interval : null,
    logBytes: typeof logBytes === 'number' ? logBytes : null,
  };
}

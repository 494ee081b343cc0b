import { JobFailure } from '../../ports.ts';
import type { AgentLog } from '../agent-log.ts';
import { aboutJob, isRefusal } from '../http/failures.ts';
import { persistently } from '../http/retry.ts';
import type { Server, ServerRequest } from '../http/server.ts';

/** What the server wants of a job, told with each sign of life. */
export interface JobOrders {
  /** Somebody canceled it, or ended it by force. */
  readonly cancel: 'none' | 'interrupt' | 'kill';
  /** Bytes of the log that it has; null where it does not say. */
  readonly logBytes: number | null;
  /** How long it wants to wait for the next part of a log, seconds; null where it does not say. */
  readonly interval: number | null;
}

/** @limit for how long the result of a job is offered to a server that is away, ms -> it is given up; a state is kept by the agent */
export const TIMEOUT = 900_000;

/** How an agent speaks to the server about one job, with the token of that job. */
export class JobClient {
  readonly #server: Server;
  readonly #token: string;
  readonly #log: AgentLog;
  /** Said whenever it asks. */
  readonly #headers: Readonly<Record<string, string>>;
  readonly #lost = new AbortController();
  readonly #interrupt = new AbortController();
  readonly #kill = new AbortController();
  readonly #orderListeners = new Set<(orders: JobOrders) => void>();
  #isAway = false;

  /** @param traceparent of the job, where it is traced */
  constructor(server: Server, token: string, log: AgentLog, traceparent: string | null = null) {
    this.#headers = traceparent === null ? {} : { traceparent };
    this.#server = server;
    this.#token = token;
    this.#log = log;
  }

  /** The job is not ours any more, or was ended by force: nothing is to be told of it but its state. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Somebody canceled it, or it is lost. */
  get interrupted(): AbortSignal {
    return this.#interrupt.signal;
  }

  /** It was ended by force. */
  get killed(): AbortSignal {
    return this.#kill.signal;
  }

  /** What is told of each answer to a sign of life. */
  onOrders(listener: (orders: JobOrders) => void): void {
    this.#orderListeners.add(listener);
  }

  /**
   * Asks until it is answered.
   * @param patience how long a server may be away, ms
   * @throws what the server says, or that it was away for too long; the reason of `signal`
   */
  async request(request: ServerRequest, signal: AbortSignal, timeout = TIMEOUT): Promise<unknown> {
    const work = () => this.#server.request({ ...this.#traced(request), token: this.#token, signal });
    return await this.#persistently(work, signal, timeout).catch((error) => this.#orLost(error, 401));
  }

  /** The same, for bytes. What breaks while they come is not tried again. */
  async openStream(request: ServerRequest, signal: AbortSignal) {
    const work = () => this.#server.openStream({ ...this.#traced(request), token: this.#token, signal });
    return await this.#persistently(work, signal, TIMEOUT);
  }

  /** Without the token of the job: what the server has signed. */
  async requestSigned(request: ServerRequest, signal: AbortSignal, timeout: number): Promise<void> {
    await this.#persistently(() => this.#server.request({ ...this.#traced(request), signal }), signal, timeout);
  }

  #traced(request: ServerRequest): ServerRequest {
    return { ...request, headers: { ...request.headers, ...this.#headers } };
  }

  pathOf(link: unknown): string {
    return this.#server.pathOf(link);
  }

  /** A sign of life; what the server wants is done. Refused, the job is lost. @throws Refusal, Unanswered, the reason of `signal` */
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
      this.#lose('it was ended by force');
    }
    if (!this.#interrupt.signal.aborted) this.#log.info('the run was canceled: its engine is interrupted');
    this.#interrupt.abort();
  }

  #orLost(error: unknown, ...statuses: readonly number[]): never {
    if (isRefusal(error, ...statuses)) this.#lose(error.message);
    throw error;
  }

  #lose(why: string): void {
    if (this.#lost.signal.aborted) return;
    this.#log.warn(`the server does not take this job from this agent any more: ${why}`);
    const reason = new JobFailure('The server has taken the job away from this agent');
    this.#lost.abort(reason);
    this.#interrupt.abort(reason);
  }

  async #persistently<T>(work: () => Promise<T>, signal: AbortSignal, timeout: number): Promise<T> {
    const onFailure = (error: Error): void => {
      if (!this.#isAway) this.#log.warn(`the server is away, and tried again: ${error.message}`);
      this.#isAway = true;
    };
    const answer = await persistently(work, { signal, timeout, onFailure }).catch((error) => {
      throw aboutJob(error);
    });
    if (this.#isAway) this.#log.info('the server is back');
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

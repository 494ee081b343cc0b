import { JobFailure } from '../../ports.ts';
import type { AgentLog } from '../agent-log.ts';
import { aboutJob, isRefusal } from '../http/failures.ts';
import { persistently } from '../http/retry.ts';
import type { Asked, Server } from '../http/server.ts';

/** What the server wants of a job, told with each sign of life. */
export interface Wanted {
  /** Somebody canceled it, or ended it by force. */
  readonly cancel: 'none' | 'interrupt' | 'kill';
  /** Bytes of the log that it has; null where it does not say. */
  readonly logBytes: number | null;
  /** How long it wants to wait for the next part of a log, seconds; null where it does not say. */
  readonly interval: number | null;
}

/** @limit for how long the result of a job is offered to a server that is away, ms -> it is given up; a state is kept by the agent */
export const PATIENCE = 900_000;

/** How an agent speaks to the server about one job, with the token of that job. */
export class JobLine {
  readonly #server: Server;
  readonly #token: string;
  readonly #log: AgentLog;
  /** Said whenever it asks. */
  readonly #headers: Readonly<Record<string, string>>;
  readonly #lost = new AbortController();
  readonly #interrupt = new AbortController();
  readonly #kill = new AbortController();
  readonly #wants = new Set<(wanted: Wanted) => void>();
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
  onWanted(listener: (wanted: Wanted) => void): void {
    this.#wants.add(listener);
  }

  /**
   * Asks until it is answered.
   * @param patience how long a server may be away, ms
   * @throws what the server says, or that it was away for too long; the reason of `signal`
   */
  async ask(asked: Asked, signal: AbortSignal, patience = PATIENCE): Promise<unknown> {
    const work = () => this.#server.ask({ ...this.#traced(asked), token: this.#token, signal });
    return await this.#persistently(work, signal, patience).catch((error) => this.#orLost(error, 401));
  }

  /** The same, for bytes. What breaks while they come is not tried again. */
  async open(asked: Asked, signal: AbortSignal) {
    const work = () => this.#server.open({ ...this.#traced(asked), token: this.#token, signal });
    return await this.#persistently(work, signal, PATIENCE);
  }

  /** Without the token of the job: what the server has signed. */
  async put(asked: Asked, signal: AbortSignal, patience: number): Promise<void> {
    await this.#persistently(() => this.#server.ask({ ...this.#traced(asked), signal }), signal, patience);
  }

  #traced(asked: Asked): Asked {
    return { ...asked, headers: { ...asked.headers, ...this.#headers } };
  }

  pathOf(link: unknown): string {
    return this.#server.pathOf(link);
  }

  /** A sign of life; what the server wants is done. Refused, the job is lost. @throws Refusal, Unanswered, the reason of `signal` */
  async tell(asked: Asked, signal: AbortSignal, patience: number): Promise<Wanted> {
    const wanted = wantedIn(await this.ask(asked, signal, patience).catch((error) => this.#orLost(error, 404, 409)));
    this.#obey(wanted);
    for (const listener of this.#wants) listener(wanted);
    return wanted;
  }

  #obey({ cancel }: Wanted): void {
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

  async #persistently<T>(work: () => Promise<T>, signal: AbortSignal, patience: number): Promise<T> {
    const onFailure = (error: Error): void => {
      if (!this.#isAway) this.#log.warn(`the server is away, and tried again: ${error.message}`);
      this.#isAway = true;
    };
    const answer = await persistently(work, { signal, patience, onFailure }).catch((error) => {
      throw aboutJob(error);
    });
    if (this.#isAway) this.#log.info('the server is back');
    this.#isAway = false;
    return answer;
  }
}

function wantedIn(answer: unknown): Wanted {
  const { attributes = {} } = (answer as { data?: { attributes?: Record<string, unknown> } } | null)?.data ?? {};
  const { cancel, interval, 'log-bytes': logBytes } = attributes;
  return {
    cancel: cancel === 'interrupt' || cancel === 'kill' ? cancel : 'none',
    interval: typeof interval === 'number' ? interval : null,
    logBytes: typeof logBytes === 'number' ? logBytes : null,
  };
}

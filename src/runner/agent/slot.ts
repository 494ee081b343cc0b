import type { JobEnd } from '../ports.ts';
import type { Stop } from '../stopping.ts';
import { type Executor, toItsEnd } from './executor.ts';
import { isRefusal, Unanswered } from './http/failures.ts';
import { pauseAfter, rest } from './http/retry.ts';
import { decline } from './job/decline.ts';
import { reportAgain } from './job/execute-job.ts';
import { type HandedJob, readJob } from './job/job-document.ts';
import type { Workshop } from './job/workshop.ts';
import type { Session } from './login/session.ts';
import type { Registered } from './registered.ts';
import { type AgentStatus, type OfferedEngines, Registration } from './registration.ts';

/** Interval between heartbeats of a busy agent, in ms. */
const BEAT = 15_000;
/** @limit time for an agent to unregister, ms -> the agent exits without unregistering */
const LONGEST_GOODBYE = 5_000;

/** Name and engines of a slot. */
export interface SlotIdentity {
  readonly name: string;
  readonly engines: OfferedEngines;
  /** Agent id from before a restart, which the slot continues to use; null for none. */
  readonly before: string | null;
}

/** Dependencies of a slot. */
export interface SlotPlace {
  readonly session: Session;
  readonly workshop: Workshop;
  readonly executor: Executor;
  readonly registered: Registered;
}

/** Executes one job at a time. The server sees each slot as an agent. */
export class Slot {
  readonly #name: string;
  readonly #engines: OfferedEngines;
  readonly #session: Session;
  readonly #workshop: Workshop;
  readonly #executor: Executor;
  readonly #stop: Stop;
  readonly #registered: Registered;
  #registration: Registration | null = null;
  #status: AgentStatus = 'idle';
  /** Last job and its result. If the server hands out the same job again, the slot only repeats the report. */
  #last: { readonly id: string; readonly end: JobEnd } | null = null;
  #isAway = false;

  constructor(
    { name, engines, before }: SlotIdentity,
    { session, workshop, executor, registered }: SlotPlace,
    stop: Stop,
  ) {
    this.#name = name;
    this.#engines = engines;
    this.#session = session;
    this.#workshop = workshop;
    this.#executor = executor;
    this.#stop = stop;
    this.#registered = registered;
    if (before !== null) this.#registration = Registration.resume({ server: workshop.server, session }, before);
  }

  /** Registration of the slot; null while it has none. */
  get registration(): Registration | null {
    return this.#registration;
  }

  /** Executes jobs one after the other until `noMore` aborts, then unregisters. */
  async run(noMore: AbortSignal): Promise<void> {
    const forget = this.#session.onLogin(() => this.#beat());
    for (let failures = 0; !noMore.aborted; ) {
      try {
        const wasDropped = await this.#next(noMore);
        failures = wasDropped ? failures + 1 : 0;
        this.#answered();
      } catch (error) {
        if (noMore.aborted) break;
        this.#failed(error as Error);
        failures += 1;
      }
      if (failures > 0) await rest(pauseAfter(failures - 1), noMore).catch(() => {});
    }
    forget();
    await this.#goodbye().catch(() => {});
  }

  /** Unregisters. If that fails, the next agent in the folder does it. */
  async #goodbye(): Promise<void> {
    if (this.#registration === null) return;
    await this.#registration.say('exited', AbortSignal.timeout(LONGEST_GOODBYE));
    this.#registered.remove(this.#registration.id);
  }

  /**
   * Claims and executes the next job.
   * @returns whether the claimed job was dropped
   */
  async #next(noMore: AbortSignal): Promise<boolean> {
    this.#registration ??= await this.#register(noMore);
    const answer = await this.#registration.claim(noMore);
    return answer !== null && (await this.#work(await this.#read(answer), this.#registration));
  }

  async #read(answer: unknown): Promise<HandedJob> {
    try {
      return readJob(answer);
    } catch (error) {
      await decline(this.#workshop.server, answer, (error as Error).message).catch(() => {});
      throw error;
    }
  }

  async #register(signal: AbortSignal): Promise<Registration> {
    const { server, log } = this.#workshop;
    const made = await Registration.make(
      { server, session: this.#session },
      { name: this.#name, ...this.#engines },
      signal,
    );
    this.#registered.add(made.id);
    log.info('registered, waiting for jobs', { agent: this.#name });
    return made;
  }

  /**
   * Executes a claimed job.
   * @returns whether the job was dropped
   */
  async #work(handed: HandedJob, { id: agentId }: Registration): Promise<boolean> {
    this.#status = 'busy';
    const timer = setInterval(() => this.#beat(), BEAT);
    try {
      return await this.#execute(handed, agentId);
    } finally {
      clearInterval(timer);
      this.#status = 'idle';
    }
  }

  /**
   * Executes a job once. The server hands out a job again if it did not get the report, so only the report is repeated.
   */
  async #execute(handed: HandedJob, agentId: string): Promise<boolean> {
    const { id } = handed.job;
    if (this.#last?.id === id) {
      await reportAgain(handed, this.#last.end, this.#workshop, this.#stop);
      return true;
    }
    try {
      const { outcome, end } = await toItsEnd(this.#executor.start(handed, { agentId }), this.#stop);
      if (end !== null) this.#last = { id, end };
      return outcome === 'dropped';
    } catch (error) {
      this.#last = { id, end: { kind: 'failed', reason: `The agent failed: ${(error as Error).message}` } };
      throw error;
    }
  }

  /** Sends a heartbeat. Ignores errors: the next claim gets the same error and handles it. */
  #beat(): void {
    this.#registration?.say(this.#status, AbortSignal.timeout(BEAT)).catch(() => {});
  }

  #forget(): void {
    if (this.#registration !== null) this.#registered.remove(this.#registration.id);
    this.#registration = null;
  }

  #answered(): void {
    if (this.#isAway) this.#workshop.log.info('server available again', { agent: this.#name });
    this.#isAway = false;
  }

  #failed(error: Error): void {
    const { log } = this.#workshop;
    // The session logs failed logins.
    if (isRefusal(error, 401)) return;
    if (isRefusal(error, 404)) this.#forget();
    const isAway = error instanceof Unanswered;
    if (!isAway) log.warn(`cannot take jobs: ${error.message}`, { agent: this.#name });
    else if (!this.#isAway) log.warn(`server unavailable, retrying: ${error.message}`, { agent: this.#name });
    this.#isAway ||= isAway;
  }
}

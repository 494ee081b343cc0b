import type { Stop } from '../stopping.ts';
import type { Trust } from './http/server.ts';
import type { ExecutedJob } from './job/execute-job.ts';
import type { HandedJob } from './job/job-document.ts';

/** A job that is carried out somewhere. */
export interface Execution {
  /** Until its end, which is reported then. Does not throw for what a server, a cluster or a job does. */
  watch(): Promise<ExecutedJob>;
  /** Interrupted it may come to an end by itself; killed it is left where it is. @param reason why, for its run */
  stop(how: 'interrupt' | 'kill', reason: unknown): void;
}

/** Who asks for a job, and goes on with it: a slot. */
export interface Holder {
  readonly agentId: string;
}

/** Where an agent has its jobs carried out. */
export interface Executor {
  /**
   * Agents as which this one was registered before it was started anew, whose jobs may still be under way. The server hands them those
   * jobs again.
   */
  begun(signal: AbortSignal): Promise<readonly string[]>;
  /** Begins with a job, or goes on with what was begun. */
  start(handed: HandedJob, holder: Holder): Execution;
  /** Replaces the trusted CA certificates of jobs that are already running. */
  trust?(trust: Trust): void;
}

/** What comes of it, and it is stopped when that is wanted. */
export async function toItsEnd(execution: Execution, { interrupt, kill }: Stop): Promise<ExecutedJob> {
  const interrupted = (): void => execution.stop('interrupt', interrupt.reason);
  const killed = (): void => execution.stop('kill', kill.reason);
  if (interrupt.aborted) interrupted();
  if (kill.aborted) killed();
  interrupt.addEventListener('abort', interrupted);
  kill.addEventListener('abort', killed);
  try {
    return await execution.watch();
  } finally {
    interrupt.removeEventListener('abort', interrupted);
    kill.removeEventListener('abort', killed);
  }
}

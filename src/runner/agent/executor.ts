import type { Stop } from '../stopping.ts';
import type { Trust } from './http/server.ts';
import type { ExecutedJob } from './job/execute-job.ts';
import type { HandedJob } from './job/job-document.ts';

/** Execution of one job. */
export interface Execution {
  /**
   * Waits for the end of the job, which is reported by then. Does not throw for failures of the server, the cluster or
   * the job.
   */
  watch(): Promise<ExecutedJob>;
  /**
   * Stops the job. An interrupted job may finish by itself; a killed job is left as it is.
   * @param reason is shown in the run
   */
  stop(how: 'interrupt' | 'kill', reason: unknown): void;
}

/** The slot that claimed a job and watches it. */
export interface Holder {
  readonly agentId: string;
}

/** Executes the jobs of an agent. */
export interface Executor {
  /**
   * Returns ids under which this agent was registered before a restart, and whose jobs may still be running. The server
   * hands these jobs out to the same ids again.
   */
  begun(signal: AbortSignal): Promise<readonly string[]>;
  /** Starts a job, or continues to watch it if it is already running. */
  start(handed: HandedJob, holder: Holder): Execution;
  /** Replaces the trusted CA certificates of jobs that are already running. */
  trust?(trust: Trust): void;
}

/** Waits for the end of an execution, and stops it when a signal of `stop` aborts. */
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

import type { TaskDefinition } from './task-definition.ts';
import type { TaskStatus } from './task-status.ts';

/** Work that runs in the background from the start of a server until it stops. */
export interface BackgroundWork {
  /**
   * Periodic tasks of this work, which the server shows in health, metrics and `diagnose`. They may change while the
   * server runs. Empty for work that only reacts to requests.
   */
  readonly tasks: readonly BackgroundTask[];
  /**
   * @param leadership leader lease for tasks that only one process of the cluster may run; tasks of each process ignore it
   */
  start(leadership?: Leadership): void | Promise<void>;
  /** Stops and waits for the current step to finish. */
  stop(): void | Promise<void>;
}

/** A periodic task and what became of it in this process. */
export interface BackgroundTask {
  readonly definition: TaskDefinition;
  status(): TaskStatus;
}

/** Leader lease: which process may run the tasks that run once for the whole cluster. */
export interface Leadership {
  /**
   * Runs a step while this process is the leader, and blocks the step's writes as soon as it no longer is. Returns
   * undefined if this process is not the leader, or stopped being it.
   */
  runIfLeader<T>(step: () => Promise<T>): Promise<T | undefined>;
}

/** Leadership of a server with a single process. */
export const ALWAYS_LEADER: Leadership = { runIfLeader: (step) => step() };

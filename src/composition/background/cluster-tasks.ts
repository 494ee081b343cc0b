import {
  type BackgroundTasks,
  type KnownTask,
  newestStatus,
  worstStatus,
} from '../../lib/background/background-tasks.ts';
import { outcomeText, problemOf } from '../../lib/background/task-problem.ts';
import type { TaskStatus } from '../../lib/background/task-status.ts';
import type { Peers } from '../peers.ts';
import type { LeaderTasks } from './leader-tasks.ts';

/** A task as the whole cluster sees it. */
export interface ClusterTask extends KnownTask {
  /** Problem of the task; undefined if it has none. */
  readonly problem: string | undefined;
  /** The problem, or the outcome of the last run. */
  readonly found: string;
}

/** Statuses of a worker for the others, by name of the task. */
export type PeerTasks = Readonly<Record<string, TaskStatus>>;

export interface ClusterTasksOptions {
  readonly own: BackgroundTasks;
  /** Other workers of this node. */
  readonly peers: Peers | undefined;
  /** Tasks of the leader, if it may be a process of another node. */
  readonly leaderTasks: LeaderTasks | undefined;
}

/**
 * The background tasks of this node, and those that the leader runs on another one. Tasks of each process are shown with
 * the status of the worker that fares worst.
 */
export class ClusterTasks {
  readonly #options: ClusterTasksOptions;

  constructor(options: ClusterTasksOptions) {
    this.#options = options;
  }

  /** Returns the statuses of this process for other workers. */
  own(): PeerTasks {
    return Object.fromEntries(this.ownList().map(({ definition, status }) => [definition.name, status]));
  }

  /** Returns the tasks of this process only. */
  ownList(): readonly KnownTask[] {
    return this.#options.own.list();
  }

  async list(): Promise<ClusterTask[]> {
    const { peers, leaderTasks } = this.#options;
    const others = ((await peers?.request('tasks')) ?? []) as readonly (PeerTasks | null | undefined)[];
    return this.ownList().map(({ definition, status: own }) => {
      const { name, runsOn } = definition;
      const statuses = [own, ...others.map((peer) => peer?.[name]), leaderTasks?.status(name)];
      const known = statuses.filter((status) => status !== undefined);
      const status = (runsOn === 'leader' ? newestStatus(known) : worstStatus(definition, known)) ?? own;
      // Another process is the leader, and its status has not arrived: it may be of an older version.
      const isUnknown = own.isSkipped && status === own;
      const problem = isUnknown ? undefined : problemOf(definition, status);
      const found = problem ?? outcomeText(status);
      return { definition, status, problem, found: own.isSkipped ? `not leader: ${found}` : found };
    });
  }
}

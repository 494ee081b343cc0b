import type { BackgroundTask, BackgroundWork } from './background-work.ts';
import type { TaskDefinition } from './task-definition.ts';
import { problemOf } from './task-problem.ts';
import type { TaskStatus } from './task-status.ts';

/** A task with its status. */
export interface KnownTask {
  readonly definition: TaskDefinition;
  readonly status: TaskStatus;
}

/** Registry of the background tasks of one process. */
export class BackgroundTasks {
  readonly #works: readonly BackgroundWork[];

  /** @throws Error if two tasks have one name */
  constructor(works: readonly BackgroundWork[]) {
    this.#works = works;
    this.list();
  }

  /**
   * Returns all tasks, one for each name, in starting order. A task that runs once for each mount has one status, the
   * worst of its mounts.
   */
  list(): KnownTask[] {
    const tasks = this.#works.flatMap((work) => work.tasks);
    return [...Map.groupBy(tasks, ({ definition }) => definition.name).values()].map(ofOneName);
  }
}

function ofOneName(tasks: readonly BackgroundTask[]): KnownTask {
  const [definition, other] = new Set(tasks.map((task) => task.definition));
  if (definition === undefined) throw new Error('no task has this name');
  if (other !== undefined) throw new Error(`two background tasks have the name ${definition.name}`);
  const statuses = tasks.map((task) => task.status());
  const status = worstStatus(definition, statuses) as TaskStatus;
  return {
    definition,
    status: { ...status, failuresInTotal: statuses.reduce((sum, one) => sum + one.failuresInTotal, 0) },
  };
}

/** Returns the status with a problem, or else the one of the newest run. */
export function worstStatus(definition: TaskDefinition, statuses: readonly TaskStatus[]): TaskStatus | undefined {
  return statuses.find((status) => problemOf(definition, status) !== undefined) ?? newestStatus(statuses);
}

/**
 * Returns the status of the newest run, which is the right one for tasks of the leader. Prefers the first
 * of two statuses of one run.
 */
export function newestStatus(statuses: readonly TaskStatus[]): TaskStatus | undefined {
  return statuses.reduce<TaskStatus | undefined>((best, next) => {
    if (best?.age === undefined) return next.age === undefined ? (best ?? next) : next;
    return next.age !== undefined && next.startedAt !== best.startedAt && next.age < best.age ? next : best;
  }, undefined);
}

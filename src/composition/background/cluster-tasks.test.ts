import { expect, test } from 'vitest';
import { BackgroundTasks } from '../../lib/background/background-tasks.ts';
import type { TaskStatus } from '../../lib/background/task-status.ts';
import { ClusterTasks } from './cluster-tasks.ts';

const DAY = 86_400_000;
const LATE: TaskStatus = {
  ...{ result: 'ok', error: undefined, startedAt: 1, age: 2 * DAY, duration: 5, late: DAY },
  ...{ failures: 0, failingFor: 0, failuresInTotal: 0, isRunning: false, isSkipped: false },
};

/** Cluster tasks of a process with one task, and of one other worker. */
async function found(runsOn: 'leader' | 'every process', own: TaskStatus, other?: TaskStatus): Promise<string[]> {
  const definition = { name: 'one', description: 'Tests.', runsOn, period: 1000 } as const;
  const tasks = new BackgroundTasks([{ tasks: [{ definition, status: () => own }], start: () => {}, stop: () => {} }]);
  const peers = { incoming: () => () => {}, request: async () => [null, other && { one: other }, undefined] };
  const list = await new ClusterTasks({ own: tasks, peers, leaderTasks: undefined }).list();
  return list.map((task) => task.found);
}

test('a task of the leader is as late as in the process that ran it last', async () => {
  const skipped = { ...LATE, isSkipped: true };
  expect(await found('leader', skipped, { ...LATE, startedAt: 2, age: 3000, late: -1 })).toEqual([
    'not leader: ok, started 3 s ago, took 5 ms',
  ]);
  expect(await found('leader', skipped, { ...LATE, startedAt: 2, age: DAY })).toEqual(['not leader: overdue by 24 h']);
});

test('a task of the leader is no problem in a process that knows nothing of the leader', async () => {
  expect(await found('leader', { ...LATE, isSkipped: true })).toEqual(['not leader: ok, started 48 h ago, took 5 ms']);
  expect(await found('leader', LATE)).toEqual(['overdue by 24 h']);
});

test('a task of every process has the status of the worker that has a problem', async () => {
  expect(await found('every process', { ...LATE, age: 1000, late: -1 }, LATE)).toEqual(['overdue by 24 h']);
});

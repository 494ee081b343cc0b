import { expect, test } from 'vitest';
import { BackgroundTasks } from '../../lib/background/background-tasks.ts';
import { PeriodicTask } from '../../lib/background/periodic-task.ts';
import type { Databases } from '../databases.ts';
import { LeaderTasks } from './leader-tasks.ts';

const TASK = { name: 'one', description: 'Tests.', runsOn: 'leader', period: 1000 } as const;

/** Returns the status of the task after a signal from another process. */
function after(...signals: string[]) {
  let hear = (_signal: string) => {};
  const listenToPrefix = (_prefix: string, heard: typeof hear) => {
    hear = heard;
    return () => {};
  };
  const tasks = new LeaderTasks({ signals: { listenToPrefix } } as unknown as Databases, () => {});
  const step = async () => {};
  tasks.shareFrom(new BackgroundTasks([PeriodicTask.every(TASK, step, () => {})]));
  tasks.start({ runIfLeader: async () => undefined });
  for (const signal of signals) hear(signal);
  void tasks.stop();
  return tasks.status('one');
}

test('the status of a task comes from the signal of the leader', () => {
  expect(after('f00d/one/failed/ECONNREFUSED/1/2/3/4/5/6/0')).toMatchObject({
    ...{ result: 'failed', error: 'ECONNREFUSED', startedAt: 1, duration: 3, failures: 4, isRunning: false },
  });
  expect(after('f00d/one/ok//1/2/-1/0/0/-6/0')).toMatchObject({ result: 'ok', error: undefined, duration: undefined });
});

test.each([
  ['a task that this version does not have', 'f00d/other/ok//1/2/3/4/5/6/0'],
  ['another format', 'f00d/one/ok//1/2/3/4/5/6/0/7'],
  ['another result', 'f00d/one/good//1/2/3/4/5/6/0'],
  ['a message in place of the class of an error', 'f00d/one/failed/password is hunter2/1/2/3/4/5/6/0'],
  ['no number', 'f00d/one/ok//x/2/3/4/5/6/0'],
  ['an infinite number', 'f00d/one/ok//1/2/3/4/Infinity/1e999/0'],
  ['nothing', ''],
])('a signal with %s is ignored', (_, signal) => {
  expect(after(signal)).toBeUndefined();
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { PeriodicTask } from './periodic-task.ts';

const DAY = 86_400_000;
const TASK = { name: 'test', description: 'Tests.', runsOn: 'leader', period: 0 } as const;

test('steps run one after the other, go on after a failure, and stop after the step that is running', async () => {
  const events: string[] = [];
  let underWay = 0;
  const fourth = Promise.withResolvers<void>();
  const repeated = new PeriodicTask({
    task: TASK,
    first: 0,
    afterFailure: 0,
    report: (error) => events.push((error as Error).message),
    step: async () => {
      expect(++underWay).toBe(1);
      const count = events.push(`step ${events.length}`);
      if (count === 5) fourth.resolve();
      await sleep(5);
      underWay--;
      if (count === 2) throw new Error('failed');
      return 0;
    },
  });
  repeated.start();
  await fourth.promise;
  const before = events.length;
  await repeated.stop();
  expect(underWay).toBe(0);
  await sleep(20);
  expect(events).toEqual(['step 0', 'step 1', 'failed', 'step 3', 'step 4']);
  expect(events).toHaveLength(before);
});

test('a run counts as failed if it reports an error without ending, until a run succeeds', async () => {
  const reported: unknown[] = [];
  let isBroken = true;
  const task = PeriodicTask.every(
    TASK,
    async () => {
      if (isBroken) task.report(new TypeError('one of many'));
    },
    (error, name) => reported.push([(error as Error).message, name]),
  );
  await task.runNow();
  await task.runNow();
  expect(task.status()).toMatchObject({ result: 'failed', error: 'TypeError', failures: 2, failuresInTotal: 2 });
  expect(reported).toEqual(Array(2).fill(['one of many', 'test']));
  isBroken = false;
  await task.runNow();
  expect(task.status()).toMatchObject({ result: 'ok', error: undefined, failures: 0, failuresInTotal: 2 });
});

test('a task of the leader does not run in another process, and one of every process does', async () => {
  const other = { runIfLeader: async () => undefined };
  const run = async (runsOn: 'leader' | 'every process') => {
    const task = PeriodicTask.every(
      { ...TASK, runsOn, period: 60_000 },
      async () => {},
      () => {},
    );
    task.start(other);
    await task.runNow();
    await task.stop();
    return task.status();
  };
  expect(await run('leader')).toMatchObject({ result: 'none', isSkipped: true });
  expect(await run('every process')).toMatchObject({ result: 'ok', isSkipped: false });
});

test('the first run of a new leader is not overdue by the time in which another process was the leader', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const ends = Promise.withResolvers<void>();
  let isLeader = false;
  const task = PeriodicTask.every(
    { ...TASK, period: 60_000 },
    () => ends.promise,
    () => {},
  );
  task.start({ runIfLeader: async (step) => (isLeader ? step() : undefined) });
  await task.runNow();
  clock.mockReturnValue(DAY);
  isLeader = true;
  const running = task.runNow();
  await vi.waitUntil(() => task.status().isRunning);
  expect(task.status()).toMatchObject({ late: 0, isSkipped: false });
  clock.mockReturnValue(2 * DAY);
  expect(task.status().late, 'a run that does not end').toBe(DAY);
  ends.resolve();
  await running;
  await task.stop();
  clock.mockRestore();
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PeriodicTask } from './periodic-task.ts';

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

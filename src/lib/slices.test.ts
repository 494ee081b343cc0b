import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runAtOnce, runInSlices, SLICE_MS, type Steps } from './slices.ts';

/** Runs this many steps, twenty to a slice, and records the name at each slice. */
function* work(steps: number, name = '', taken: string[] = []): Steps<string> {
  for (let i = 0; i < steps; i++) {
    taken.push(name);
    const end = performance.now() + SLICE_MS / 20;
    while (performance.now() < end);
    yield;
  }
  return name;
}

describe('work in slices', () => {
  test('lets everything else run in between', async () => {
    let turns = 0;
    let isDone = false;
    const done = runInSlices(work(200, 'a')).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      turns++;
      await nextTurn();
    }
    expect(await done).toBe('a');
    expect(turns).toBeGreaterThan(5);
  });

  test('takes turns with other work of this kind; short work does not wait for long work', async () => {
    const steps: string[] = [];
    const ended: string[] = [];
    await Promise.all([
      runInSlices(work(2000, 'long', steps)).then((name) => ended.push(name)),
      runInSlices(work(60, 'short', steps)).then((name) => ended.push(name)),
    ]);
    expect(ended).toEqual(['short', 'long']);
    expect(steps.slice(steps.indexOf('short'), steps.lastIndexOf('short'))).toContain('long');
  });

  test('rejects if the work fails', async () => {
    function* failing(): Steps<never> {
      yield;
      throw new Error('no');
    }
    await expect(runInSlices(failing())).rejects.toThrow('no');
  });
});

test('work at once is done in the same turn of the event loop', () => {
  expect(runAtOnce(work(40, 'a'))).toBe('a');
});

import { describe, expect, test } from 'vitest';
import type { BackgroundWork } from '../../lib/background/background-work.ts';
import { startAll } from './start-all.ts';

/** Three background tasks that record their calls. The second one may fail to start. */
function works(said: string[], fails = false): BackgroundWork[] {
  return ['a', 'b', 'c'].map((name) => ({
    tasks: [],
    async start() {
      if (fails && name === 'b') throw new Error('b cannot start');
      said.push(`${name} starts`);
    },
    async stop() {
      await new Promise((resolve) => setImmediate(resolve));
      said.push(`${name} stops`);
    },
  }));
}

describe('the background tasks', () => {
  test('start in order, and stop in the opposite order before what was opened earlier', async () => {
    const said: string[] = [];
    const opened = new AsyncDisposableStack();
    opened.defer(() => void said.push('the database closes'));
    await startAll(works(said), opened);
    await opened.disposeAsync();
    const order = ['a starts', 'b starts', 'c starts', 'c stops', 'b stops', 'a stops', 'the database closes'];
    expect(said).toEqual(order);
  });

  test('stop as far as they have started, if one cannot start', async () => {
    const said: string[] = [];
    const opened = new AsyncDisposableStack();
    await expect(startAll(works(said, true), opened)).rejects.toThrow('b cannot start');
    await opened.disposeAsync();
    expect(said).toEqual(['a starts', 'a stops']);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sweep } from './sweep.ts';

const MINUTE = 60_000;

describe('a sweep', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs one step after another every minute, and none after stop', async () => {
    const taken: string[] = [];
    const sweep = new Sweep([async () => taken.push('a'), async () => taken.push('b')], fail);
    sweep.start();
    for (const soFar of [
      ['a', 'b'],
      ['a', 'b', 'a', 'b'],
    ]) {
      vi.advanceTimersByTime(MINUTE);
      await vi.waitFor(() => expect(taken).toEqual(soFar));
    }
    await sweep.stop();
    vi.advanceTimersByTime(MINUTE);
    expect(taken).toHaveLength(4);
  });

  it('stops after the running step', async () => {
    let finish = () => {};
    const step = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const sweep = new Sweep([step], fail);
    sweep.start();
    vi.advanceTimersByTime(MINUTE);
    await vi.waitFor(() => expect(step).toHaveBeenCalled());
    const over = vi.fn();
    const stopped = sweep.stop().then(over);
    await Promise.resolve();
    expect(over).not.toHaveBeenCalled();
    finish();
    await stopped;
  });

  it('reports a failed step, and continues at the next minute', async () => {
    const told: unknown[] = [];
    const step = vi.fn().mockRejectedValueOnce('once').mockResolvedValue(undefined);
    const sweep = new Sweep([step], (error) => told.push(error));
    sweep.start();
    vi.advanceTimersByTime(MINUTE);
    await vi.waitFor(() => expect(told).toEqual(['once']));
    vi.advanceTimersByTime(MINUTE);
    await vi.waitFor(() => expect(step).toHaveBeenCalledTimes(2));
    await sweep.stop();
  });
});

function fail(error: unknown): never {
  throw error;
}

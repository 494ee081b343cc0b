import { expect, it } from 'vitest';
import { KnownCredentials } from './known-credentials.ts';
import { Pace } from './pace.ts';
import { Paces } from './paces.ts';

it('lets so many in at once, and then one for each part of the period', () => {
  const pace = new Pace(4, 1_000);
  let until: number | undefined;
  const ask = (now: number) => {
    const taken = pace.take(until, now);
    until = taken.until;
    return [taken.isLetIn, taken.remaining, Math.round(taken.waitMs)];
  };
  expect([1, 2, 3, 4, 5].map(() => ask(0))).toEqual([
    [true, 3, 0],
    [true, 2, 0],
    [true, 1, 0],
    [true, 0, 250],
    [false, 0, 250],
  ]);
  expect(ask(100)).toEqual([false, 0, 150]);
  expect(ask(250)).toEqual([true, 0, 250]);
  expect(ask(10_000)).toEqual([true, 3, 0]);
});

it.each([1, 3, 7, 30, 49, 1_000])('lets exactly %i in at once, whatever fractions of a period they are', (count) => {
  const pace = new Pace(count, 1_000);
  let until: number | undefined;
  let letIn = 0;
  for (let i = 0; i < 2 * count; i++) {
    const taken = pace.take(until, 123.456);
    until = taken.until;
    if (taken.isLetIn) letIn++;
  }
  expect(letIn).toBe(count);
});

it('gives back, and charges no more than a period ahead', () => {
  const paces = new Paces(2, 1_000);
  for (let i = 0; i < 10; i++) {
    expect(paces.take('a', 0).isLetIn).toBe(true);
    paces.giveBack('a');
  }
  for (let i = 0; i < 10; i++) paces.charge('a', 0);
  expect(paces.stateOf('a', 0)).toMatchObject({ remaining: 0 });
  expect(paces.take('a', 500).isLetIn).toBe(true);
});

it('keeps something of a bounded number, and forgets who was quiet longest', () => {
  const paces = new Paces(1, 1_000, 3);
  paces.take('honest', 0);
  for (let i = 0; i < 100; i++) {
    paces.take(`stranger-${i}`, 0);
    paces.take('honest', 0);
  }
  expect(paces.size).toBe(3);
  expect(paces.take('honest', 0).isLetIn).toBe(false);
  expect(paces.take('stranger-0', 0).isLetIn).toBe(true);
});

it('knows a bounded number of credentials, of each caller fewer, and nobody can push out those of others', () => {
  const known = new KnownCredentials(1_000);
  const digest = KnownCredentials.digest;
  known.learn(digest('honest'), 'user-1');
  for (let i = 0; i < 5_000; i++) known.learn(digest(`many-${i}`), 'user-2');
  expect(known.callerOf(digest('honest'))).toBe('user-1');
  expect(known.callerOf(digest('many-4999'))).toBe('user-2');
  expect(known.callerOf(digest('many-0'))).toBeUndefined();
  known.forget(digest('honest'));
  expect(known.callerOf(digest('honest'))).toBeUndefined();
  for (let i = 0; i < 2_000; i++) known.learn(digest(`one-${i}`), `user-${i}`);
  expect(known.callerOf(digest('many-4999'))).toBeUndefined();
});

import { expect, it } from 'vitest';
import { InTurn } from './in-turn.ts';

it('runs work of a key in the order of the calls, also after a failure, and other keys beside it', async () => {
  const turns = new InTurn();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const work = (name: string, before?: Promise<void>) => async () => {
    order.push(`${name} starts`);
    await before;
    order.push(`${name} ends`);
    if (name === 'a1') throw new Error('a1 failed');
    return name;
  };
  const results = [turns.run('a', work('a1', gate.promise)), turns.run('a', work('a2')), turns.run('b', work('b1'))];
  await results[2];
  gate.resolve();
  const settled = await Promise.allSettled(results);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(order).toEqual(['a1 starts', 'b1 starts', 'b1 ends', 'a1 ends', 'a2 starts', 'a2 ends']);
  expect(await turns.run('a', work('a3'))).toBe('a3');
});

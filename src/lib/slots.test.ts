import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('limits the total and each kind', () => {
  const slots = new Slots(3, { of: 2, to: 3 });
  const first = slots.acquire({ of: 'a', to: 'x' });
  expect(slots.acquire({ of: 'a', to: 'y' })).toBeDefined();
  expect(slots.full('of')).toEqual(['a']);
  expect(slots.full('to')).toEqual([]);
  expect(slots.acquire({ of: 'a', to: 'z' }), 'a has both of its slots').toBeUndefined();
  expect(slots.acquire({ of: 'b', to: 'x' })).toBeDefined();
  expect(slots.free).toBe(0);
  expect(slots.acquire({ of: 'c', to: 'x' }), 'all three slots are taken').toBeUndefined();
  first?.();
  expect(slots.free).toBe(1);
  expect(slots.full('of')).toEqual([]);
  expect(slots.acquire({ of: 'a', to: 'x' })).toBeDefined();
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DeliveryLoop, type Due } from './delivery-loop.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('starts another delivery as soon as one ends, if a limit was reached', async () => {
  const waiting = new Map<string, Due>();
  for (let at = 0; at < 10; at++) waiting.set(`m${at}`, { id: `m${at}`, organizationId: 'acme', target: 'receiver' });
  const delivered: string[] = [];
  let most = 0;
  let atOnce = 0;
  const loop = new DeliveryLoop<string>({
    task: { name: 'test', description: 'Delivers.' },
    places: { all: 8, ofOrganization: 2, toReceiver: 8 },
    due: async ({ organizations }, limit) =>
      organizations.includes('acme') ? [] : [...waiting.values()].slice(0, limit),
    take: async (id) => (waiting.delete(id) ? id : undefined),
    deliver: async (id) => {
      most = Math.max(most, ++atOnce);
      // Longer than the loop takes to look for more messages.
      await new Promise((resolve) => setTimeout(resolve, 5));
      atOnce--;
      delivered.push(id);
    },
    report: (error) => expect.fail(String(error)),
  });
  loop.start();
  // One poll each second would start two deliveries a second.
  await vi.advanceTimersByTimeAsync(1500);
  expect(delivered).toHaveLength(10);
  expect(most).toBe(2);
  await loop.stop();
});

it('a message that cannot be claimed delays no other one with its target', async () => {
  const broken = ['b0', 'b1', 'b2'];
  const waiting = [...broken, 'good'];
  const delivered: string[] = [];
  const loop = new DeliveryLoop<string>({
    task: { name: 'test', description: 'Delivers.' },
    places: { all: 3, ofOrganization: 3, toReceiver: 3 },
    due: async ({ ids, targets }, limit) =>
      waiting
        .filter((id) => !ids.includes(id) && !targets.includes('smtp'))
        .slice(0, limit)
        .map((id) => ({ id, organizationId: 'acme', target: 'smtp' })),
    take: async (id) => {
      if (broken.includes(id)) throw new Error(`${id} cannot be read`);
      waiting.splice(waiting.indexOf(id), 1);
      return id;
    },
    deliver: async (id) => void delivered.push(id),
    report: (error) => expect.fail(String(error)),
  });
  await expect(loop.begin()).rejects.toThrow('b0 cannot be read');
  await loop.settled();
  expect(delivered).toEqual(['good']);
});

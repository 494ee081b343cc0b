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

import { describe, expect, it } from 'vitest';
import { LocalSignals } from '../../../storage/index.ts';
import { ClaimWaits } from './claim-waits.ts';

const HOUR = 3_600_000;

function waiting(waits: ClaimWaits, agentId: string, signal = new AbortController().signal) {
  let looks = 0;
  const answer = waits.until({ organizationId: 'org', agentId, milliseconds: HOUR, signal }, async () => {
    looks++;
    return undefined;
  });
  return { answer, looks: () => looks };
}

describe('agents wait for runs', () => {
  it('a wait ends when its agent disconnects', async () => {
    const waits = new ClaimWaits(new LocalSignals());
    const client = new AbortController();
    const { answer, looks } = waiting(waits, 'agent-1', client.signal);
    client.abort();
    expect(await answer).toBeUndefined();
    expect(looks()).toBe(1);
    const gone = waiting(waits, 'agent-2', client.signal);
    expect(await gone.answer).toBeUndefined();
  });

  it('waits are limited: further agents get an answer at once', async () => {
    const waits = new ClaimWaits(new LocalSignals());
    const held = Array.from({ length: 2_000 }, (_, index) => waiting(waits, `agent-${index}`));
    expect(await waiting(waits, 'one more').answer).toBeUndefined();
    waits.stop();
    expect(await Promise.all(held.map(({ answer }) => answer))).toEqual(held.map(() => undefined));
    expect(await waiting(waits, 'after the end').answer).toBeUndefined();
  });
});

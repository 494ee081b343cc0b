import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SharedAgent } from './support/shared-agent.ts';

const MEGABYTE = 1_048_576;
/** Of an agent with nothing of its jobs in it. */
const MOST_MEMORY = 300 * MEGABYTE;
/** As many empty lists as there is room for, which take many times as much on a heap. Its state is one that is valid. */
const lists = (megabytes: number): string =>
  `yes '[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],' | head -c ${megabytes * MEGABYTE} | tr -d '\\n'`;
const STATE = (megabytes: number): string =>
  `{ printf '{"version":4,"serial":1,"lineage":"l","outputs":{},"resources":[],"x":['; ${lists(megabytes)}; printf '[]]}'; }`;

describe('what a run writes', { timeout: 180_000 }, () => {
  let shared: SharedAgent;
  beforeAll(async () => {
    shared = await SharedAgent.start();
  });
  afterAll(() => shared.stop());

  /** The agent lives, has not grown, and goes on with the next run. */
  const livesOn = async (pid: number): Promise<void> => {
    expect([shared.isAlive, shared.pid]).toEqual([true, pid]);
    expect(shared.peakMemory).toBeLessThan(MOST_MEMORY);
    expect(await shared.outcomeOf(await shared.queue())).toMatchObject({ status: 'applied' });
  };

  test('240 MB of JSON as a state', async () => {
    const { pid } = shared;
    const honest = await shared.honestRun();
    const run = await shared.queue(`[ $1 = apply ] && { ${STATE(240)} >$state; echo written; exit 0; }`);
    console.log(await shared.outcomeOf(run).then((o) => ({ ...o, log: o.log.slice(-600) })));
    expect(await honest.end()).toMatchObject({ status: 'applied' });
    await livesOn(pid);
  });

  test('120 MB of JSON as a plan', async () => {
    const { pid } = shared;
    const honest = await shared.honestRun();
    const json = `{ printf '{"format_version":"1.2","resource_changes":[],"x":['; ${lists(120)}; printf '[]]}'; }`;
    const run = await shared.queue(`[ $1 = show ] && { ${json}; exit 0; }`);
    console.log(await shared.outcomeOf(run).then((o) => ({ ...o, log: o.log.slice(-600) })));
    expect(await honest.end()).toMatchObject({ status: 'applied' });
    await livesOn(pid);
  });
});

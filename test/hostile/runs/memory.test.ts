import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SharedAgent } from './support/shared-agent.ts';

const MEGABYTE = 1_048_576;
/** Maximum memory of an agent that holds no data of its jobs, bytes. */
const MOST_MEMORY = 300 * MEGABYTE;

const LISTS = '[],'.repeat(100);
/** Empty lists, which take twelve times as much on a heap as in JSON. */
const lists = (megabytes: number): string =>
  `yes '${LISTS}' | head -n ${Math.ceil((megabytes * MEGABYTE) / LISTS.length)} | tr -d '\\n'`;
const state = (megabytes: number): string =>
  `{ printf '{"version":4,"serial":7,"lineage":"l","outputs":{},"resources":[],"x":['; ${lists(megabytes)}; printf '[]]}'; } >$state`;
const plan = (before: string, megabytes: number, after: string): string =>
  `[ $1 = show ] && { printf '{"format_version":"1.2",${before}['; ${lists(megabytes)}; printf '[]]${after}}'; exit 0; }`;

describe('JSON of an engine', { timeout: 180_000 }, () => {
  let shared: SharedAgent;
  beforeAll(async () => {
    shared = await SharedAgent.start();
  });
  afterAll(() => shared.stop());

  /** Runs `act` beside an honest apply, and returns how it ended. Checks that the agent is alive and has not grown. */
  async function besideAnHonestOne(act: string) {
    const { pid } = shared;
    const honest = await shared.honestRun();
    const run = await shared.queue(act);
    const outcome = await shared.outcomeOf(run);
    expect(await honest.end()).toMatchObject({ status: 'applied' });
    expect([shared.isAlive, shared.pid]).toEqual([true, pid]);
    expect(shared.peakMemory).toBeLessThan(MOST_MEMORY);
    expect(await shared.outcomeOf(await shared.queue())).toMatchObject({ status: 'applied' });
    return { run, ...outcome };
  }

  test('as a state of 240 MB is stored without a copy on any heap', async () => {
    expect(await besideAnHonestOne(`[ $1 = apply ] && { ${state(240)}; exit 0; }`)).toMatchObject({
      status: 'applied',
    });
  });

  test('as a state above the maximum size is kept, and the run shows its path', async () => {
    const { run, status, reason } = await besideAnHonestOne(`[ $1 = apply ] && { ${state(300)}; exit 0; }`);
    expect([status, reason]).toEqual(['errored', expect.stringContaining('larger than 268435456 bytes')]);
    expect(reason).toContain(shared.keptState(run));
  });

  test('as a plan of 120 MB without relevant content is skipped', async () => {
    expect(await besideAnHonestOne(plan('"resource_changes":[],"x":', 120, ''))).toMatchObject({ status: 'applied' });
  });

  test('as a plan of 120 MB in one resource fails its own run, with a reason', async () => {
    const { status, reason } = await besideAnHonestOne(plan('"resource_changes":[', 120, ']'));
    expect([status, reason]).toEqual([
      'errored',
      'Error: The agent ran out of memory for this run (512 MiB) after "providers", whose output it reads',
    ]);
  });

  test('as a state left over from a killed agent is kept unread, and the next agent works at once', async () => {
    const run = await shared.queue(`[ $1 = apply ] && { ${state(240)}; echo written; sleep 600 & wait; }`);
    await shared.installation.untilLogged(run, 'apply', 'written');
    await shared.restart();
    await shared.saysSoon(`a state that was not uploaded is kept in ${shared.folder}/kept/${run}.tfstate`);
    expect(shared.keptState(run)).not.toBe(null);
    expect(await shared.outcomeOf(await shared.queue())).toMatchObject({ status: 'applied' });
    expect(shared.peakMemory).toBeLessThan(MOST_MEMORY);
    expect(await shared.outcomeOf(run)).toMatchObject({ status: 'errored' });
  });
});

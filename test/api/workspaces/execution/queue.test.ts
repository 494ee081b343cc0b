import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../support/agent-pool.ts';
import { byAgents, type TestAgent } from '../support/agents.ts';
import { newOrganization } from '../support/organization.ts';
import { plannedRun } from '../support/planned-runs.ts';

const MINUTE = 60_000;

describe.each(databaseKinds)('the queue of an organization on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  withAgentPool(kind, (made) => {
    ({ api, acme, runs, agents, pool } = made);
  });

  const workspace = (name: string) => runs.workspace(name, byAgents(pool));
  const planOnly = (id: string) => runs.run(id, { 'plan-only': true });
  /** The run whose plan or apply it is given. */
  const claimed = async (agent: TestAgent) => (await agent.claim()).body?.data.attributes['run-id'];
  const queue = async (): Promise<[string, number][]> =>
    (await acme.owner.call('GET', `/organizations/${acme.name}/runs/queue?page[size]=100`)).body.data.map(
      ({ id, attributes }: { id: string; attributes: Record<string, number> }) => [id, attributes['position-in-queue']],
    );
  const capacity = async () =>
    (await acme.owner.call('GET', `/organizations/${acme.name}/capacity`)).body.data.attributes;
  /** Returns the runs that agents get, one after the other. */
  async function given(count: number): Promise<string[]> {
    const taken: string[] = [];
    for (let index = 0; index < count; index++) taken.push(await claimed(await agents.agent(pool)));
    return taken;
  }

  test('applies come before plans, plans before speculative plans, and the list, the positions and the claims agree', async () => {
    const [one, two, three] = [await workspace('one'), await workspace('two'), await workspace('three')];
    const running = await runs.run(one);
    const job = await (await agents.agent(pool)).take();
    await job.start();
    const applied = await plannedRun(runs, await agents.agent(pool), three);
    const waiting = await runs.run(one);
    const alone = await planOnly(one);
    const plan = await runs.run(two);
    const saved = await runs.run(one, { 'save-plan': true });
    await runs.act(applied, 'apply');
    expect(await runs.statusOf(applied)).toBe('apply_queued');

    const order = [running, applied, plan, saved, alone, waiting];
    expect(await queue()).toEqual(order.map((id, index) => [id, index + 1]));
    expect((await runs.show(alone)).attributes['position-in-queue']).toBe(5);
    expect(await capacity()).toEqual({ pending: 5, running: 1 });
    expect(await given(4)).toEqual([applied, plan, saved, alone]);
    expect((await (await agents.agent(pool)).claim()).status).toBe(204);
    expect(await queue()).toEqual(order.map((id, index) => [id, index + 1]));
    await runs.act(running, 'cancel');
    await job.finish('failed');
    expect(await queue()).toEqual([applied, plan, saved, waiting, alone].map((id, index) => [id, index + 1]));
    expect(await given(1)).toEqual([waiting]);
  });

  test('waiting runs of a pool are listed in the order of their claims, without claimed ones and those of other pools', async () => {
    const waiting = async (id = pool, as = acme.owner) => {
      const { status, body } = await as.call('GET', `/agent-pools/${id}/runs?include=workspace`);
      return status === 200 ? body.data.map((run: { id: string }) => run.id) : status;
    };
    const other = await agents.pool('other');
    const [one, two] = [await workspace('one'), await workspace('two')];
    const elsewhere = await runs.run(await runs.workspace('elsewhere', byAgents(other)));
    const alone = await planOnly(one);
    const behind = await planOnly(one);
    const plan = await runs.run(two);
    expect(await waiting()).toEqual([plan, alone, behind]);
    expect(await waiting(other)).toEqual([elsewhere]);
    const agent = await agents.agent(pool);
    expect(await claimed(agent)).toBe(plan);
    expect(await waiting()).toEqual([alone, behind]);
    // The agent that took the run is lost, so another agent gets it.
    api.advance(10 * MINUTE);
    expect(await waiting()).toEqual([plan, alone, behind]);
    const stranger = await newOrganization(api);
    expect(await waiting(pool, stranger.owner)).toBe(404);
  });

  test('a workspace with many plans does not block another, and is overtaken only for a while', async () => {
    const [busy, quiet] = [await workspace('busy'), await workspace('quiet')];
    const many: string[] = [];
    for (let index = 0; index < 4; index++) many.push(await planOnly(busy));
    const first = await planOnly(quiet);
    const [a, b, c, d] = many;
    expect((await queue()).map(([id]) => id)).toEqual([a, first, b, c, d]);
    api.advance(2 * MINUTE);
    const second = await planOnly(quiet);
    expect(await given(6)).toEqual([a, first, b, c, second, d]);
  });

  test('a run that an agent gives back keeps its place', async () => {
    const [one, two] = [await workspace('one'), await workspace('two')];
    const [first, second] = [await runs.run(one), await runs.run(two)];
    const agent = await agents.agent(pool);
    expect(await claimed(agent)).toBe(first);
    await agent.say('exited');
    expect(await given(2)).toEqual([first, second]);
  });

  test('each of many runs goes to one of many agents, in queue order for a single agent', async () => {
    const places = await Promise.all(Array.from({ length: 12 }, (_, index) => workspace(`w-${index}`)));
    const queued: string[] = [];
    for (const place of places) queued.push(await runs.run(place));
    const crew = await Promise.all(Array.from({ length: 12 }, () => agents.agent(pool)));
    const taken = await Promise.all(crew.map(claimed));
    // An agent that collides with others asks again.
    const asked = await Promise.all(crew.map(claimed));
    expect(asked.toSorted()).toEqual(queued.toSorted());
    for (const [index, id] of taken.entries()) if (id !== undefined) expect(asked[index]).toBe(id);
  });
});

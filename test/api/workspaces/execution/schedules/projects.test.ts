import { afterEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents } from '../../support/agents.ts';
import { DAY, HOUR, schedulesOf, type TestSchedules } from '../../support/schedules.ts';

const MANY = 520;
/** Workspaces that one sweep starts, and that one sweep distributes. */
const STARTS = 100;
const DISTRIBUTED = 250;

describe.each(databaseKinds)('a schedule of a project on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let schedules = {} as TestSchedules;
  let project = '';
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs, agents, pool } = made);
    schedules = schedulesOf(api, acme);
    schedules.until('12:00');
    project = await acme.project('Platform');
  });
  afterEach(() => schedules.clear());

  const inProject = () => ({ project: { data: { type: 'projects', id: project } } });
  const workspacesOf = async (count: number, attributes: object = {}): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await acme.workspace(`ws-${n}`, attributes, inProject()));
    return ids;
  };
  const exclude = (method: 'POST' | 'DELETE', id: string, workspace: string, by = acme.owner) =>
    by.call(method, `/schedules/${id}/relationships/excluded-workspaces`, {
      data: [{ type: 'workspaces', id: workspace }],
    });

  test('acts in each of its workspaces, which show it as inherited', async () => {
    const [one = '', two = ''] = await workspacesOf(2);
    const other = await acme.workspace('other');
    const schedule = await schedules.made(`/projects/${project}`);
    await schedules.made(`/workspaces/${one}`, { name: 'own', cron: '0 5 * * 0' });
    for (const id of [one, two, other]) await runs.uploaded(id);
    await schedules.at('02:00');
    for (const id of [one, two]) expect(await schedules.runsIn(id)).toHaveLength(1);
    expect(await schedules.runsIn(other)).toEqual([]);

    const [own, inherited] = await schedules.listed(`/workspaces/${one}`);
    expect(own.attributes).toMatchObject({ name: 'own', inherited: false, 'last-outcome': null });
    expect(inherited).toMatchObject({
      id: schedule,
      attributes: { name: 'nightly', inherited: true, excluded: false, 'last-outcome': { status: 'started' } },
      relationships: { workspace: { data: null }, project: { data: { id: project } } },
    });
    const [shown, ...others] = await schedules.listed(`/projects/${project}`);
    expect(others).toEqual([]);
    expect(shown.attributes).toMatchObject({ inherited: false, 'last-outcome': null, 'waiting-count': 0 });
    expect(await schedules.outcomes(schedule)).toHaveLength(2);
    expect(await schedules.outcomes(schedule, `&filter[workspace][id]=${two}`)).toMatchObject([
      { 'workspace-name': 'ws-1', status: 'started' },
    ]);
    expect(await schedules.listed(`/workspaces/${other}`)).toEqual([]);
  });

  test('shows the delay in each workspace, and none for all together', async () => {
    const [one = '', two = ''] = await workspacesOf(2);
    const schedule = await schedules.made(`/projects/${project}`, { jitter: 3600 });
    const [, ofTwo] = [await exclude('POST', schedule, one), (await schedules.listed(`/workspaces/${two}`))[0]];
    const { delay, 'next-times': times } = ofTwo.attributes;
    const shown = (await schedules.listed(`/projects/${project}`))[0].attributes;
    expect(shown.delay).toBeNull();
    expect(shown['next-times'].map(Date.parse)).toEqual(times.map((time: string) => Date.parse(time) - delay * 1000));
    expect((await schedules.listed(`/workspaces/${one}`))[0].attributes['next-times']).toEqual([]);
  });

  test('leaves out workspaces that are excluded, moved or deleted', async () => {
    const [one = '', two = '', three = '', four = ''] = await workspacesOf(4, { 'execution-mode': 'local' });
    const schedule = await schedules.made(`/projects/${project}`, { jitter: HOUR / 1000 });
    expect((await exclude('POST', schedule, one)).status).toBe(204);
    expect((await schedules.listed(`/workspaces/${one}`))[0].attributes.excluded).toBe(true);
    await schedules.at('02:00');
    const elsewhere = { project: { data: { type: 'projects', id: acme.defaultProjectId } } };
    const moved = await acme.owner.call('PATCH', `/workspaces/${two}`, {
      data: { type: 'workspaces', attributes: {}, relationships: elsewhere },
    });
    expect(moved.status).toBe(200);
    await acme.owner.call('DELETE', `/workspaces/${three}`);
    const before = await schedules.outcomes(schedule);
    api.advance(HOUR);
    await schedules.sweep();
    const after = (await schedules.outcomes(schedule)).slice(0, 4 - before.length);
    expect(after.map((outcome) => (outcome as { 'workspace-name'?: string })['workspace-name'])).toContain('ws-3');
    expect((await schedules.outcomes(schedule, `&filter[workspace][id]=${one}`)).length).toBe(0);
    expect((await schedules.show(schedule)).attributes['waiting-count']).toBe(0);

    expect((await exclude('DELETE', schedule, one)).status).toBe(204);
    expect((await schedules.listed(`/workspaces/${one}`))[0].attributes.excluded).toBe(false);
    const foreign = await exclude('POST', schedule, two);
    expect(foreign.body.errors[0].detail).toBe('The workspace ws-1 is not in the project of this schedule');
    expect((await exclude('POST', await schedules.made(`/workspaces/${four}`), four)).status).toBe(422);
  });

  test('spreads its workspaces over the jitter, each with the same delay every day', async () => {
    const ids = await workspacesOf(20, { 'execution-mode': 'local' });
    const schedule = await schedules.made(`/projects/${project}`, { jitter: HOUR / 1000 });
    const days: string[][] = [];
    for (let day = 0; day < 2; day++) {
      const started = new Set<string>();
      const seen: string[] = [];
      schedules.until('02:00');
      for (let minutes = 0; minutes <= 60; minutes += 10) {
        await schedules.sweep();
        for (const outcome of await schedules.outcomes(schedule)) {
          const { 'workspace-name': name, 'created-at': at } = outcome as unknown as Record<string, string>;
          const key = `${name} ${at?.slice(11)}`;
          if (Date.parse(at ?? '') < api.now() || started.has(key)) continue;
          started.add(key);
          seen.push(key);
        }
        api.advance(HOUR / 6);
      }
      days.push(seen.toSorted());
    }
    expect(days[0]).toHaveLength(ids.length);
    expect(days[1]).toEqual(days[0]);
    expect(new Set(days[0]?.map((key) => key.split(' ')[1])).size).toBeGreaterThan(3);
  });

  test('goes through many workspaces in steps, and another node continues after the death of one', async () => {
    await workspacesOf(MANY, { 'execution-mode': 'local' });
    const schedule = await schedules.made(`/projects/${project}`);
    await schedules.until('02:00');
    const waiting = async () => (await schedules.show(schedule)).attributes['waiting-count'];
    const steps: number[] = [];
    // Each step is on another node: what one keeps in memory is lost.
    for (let step = 1; step <= 6; step++) {
      await api.anotherProcess().execution.runReconciler.sweep();
      steps.push(await waiting());
    }
    expect(steps).toEqual([
      ...[DISTRIBUTED - STARTS, 2 * (DISTRIBUTED - STARTS), MANY - 3 * STARTS],
      ...[MANY - 4 * STARTS, MANY - 5 * STARTS, 0],
    ]);
    const pages = [1, 2, 3, 4, 5, 6].map((page) => schedules.outcomes(schedule, `&page[number]=${page}`));
    const names = (await Promise.all(pages))
      .flat()
      .map((outcome) => (outcome as { 'workspace-name'?: string })['workspace-name']);
    expect(names).toHaveLength(MANY);
    expect(new Set(names).size).toBe(MANY);
  }, 120_000);

  test('what is overdue starts oldest first, and a time that comes before the earlier one started is skipped', async () => {
    const ids = await workspacesOf(STARTS + 10, { 'execution-mode': 'local' });
    const late = await schedules.made(`/projects/${project}`, { cron: '0 3 * * *' });
    const early = await schedules.made(`/workspaces/${ids.at(-1)}`, { cron: '0 1 * * *' });
    await schedules.until('08:00');
    await schedules.sweep();
    expect(await schedules.outcomes(early)).toHaveLength(1);
    expect((await schedules.show(late)).attributes['waiting-count']).toBe(11);
    await schedules.until('08:00');
    await schedules.sweep();
    const pages = [await schedules.outcomes(late), await schedules.outcomes(late, '&page[number]=2')];
    const skipped = pages.flat().filter(({ status }) => status === 'skipped');
    expect(skipped).toHaveLength(11);
    expect(skipped[0]?.reason).toContain('has not started in the workspace yet');
  }, 60_000);

  test('does not start more runs than the agents of the organization can wait for', async () => {
    const ids = await workspacesOf(STARTS + 20, byAgents(pool));
    const version = await runs.uploaded(ids[0] ?? '');
    for (const id of ids.slice(1)) await runs.uploaded(id);
    expect(version).toMatch(/^cv-/);
    const schedule = await schedules.made(`/projects/${project}`);
    await schedules.at('02:00');
    await schedules.sweep();
    await schedules.sweep();
    const waiting = async () => (await schedules.show(schedule)).attributes['waiting-count'];
    expect(await waiting()).toBe(20);
    const agent = await agents.agent(pool);
    for (let n = 0; n < 5; n++) {
      const job = await agent.take();
      await job.start();
      await job.finish('finished', { 'has-changes': false });
    }
    await schedules.sweep();
    expect(await waiting()).toBe(15);
    api.advance(DAY);
  }, 120_000);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { autoDestroyOf, DAY, HOUR, MINUTE } from '../../support/auto-destroy.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';

const loseResult = sql<{ id: string; status: string; now: number }>(
  `UPDATE run SET status = :status, finished_at = :now, queued = 0, waits = 0, active = 0
   WHERE id = :id`,
);
const deleteRun = sql<{ id: string }>('DELETE FROM run WHERE id = :id');
const unlock = sql<{ id: string }>(
  'UPDATE workspace SET lock_holder_type = NULL, lock_holder_id = NULL, lock_holder_name = NULL WHERE id = :id',
);

describe.each(databaseKinds)('automatic destroy runs that are not wanted any more on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let at: ReturnType<typeof autoDestroyOf>;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    at = autoDestroyOf(api, acme);
  });

  const due = { 'auto-destroy-at': '2025-01-01T00:00:00Z' };
  const reasons = async (run: string): Promise<string[]> => {
    const { body } = await acme.owner.call('GET', `/runs/${run}/run-events`);
    return body.data.map(({ attributes }: { attributes: { description: string | null } }) => attributes.description);
  };
  /** Plans the run of an agent, and returns the agent. */
  async function planned(attributes: object) {
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('first');
    const agent = await agents.agent(pool);
    const id = await at.workspace({ ...attributes, ...byAgents(pool) });
    const run = await at.begun(id);
    const plan = await agent.take();
    await plan.start();
    return { agent, id, run, finish: () => plan.finish('finished', { 'has-changes': true }) };
  }
  const notAllowed = 'The setting allow-destroy-plan of the workspace is false';

  test('end after the plan if destroy plans were forbidden meanwhile, and start again when they are allowed', async () => {
    const id = await at.workspace(due);
    const run = await at.begun(id);
    await at.runs.through(run, 'planning');
    await at.patch(id, { 'allow-destroy-plan': false });
    await at.runs.through(run, 'planned');
    expect(await at.runs.statusOf(run)).toBe('discarded');
    expect(await reasons(run)).toContainEqual(expect.stringMatching(/allow-destroy-plan .* Nothing was destroyed$/));
    expect(await at.shown(id)).toMatchObject({ status: 'errored', run, next: at.inTime(HOUR) });
    expect((await at.shown(id)).explanation).toContain(`nothing was destroyed. ${notAllowed}`);
    await at.later(HOUR);
    expect(await at.runsIn(id)).toHaveLength(1);
    await at.patch(id, { 'allow-destroy-plan': true });
    await at.sweep();
    expect(await at.runsIn(id)).toHaveLength(2);
    await at.applied((await at.shown(id)).run ?? '');
    expect(await at.shown(id)).toMatchObject({ status: null });
  });

  test('end when an agent claims the apply', async () => {
    const { agent, id, run, finish } = await planned(due);
    await finish();
    expect(await at.runs.statusOf(run)).toBe('apply_queued');
    await at.patch(id, { 'allow-destroy-plan': false });
    await agent.say('idle');
    expect((await agent.claim()).status).toBe(204);
    expect(await at.runs.statusOf(run)).toBe('discarded');
    expect((await at.runs.place(id)).attributes.locked).toBe(false);
  });

  test('end when an agent starts the apply that it has claimed', async () => {
    const { agent, id, run, finish } = await planned(due);
    await finish();
    const apply = await agent.take();
    await at.patch(id, { 'allow-destroy-plan': false });
    const refused = await apply.start();
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].detail).toContain(notAllowed);
    expect(await at.runs.statusOf(run)).toBe('discarded');
    expect((await at.shown(id)).status).toBe('errored');
  });

  test.each([
    ['cleared', null, 'no auto-destroy setting any more'],
    ['made longer', '30d', 'The auto-destroy time of the workspace is 20'],
  ])(
    'end if the period of their project was %s, although its workspaces do not have the new time yet',
    async (_, period, why) => {
      const project = await at.project('2h');
      const id = await at.workspace({}, project.within);
      api.advance(2 * HOUR);
      const run = await at.begun(id);
      await at.runs.through(run, 'planning');
      await project.set(period);
      await at.runs.through(run, 'planned');
      expect(await at.runs.statusOf(run)).toBe('discarded');
      expect(await reasons(run)).toContainEqual(expect.stringContaining(why));
      const expected = period === null ? null : 'scheduled';
      expect(await at.shown(id)).toMatchObject({ status: expected, run: null });
      await at.later(DAY);
      expect(await at.runsIn(id)).toHaveLength(1);
    },
  );

  test('are applied if the period of their project was changed and is over nevertheless', async () => {
    const project = await at.project('2h');
    const id = await at.workspace({}, project.within);
    api.advance(3 * HOUR);
    const run = await at.begun(id);
    await at.runs.through(run, 'planning');
    await project.set('1h');
    await at.runs.through(run, 'planned', 'applying', 'applied');
    expect(await at.shown(id)).toMatchObject({ status: null, run: null });
  });

  test.each([
    ['applied', { status: null, run: null }],
    ['errored', { status: 'running' }],
    ['deleted', { status: 'running' }],
  ])('whose result was lost are handled within an hour: %s', async (status, expected) => {
    const id = await at.workspace(due);
    const run = await at.begun(id);
    const { database } = api.workspaces;
    if (status === 'deleted') await database.run(deleteRun, { id: run });
    else await database.run(loseResult, { id: run, status, now: api.now() });
    await database.run(unlock, { id });
    await at.sweep();
    expect((await at.shown(id)).run).toBe(run);
    await at.later(HOUR);
    await at.later(MINUTE);
    expect(await at.shown(id)).toMatchObject(expected);
    if (status !== 'applied') expect((await at.shown(id)).run).not.toBe(run);
  });
});

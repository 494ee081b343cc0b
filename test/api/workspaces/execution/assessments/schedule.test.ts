import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { byAgents, type TestAgent } from '../../support/agents.ts';
import type { TestApi } from '../../support/api.ts';
import { type Assessing, assessmentsOf, newAssessing } from '../../support/assessments.ts';
import { type Notifying, startNotifying } from '../../support/notifications.ts';
import type { TestOrganization } from '../../support/organization.ts';
import type { TestRuns } from '../../support/runs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe.each(databaseKinds)('health assessments on %s', (kind) => {
  let started: Notifying;
  let at: Assessing;
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let pool: string;
  let agent: TestAgent;
  beforeAll(async () => {
    started = await startNotifying(kind);
  });
  afterAll(async () => {
    await started.receiver.stop();
    await started.api.close();
  });
  beforeEach(async () => {
    at = await newAssessing(started);
    ({ api, acme, runs, pool, agent } = at);
  });
  const { sweep, applied, good, assess, current, finished, nothingToDo, inADay } = assessmentsOf(() => at);
  const wanted = { 'assessments-enabled': true };

  describe('day by day', () => {
    test('start once a day where they are enabled, as a refresh-only plan', async () => {
      const { workspace } = await good(wanted);
      await sweep();
      await nothingToDo();
      const jobs = await inADay();
      expect(jobs).toHaveLength(1);
      expect(jobs[0]?.data.attributes).toMatchObject({
        phase: 'plan',
        log: 'structured',
        'keep-folder': false,
        parameters: { 'refresh-only': true, refresh: true, destroy: false },
      });
      const first = (await current(workspace)).body.data;
      expect(first.attributes).toMatchObject({ drifted: false, succeeded: true, 'created-at': expect.any(String) });
      expect(await inADay()).toHaveLength(1);
      expect((await current(workspace)).body.data.id).not.toBe(first.id);
    });

    test('start in all workspaces of an organization that enforces them, and in no other', async () => {
      await good({}, 'one');
      expect(await inADay()).toEqual([]);
      const changed = await acme.owner.call('PATCH', `/organizations/${acme.name}`, {
        data: { type: 'organizations', attributes: { 'assessments-enforced': true } },
      });
      expect(changed.status, changed.text).toBe(200);
      expect(await inADay()).toHaveLength(1);
    });

    test('do not start after a failed run, before the first run, or in a workspace with local execution', async () => {
      const { workspace } = await good(wanted);
      await runs.run(workspace);
      const broken = await agent.take();
      await broken.start();
      expect((await broken.finish('failed')).status).toBe(204);
      await runs.workspace('two', { ...byAgents(pool), ...wanted });
      const local = await good(wanted, 'three');
      await acme.owner.call('PATCH', `/workspaces/${local.workspace}`, {
        data: { type: 'workspaces', attributes: { 'execution-mode': 'local' } },
      });
      expect(await inADay()).toEqual([]);
      await applied(workspace);
      expect(await inADay()).toHaveLength(1);
    });

    test('wait an hour for a run that is under way', async () => {
      const { workspace } = await good(wanted);
      const run = await runs.run(workspace, { 'plan-only': true });
      for (let hour = 0; hour < 24; hour++) {
        api.advance(HOUR);
        await sweep();
      }
      const job = await agent.take();
      expect(job.runId).toBe(run);
      await finished(job);
      await nothingToDo();
      api.advance(HOUR);
      await sweep();
      expect((await agent.take()).data.attributes.parameters['refresh-only']).toBe(true);
    });

    test('are started by one of several nodes', async () => {
      await good(wanted);
      await nothingToDo();
      api.advance(DAY);
      await Promise.all([1, 2, 3].map(() => api.workspaces.execution.runReconciler.sweep()));
      await agent.say('idle');
      await finished(await agent.take());
      await nothingToDo();
    });

    test('that no agent takes expire after six hours, with a reason', async () => {
      const { workspace } = await good();
      await assess(workspace);
      api.advance(5 * HOUR);
      await sweep();
      expect((await current(workspace)).status).toBe(404);
      api.advance(HOUR);
      await sweep();
      const { attributes } = (await current(workspace)).body.data;
      expect(attributes).toMatchObject({ drifted: false, succeeded: false, 'all-checks-succeeded': false });
      expect(attributes['error-message']).toMatch(/^No agent took the assessment within 6 h/);
      await nothingToDo();
    });
  });

  describe('block nothing', () => {
    test('a new run cancels a waiting one at once, and asks an executing one to stop', async () => {
      const { workspace } = await good();
      await assess(workspace);
      const first = await runs.run(workspace);
      const run = await agent.take();
      expect(run.runId).toBe(first);
      await run.start();
      await run.finish('finished', { 'has-changes': false });
      await nothingToDo();

      await assess(workspace);
      const job = await agent.take();
      await job.start();
      const second = await runs.run(workspace, { 'plan-only': true });
      expect((await job.heartbeat()).body.data.attributes.cancel).toBe('interrupt');
      expect((await job.finish('canceled')).status).toBe(204);
      expect((await agent.take()).runId).toBe(second);
      expect((await current(workspace)).status).toBe(404);
    });

    test('runs of other workspaces take precedence, in any order of creation', async () => {
      const { workspace } = await good();
      const other = await runs.workspace('two', byAgents(pool));
      await assess(workspace);
      const speculative = await runs.run(other, { 'plan-only': true });
      const plan = await runs.run(other);
      const order = [];
      for (let n = 0; n < 3; n++) {
        const job = await agent.take();
        order.push(job.runId);
        await finished(job);
      }
      expect(order.slice(0, 2)).toEqual([plan, speculative]);
    });

    test('they appear in no list or count of runs, and hold no lock', async () => {
      const { workspace, run } = await good();
      await assess(workspace);
      const seen = async () => {
        const at = async (path: string) => (await acme.owner.call('GET', path)).body;
        const { attributes, relationships } = await runs.place(workspace);
        return {
          runs: (await at(`/workspaces/${workspace}/runs`)).data.map(({ id }: { id: string }) => id),
          all: (await at(`/organizations/${acme.name}/runs`)).data.map(({ id }: { id: string }) => id),
          queue: (await at(`/organizations/${acme.name}/runs/queue`)).data,
          capacity: (await at(`/organizations/${acme.name}/capacity`)).data.attributes,
          current: [relationships['current-run'].data.id, relationships['latest-run'].data.id, attributes.locked],
        };
      };
      const nothing = {
        ...{ runs: [run], all: [run], queue: [] },
        capacity: expect.objectContaining({ pending: 0, running: 0 }),
        current: [run, run, false],
      };
      expect(await seen()).toEqual(nothing);
      const job = await agent.take();
      await job.start();
      expect(await seen()).toEqual(nothing);
      const other = await runs.run(await runs.workspace('two', byAgents(pool)));
      expect((await runs.show(other)).attributes['position-in-queue']).toBe(1);
      for (const path of [`/runs/${job.runId}`, `/runs/${job.runId}/run-events`, `/plans/${job.id}`]) {
        expect((await acme.owner.call('GET', path)).status, path).toBe(404);
      }
      expect((await runs.act(job.runId, 'cancel')).status).toBe(404);
      const { data } = (await acme.owner.call('GET', `/agents/${agent.id}`)).body;
      expect([data.attributes.status, data.relationships.run.data]).toEqual(['busy', null]);
      await job.finish('failed', { reason: 'The disk of the agent is full' });
      const { attributes } = await runs.place(workspace);
      expect([attributes['run-failures'], attributes['workspace-kpis-runs-count']]).toEqual([0, 1]);
    });

    test('one that takes too long fails with a reason; the deletion of a workspace deletes its own', async () => {
      const { workspace } = await good();
      await assess(workspace);
      const job = await agent.take();
      await job.start();
      for (let minutes = 0; minutes < 123; minutes++) {
        api.advance(MINUTE);
        await job.heartbeat();
        await agent.say('busy');
        if (minutes > 118) await api.workspaces.execution.runReconciler.sweep();
      }
      const { attributes } = (await current(workspace)).body.data;
      expect(attributes).toMatchObject({ succeeded: false, drifted: false });
      expect(attributes['error-message']).toContain('took longer than the timeout of 2 h');
      expect((await job.heartbeat()).status).toBeLessThan(500);
      await agent.say('idle');

      await assess(workspace);
      const gone = await agent.take();
      await gone.start();
      expect((await acme.owner.call('DELETE', `/workspaces/${workspace}`)).status).toBe(204);
      expect([200, 401, 404]).toContain((await gone.heartbeat()).status);
      await agent.say('idle');
      await nothingToDo();
    });
  });

  describe('started by a user', () => {
    test('start whether they are enabled or not, and one at a time', async () => {
      const { workspace } = await good();
      const [one, two] = await Promise.all([assess(workspace), assess(workspace)]);
      expect([one.status, two.status].toSorted()).toEqual([200, 409]);
      expect(one.status === 200 ? one.body.data.id : two.body.data.id).toBe(workspace);
      await finished(await agent.take());
      await nothingToDo();
    });

    test('give the reason if they cannot start', async () => {
      const why = async (workspace: string) => {
        const answer = await assess(workspace);
        expect(answer.status, answer.text).toBe(409);
        return answer.body.errors[0].detail;
      };
      const fresh = await runs.workspace('two', byAgents(pool));
      expect(await why(fresh)).toContain('has no run yet');
      await runs.run(fresh);
      expect(await why(fresh)).toContain('has a last run that is plan_queued');
      const { workspace } = await good();
      const plan = await runs.run(workspace, { 'plan-only': true });
      expect(await why(workspace)).toContain(`an unfinished run: ${plan}`);
    });
  });
});

import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, type TestAgent, type TestJob } from '../../support/agents.ts';
import type { Caller } from '../../support/api.ts';
import { atAddress, base64, stateText, versionBody } from '../../support/states.ts';
import { requestOf, SURFACE, type Values } from '../../support/surface/index.ts';

const MINUTE = 60_000;
/** Routes that respond to callers without a token, or use a signed URL. */
const OPEN = new Set(
  ['GET /ping', 'GET /openapi.json', 'GET /run-logs/:link', 'PUT /configuration-uploads/:link'].concat(
    ['json-upload', 'upload'].map((link) => `PUT /state-versions/:state_version_id/${link}`),
    'PATCH /task-results/:task_result_id/callback',
  ),
);
const DOCUMENTED = ['GET /jobs/:job_id', 'POST /jobs/:job_id/actions/start'];
const ENDING = 'POST /jobs/:job_id/actions/finish';
const PULSE = 'POST /jobs/:job_id/actions/heartbeat';
const LOG = 'PATCH /jobs/:job_id/log';
const STATE = 'GET /state-versions/:state_version_id/download';
/** Requests that the token of a started job may make, by kind of job, as documented in docs/guides/agents.md. */
const STARTED = {
  plan: [
    ...[...DOCUMENTED, ENDING, PULSE, LOG, STATE, 'GET /configuration-versions/:id/download'],
    ...['folder', 'json-output', 'json-output-redacted', 'provider-schemas'].map(
      (output) => `PUT /plans/:id/${output}`,
    ),
  ],
  apply: [
    ...[...DOCUMENTED, ENDING, PULSE, LOG, STATE, 'GET /plans/:id/folder', 'PUT /applies/:id/errored-state'],
    'POST /workspaces/:workspace_id/state-versions',
  ],
};
type Kind = keyof typeof STARTED;

describe.each(databaseKinds)("the permissions of a job's token on %s", (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let agent: TestAgent;
  let workspace: string;
  let run: string;
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs, agents, pool } = made);
    agent = await agents.agent(pool);
    workspace = await runs.workspace('one', byAgents(pool));
    await acme.owner.call('POST', `/workspaces/${workspace}/actions/lock`);
    const [body, more] = [stateText(1), { serial: 1, state: base64(stateText(1)) }];
    await acme.owner.call('POST', `/workspaces/${workspace}/state-versions`, versionBody(body, more));
    await acme.owner.call('POST', `/workspaces/${workspace}/actions/unlock`);
    run = await runs.run(workspace);
  });

  /** Returns a job of that kind, as the server hands it out. */
  async function taken(phase: Kind): Promise<TestJob> {
    const plan = await agent.take();
    if (phase === 'plan') return plan;
    await plan.start();
    await plan.call('PUT', `/plans/${plan.id}/folder`, { archive: true });
    await plan.finish('finished', { 'has-changes': true });
    await runs.act(run, 'apply');
    return agent.take();
  }

  /** Returns the IDs of its own run and workspace. The token has no access to those of others anyway. */
  async function values(): Promise<Values> {
    const { relationships } = await runs.show(run);
    const version = (await acme.owner.call('GET', `/workspaces/${workspace}/current-state-version`)).body.data;
    const apply = relationships.apply.data.id;
    return {
      ...{
        organization_name: acme.name,
        workspace_name: 'one',
        workspace_id: workspace,
        other_workspace_id: workspace,
      },
      ...{ project_id: acme.defaultProjectId, run_id: run, agent_id: agent.id, agent_pool_id: agent.poolId },
      ...{ plan_id: relationships.plan.data.id, apply_id: apply, state_version_id: version.id },
      configuration_version_id: relationships['configuration-version'].data.id,
      run_event_id: relationships['run-events'].data[0].id,
      ...{ user_id: acme.owner.id, username: acme.owner.username },
    };
  }

  /** Returns the status of each route of the API for that token. `finish` comes last, because it changes the job. */
  async function walk(caller: Pick<Caller, 'call'>, jobId: string): Promise<Map<string, number>> {
    const known = { ...(await values()), job_id: jobId };
    const routes = Object.keys(SURFACE).filter((route) => !OPEN.has(route) && route !== ENDING);
    const statuses = new Map<string, number>();
    for (const route of [...routes, ENDING]) {
      const { method, path, body } = requestOf(route, known);
      const state = versionBody(stateText(2), { serial: 2 }, { run: { data: { type: 'runs', id: run } } });
      const isState = route === 'POST /workspaces/:workspace_id/state-versions';
      const headers = route === LOG ? { 'content-type': 'application/octet-stream' } : {};
      const sent = isState ? state : route === LOG ? 'x' : body;
      statuses.set(route, (await caller.call(method, path, sent, headers)).status);
    }
    return statuses;
  }

  const opened = (statuses: ReadonlyMap<string, number>) =>
    [...statuses].flatMap(([route, status]) => (status < 300 ? [route] : [])).toSorted();
  const others = (statuses: ReadonlyMap<string, number>, needed: readonly string[]) =>
    new Set([...statuses].flatMap(([route, status]) => (needed.includes(route) ? [] : [status])));

  test.each(['plan', 'apply'] as const)('of a %s is what it needs, once it is started', async (phase) => {
    const job = await taken(phase);
    await job.start();
    const statuses = await walk(job, job.id);
    expect(opened(statuses)).toEqual(STARTED[phase].toSorted());
    expect(others(statuses, STARTED[phase])).toEqual(new Set([404]));
  });

  test.each(['plan', 'apply'] as const)('of a %s is itself, its start and its end before that', async (phase) => {
    const job = await taken(phase);
    const begun = 'POST /jobs/:job_id/actions/start';
    const statuses = await walk({ call: (...asked) => unstarted(job, asked) }, job.id);
    expect(opened(statuses)).toEqual(['GET /jobs/:job_id', ENDING, PULSE, begun].toSorted());
    for (const route of STARTED[phase]) {
      if (![...DOCUMENTED, PULSE, ENDING].includes(route)) expect([route, statuses.get(route)]).toEqual([route, 409]);
    }
  });

  /** Sends every request except the start, which would change the results of the others. */
  async function unstarted(job: TestJob, asked: Parameters<Caller['call']>) {
    return asked[1].endsWith(`/jobs/${job.id}/actions/start`) ? job.call('GET', `/jobs/${job.id}`) : job.call(...asked);
  }

  test.each(['plan', 'apply'] as const)('of a %s is nothing once it is finished', async (phase) => {
    const job = await taken(phase);
    await job.start();
    await job.finish('finished', { 'has-changes': true });
    expect(others(await walk(job, job.id), [])).toEqual(new Set([401]));
  });

  test.each([
    ['plan', []],
    ['apply', ['PUT /applies/:id/errored-state']],
  ] as const)('of a %s that the server ended is notified, and sends its remaining results', async (phase, left) => {
    const job = await taken(phase);
    await job.start();
    await runs.act(run, 'cancel');
    api.advance(MINUTE);
    expect((await runs.act(run, 'force-cancel')).status).toBe(202);
    const statuses = await walk(job, job.id);
    expect(opened(statuses)).toEqual([LOG, PULSE, ...left].toSorted());
    expect(others(statuses, STARTED[phase])).toEqual(new Set([404]));
    for (const route of STARTED[phase].filter((route) => ![LOG, PULSE, ...left].includes(route))) {
      expect([route, statuses.get(route)]).toEqual([route, 409]);
    }
  });

  test.each(['plan', 'apply'] as const)('of a %s, given to its engine, writes nothing anywhere', async (phase) => {
    const job = await taken(phase);
    await job.start();
    const statuses = await walk(api.holder(job.data.attributes['run-token']), job.id);
    expect(opened(statuses).filter((route) => !route.startsWith('GET '))).toEqual([]);
  });

  test('of a plan forges no state, and an address signed for it neither', async () => {
    const before = (await acme.owner.call('GET', `/workspaces/${workspace}/current-state-version`)).body.data.id;
    const forged = stateText(9, { outputs: { admin: { value: 'mallory', type: 'string' } } });
    const body = { serial: 9, state: base64(forged) };
    const ofRun = { run: { data: { type: 'runs', id: run } } };
    const plan = await agent.take();
    await plan.start();
    const states = `/workspaces/${workspace}/state-versions`;
    for (const one of [
      versionBody(forged, body, ofRun),
      versionBody(forged, body),
      versionBody(forged, { serial: 9 }),
    ]) {
      expect((await plan.call('POST', states, one)).status).toBe(404);
    }
    // A user with permission to write states cannot write one for a run that is not being applied either.
    const byOwner = await acme.owner.call('POST', states, versionBody(forged, body, ofRun));
    expect([byOwner.status, byOwner.body.errors[0].detail]).toEqual([409, expect.stringContaining('started apply')]);
    await plan.finish('finished', { 'has-changes': true });
    await runs.act(run, 'apply');
    const apply = await agent.take();
    const announce = () => apply.call('POST', states, versionBody(stateText(2), { serial: 2 }, ofRun));
    expect((await announce()).status).toBe(409);
    await apply.start();
    const announced = await announce();
    expect(announced.status, announced.text).toBe(201);
    await apply.finish('failed', { reason: 'no' });
    const late = await atAddress(api, 'PUT', announced.body.data.attributes['hosted-state-upload-url'], stateText(2));
    expect(late.status).toBe(409);
    const after = (await acme.owner.call('GET', `/workspaces/${workspace}/current-state-version`)).body.data.id;
    expect(after).toBe(before);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOKEN_ROUTES } from '../../../../src/workspaces/execution/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents } from '../support/agents.ts';
import { type Notifying, startNotifying } from '../support/notifications.ts';
import { runTasksOf } from '../support/run-tasks.ts';
import { base64, stateText, versionBody } from '../support/states.ts';
import { oneOfEverything, requestOf } from '../support/surface/index.ts';

type Purpose = keyof typeof TOKEN_ROUTES;
type World = Awaited<ReturnType<typeof newWorld>>;

/** Routes that need no token, or another one. The tests of the API surface and of run tasks cover them. */
const OPEN = new Set(['GET /ping', 'GET /openapi.json', 'PATCH /task-results/:task_result_id/callback']);

const STATE = stateText(1, { outputs: { endpoint: { value: 'https://x', type: 'string' } } });

/** An organization with one of everything, and a run whose plan waits for a run task. */
async function newWorld(server: Notifying) {
  const { api, acme, runs } = server;
  const { owner } = acme;
  const values = await oneOfEverything(acme);
  const agents = agentsOf(api, acme);
  const pool = await agents.pool('own');
  const workspace = await runs.workspace('mine', byAgents(pool));
  const tags = { data: [{ type: 'tags', attributes: { name: 'told-to-nobody' } }] };
  await owner.call('POST', `/workspaces/${workspace}/relationships/tags`, tags);
  await owner.call('POST', `/workspaces/${workspace}/actions/lock`, { reason: 'told to nobody' });
  const states = { serial: 1, state: base64(STATE), 'json-state': base64('{"format_version":"1.0"}') };
  const state = await owner.call('POST', `/workspaces/${workspace}/state-versions`, versionBody(STATE, states));
  expect(state.status, state.text).toBe(201);
  await owner.call('POST', `/workspaces/${workspace}/actions/unlock`);
  const [output] = (await owner.call('GET', `/state-versions/${state.body.data.id}/outputs`)).body.data;
  const tasks = runTasksOf(() => server);
  const { path } = await tasks.judge(workspace, ['pre_plan']);
  const run = await runs.run(workspace);
  await tasks.ask();
  const asked = tasks.lastAt(path);
  const { relationships } = await runs.show(run);
  const [stage] = await tasks.stagesOf(run);
  return {
    workspace,
    run,
    asked,
    /** Passes the run task, and starts the plan on an agent. Returns the token of its engine. */
    async engine(): Promise<string> {
      await tasks.say(asked, { status: 'passed' });
      const job = await (await agents.agent(pool)).take();
      await job.start();
      return job.data.attributes['run-token'];
    },
    values: {
      ...values,
      ...{ workspace_id: workspace, workspace_name: 'mine', run_id: run },
      ...{ plan_id: relationships.plan.data.id, apply_id: relationships.apply.data.id },
      job_id: relationships.plan.data.id,
      run_event_id: relationships['run-events'].data[0].id,
      configuration_version_id: relationships['configuration-version'].data.id,
      ...{ state_version_id: state.body.data.id, output_id: output.id },
      ...{ task_stage_id: stage.id, task_result_id: asked.task_result_id },
    },
  };
}

describe.each(databaseKinds)('tokens for one purpose, on %s', (kind) => {
  let server: Notifying;
  let world: World;
  let tokens: Record<Purpose, string>;
  beforeAll(async () => {
    server = await startNotifying(kind);
    world = await newWorld(server);
  });
  afterAll(async () => {
    await server.api.close();
    await server.receiver.stop();
  });

  /** Routes that respond to a token with another status than 404. */
  async function openedBy(token: string): Promise<string[]> {
    const holder = server.api.holder(token);
    const opened: string[] = [];
    for (const route of server.api.routes.filter((name) => !OPEN.has(name))) {
      const { method, path, body } = requestOf(route, world.values);
      const { status, text } = await holder.call(method, path, body);
      if (status !== 404) opened.push(route);
      // These routes need a signed URL instead.
      if (status === 401) expect(text, route).toContain('unauthorized');
    }
    return opened;
  }

  /** Uploads and downloads with signed URLs; these paths are not signed. */
  const signed = (route: string) => /^PUT .*\/(?:json-)?upload$/.test(route);
  const declared = (purpose: Purpose) => Object.keys(TOKEN_ROUTES[purpose]).filter((route) => !OPEN.has(route));

  test('open the routes in their table, and no other', { timeout: 120_000 }, async () => {
    const opened = await openedBy(world.asked.access_token);
    expect(opened.filter((route) => !signed(route)).toSorted()).toEqual(declared('run-task').toSorted());
    const service = server.api.holder(world.asked.access_token);
    expect((await service.call('GET', `/runs/${world.run}?include=plan`)).status).toBe(200);
    expect((await service.call('GET', `/runs/${world.run}?include=plan,comments`)).status).toBe(404);
    tokens = { 'run-task': world.asked.access_token, engine: await world.engine() };
    const read = await openedBy(tokens.engine);
    expect(read.filter((route) => !signed(route)).toSorted()).toEqual(declared('engine').toSorted());
  });

  test('an engine sees only the states of a workspace, and their URLs', async () => {
    const engine = server.api.holder(tokens.engine);
    const path = `/workspaces/${world.workspace}`;
    const { data, included } = (await engine.call('GET', `${path}?include=outputs`)).body;
    const whole = (await server.acme.owner.call('GET', path)).body.data;
    expect(Object.keys(data.attributes).toSorted()).toEqual(Object.keys(whole.attributes).toSorted());
    expect([whole.attributes['tag-names'], whole.relationships['current-run'].data.id]).toEqual([
      ['told-to-nobody'],
      world.run,
    ]);
    expect(data.attributes).toMatchObject({ name: 'mine', 'locked-reason': null, 'tag-names': [], 'vcs-repo': null });
    expect(data.relationships).toMatchObject({
      'current-run': { data: null },
      'latest-run': { data: null },
      'locked-by': { data: null },
      'agent-pool': { data: null },
      'current-configuration-version': { data: null },
      'current-state-version': { data: { id: world.values.state_version_id } },
    });
    expect(included.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual(['endpoint']);
    const byName = await engine.call('GET', `/organizations/${server.acme.name}/workspaces/mine`);
    expect(byName.body.data).toEqual((await engine.call('GET', path)).body.data);
  });

  test.each([
    ['engine', ({ workspace }: World) => `/workspaces/${workspace}?include=vars`],
    ['engine', ({ workspace }: World) => `/workspaces/${workspace}?include=outputs,locked_by`],
    ['engine', ({ workspace }: World) => `/workspaces/${workspace}/current-state-version?include=created-by`],
  ] as const)('resources of others are included in no response: %s %s', async (purpose, path) => {
    expect((await server.api.holder(tokens[purpose]).call('GET', path(world))).status).toBe(404);
  });
});

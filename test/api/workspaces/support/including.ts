import { expect } from 'vitest';
import { agentsOf, byAgents } from './agents.ts';
import { assessmentsOf } from './assessments.ts';
import { commitsOf } from './commits.ts';
import type { Notifying } from './notifications.ts';
import { joinOrganization } from './organization.ts';
import { plannedRun } from './planned-runs.ts';
import { runTasksOf } from './run-tasks.ts';
import { base64, stateText, versionBody } from './states.ts';
import { OAUTH_CLIENT, resource } from './surface/bodies.ts';
import { oneOfEverything, type Values } from './surface/index.ts';

/** Resources that the paths of routes name. */
export interface Included {
  valuesFor(route: string): Values;
}

const identifier = (type: string, id: string | undefined) => ({ data: { type, id } });

/** An organization in which every relationship that can be included points at something. */
export async function includingWorld(server: Notifying): Promise<Included> {
  const { api, acme, runs } = server;
  const { owner, name } = acme;
  const values = await oneOfEverything(acme);
  const agents = agentsOf(api, acme);
  const pool = await agents.pool('of runs');
  const assessing = { ...server, pool, agent: await agents.agent(pool) };
  const tasks = runTasksOf(() => assessing);
  const sent = async (method: string, path: string, body?: object) => {
    const answer = await owner.call(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body?.data;
  };

  const membership = await joinOrganization(acme, await api.user(`member-of-${name}`), [values.team_id ?? '']);
  const bindings = { data: [{ type: 'tag-bindings', attributes: { key: 'team', value: 'core' } }] };
  await sent('PATCH', `/projects/${values.project_id}/tag-bindings`, bindings);
  const client = await sent('POST', `/organizations/${name}/oauth-clients`, {
    data: {
      ...OAUTH_CLIENT.data,
      relationships: { projects: { data: [{ type: 'projects', id: values.project_id }] } },
    },
  });

  const commits = commitsOf(api, acme);
  await commits.event(client.relationships['oauth-tokens'].data[0].id);
  const archiveId = await commits.stored({ 'README.md': '# Network', 'main.tf': '' });

  /** Creates a run of a user that a run task has evaluated, of the configuration of a commit, and confirms it. */
  async function confirmed(workspace: string, plan: (workspace: string) => Promise<string>): Promise<string> {
    const pushed = await commits.run(workspace, { archiveId });
    expect((await runs.act(pushed.runId, 'cancel')).status).toBe(202);
    const { path } = await tasks.judge(workspace, ['post_plan']);
    const run = await plan(workspace);
    await tasks.judged(path, 'passed');
    expect((await runs.act(run, 'apply')).status).toBe(202);
    return run;
  }
  const full = await runs.workspace('full', { 'queue-all-runs': false });
  await sent('PATCH', `/workspaces/${full}/relationships/ssh-key`, resource('workspaces', { id: values.ssh_key_id }));
  await sent('POST', `/workspaces/${full}/vars`, resource('vars', { key: 'a', category: 'env' }));
  const run = await confirmed(full, async (workspace) => {
    const id = await runs.run(workspace);
    await runs.through(id, 'planning', 'planned');
    return id;
  });
  await sent('POST', `/runs/${run}/comments`, resource('comments', { body: 'Looks good' }));
  await runs.through(run, 'applying');
  const state = stateText(1, { outputs: { address: { value: 'a', type: 'string' } } });
  const body = versionBody(state, { serial: 1, state: base64(state) }, { run: identifier('runs', run) });
  const version = await sent('POST', `/workspaces/${full}/state-versions`, body);
  await runs.through(run, 'applied');
  await sent('PATCH', `/workspaces/${full}`, resource('workspaces', byAgents(pool)));
  await assessmentsOf(() => assessing).assessed(full);
  await sent('POST', `/workspaces/${full}/actions/lock`, { reason: 'at work' });
  const waiting = await runs.workspace('waiting', byAgents(pool));
  await confirmed(waiting, (workspace) => plannedRun(runs, assessing.agent, workspace));

  await sent('POST', `/varsets/${values.varset_id}/relationships/workspaces`, {
    data: [{ type: 'workspaces', id: full }],
  });
  const ofProject = { data: [{ type: 'projects', id: values.project_id }] };
  await sent('POST', `/varsets/${values.varset_id}/relationships/projects`, ofProject);
  const [stage] = await tasks.stagesOf(run);
  const events = await sent('GET', `/runs/${run}/run-events`);
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  const commented = events.find(({ relationships }: any) => relationships.comment.data !== null);
  const { relationships } = await sent('GET', `/workspaces/${full}?include=current_configuration_version`);
  const configuration = relationships['current-configuration-version'].data.id;
  const shown: Values = {
    ...values,
    ...{ agent_pool_id: pool, workspace_id: full, workspace_name: 'full', run_id: run },
    ...{ run_event_id: commented.id, task_stage_id: stage.id, state_version_id: version.id },
    ...{ configuration_version_id: configuration, oauth_client_id: client.id, membership_id: membership },
  };
  return {
    valuesFor(route) {
      // Lists of runs that wait for a lock, and of triggers, belong to other tests.
      if (route.includes('run-triggers')) return { ...shown, workspace_id: values.other_workspace_id ?? '' };
      return shown;
    },
  };
}

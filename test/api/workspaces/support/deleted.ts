import { expect } from 'vitest';
import type { Answer, Caller, TestApi, UserCaller } from './api.ts';
import { joinOrganization, type TestOrganization, workspaceBody } from './organization.ts';
import { runsOf } from './runs.ts';
import { atAddress, stateText, worker } from './states.ts';
import { privateKey, type Values } from './surface/index.ts';

/** An organization with one of everything; what is to be deleted can be exchanged before. */
export interface World {
  readonly api: TestApi;
  readonly acme: TestOrganization;
  readonly values: Values;
  /** From now on a parameter of the path, or of the body, stands for this. */
  use(values: Values): void;
}

/** Whether something lives, by name. All of it does before the deletion, and nothing of it afterwards. */
export type Life = Readonly<Record<string, () => Promise<boolean>>>;

const opens = (caller: Caller, path: string) => async () => (await caller.call('GET', path)).status === 200;
const lists = (caller: Caller, path: string, id: string) => async () =>
  ((await caller.call('GET', path)).body?.data ?? []).some((one: { id: string }) => one.id === id);
const resource = (type: string, attributes: object = {}, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

async function made({ acme }: World, path: string, body: object): Promise<Answer['body']['data']> {
  const answer = await acme.owner.call('POST', path, body);
  expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
  return answer.body?.data;
}

async function succeeds(by: Caller, method: string, path: string, body?: object): Promise<void> {
  const answer = await by.call(method, path, body);
  expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300);
}

/** A token that was just made, at a path. */
const tokenAt = async (world: World, path: string) => {
  const { id, attributes } = await made(world, path, resource('authentication-tokens', { description: 'new' }));
  return { id, holder: world.api.holder(attributes.token) };
};

/** An address of a state that needs no token, made for a caller. */
async function stateLink({ api, values }: World, caller: Caller): Promise<() => Promise<boolean>> {
  const { body } = await caller.call('GET', `/state-versions/${values.state_version_id}`);
  const address: string = body.data.attributes['hosted-state-download-url'];
  return async () => (await atAddress(api, 'GET', address)).status === 200;
}

let people = 0;
/** Somebody in the organization, and in the team that has access to the workspace. */
async function member(world: World): Promise<{ user: UserCaller; membership: string }> {
  const user = await world.api.user(`member-${world.acme.name}-${++people}`);
  return { user, membership: await joinOrganization(world.acme, user, [world.values.team_id ?? '']) };
}

const workspacePath = ({ values }: World) => `/workspaces/${values.workspace_id}`;
const organizationPath = ({ acme }: World) => `/organizations/${acme.name}`;

/** A workspace with a run, a state, and signed addresses of both. */
async function fullWorkspace(world: World): Promise<Life> {
  const { api, acme, values } = world;
  const { other_workspace_id: id = '', run_id: run, plan_id: plan, run_trigger_id: trigger } = values;
  world.use({ workspace_id: id, workspace_name: 'other' });
  const path = `/workspaces/${id}`;
  const at = worker(api, acme.owner, id);
  await at.lock();
  const state = await at.write(stateText(1), { serial: 1 });
  await at.unlock();
  const { id: variable } = await made(world, `${path}/vars`, resource('vars', { key: 'a', category: 'env' }));
  const told = { name: 'a', 'destination-type': 'generic', url: 'https://receiver.example.com', enabled: false };
  const configuration = resource('notification-configurations', told);
  const { id: notification } = await made(world, `${path}/notification-configurations`, configuration);
  const log = (await acme.owner.call('GET', `/plans/${plan}`)).body.data.attributes['log-read-url'];
  const runs = runsOf(api, acme);
  // Each takes one archive.
  const uploads = [await runs.configuration(id), await runs.configuration(id)];
  return {
    workspace: opens(acme.owner, path),
    'its name': opens(acme.owner, `${organizationPath(world)}/workspaces/other`),
    run: opens(acme.owner, `/runs/${run}`),
    plan: opens(acme.owner, `/plans/${plan}`),
    'log at its address': async () => (await atAddress(api, 'GET', log)).status === 200,
    state: opens(acme.owner, `/state-versions/${state.id}`),
    'state with a token': opens(acme.owner, `/state-versions/${state.id}/download`),
    'state at its address': async () =>
      (await atAddress(api, 'GET', state.attributes['hosted-state-download-url'])).status === 200,
    'archive at its address': async () => (await runs.put(uploads.shift()?.url ?? '', 'archive')).statusCode === 200,
    configuration: opens(acme.owner, `/configuration-versions/${uploads[0]?.id}`),
    variable: opens(acme.owner, `${path}/vars/${variable}`),
    notification: opens(acme.owner, `/notification-configurations/${notification}`),
    trigger: opens(acme.owner, `/run-triggers/${trigger}`),
    'run of the organization': lists(acme.owner, `${organizationPath(world)}/runs`, run ?? ''),
  };
}

/** What somebody reaches by a team that has access to the workspace by one grant alone. */
async function byTeamAlone(world: World, other: string): Promise<Life> {
  await succeeds(world.acme.owner, 'DELETE', other);
  const { user } = await member(world);
  return {
    'access of a member': opens(user, workspacePath(world)),
    'address of a member': await stateLink(world, user),
  };
}

async function membership(world: World): Promise<Life> {
  const { user, membership: id } = await member(world);
  world.use({ username: user.username, membership_id: id });
  const team = `/teams/${world.values.team_id}?include=users`;
  return {
    'access to the workspace': opens(user, workspacePath(world)),
    'address that the member has': await stateLink(world, user),
    'place in the team': async () => {
      const { included = [] } = (await world.acme.owner.call('GET', team)).body;
      return included.some((one: { id: string }) => one.id === user.id);
    },
  };
}

/** A repository by the connection: that it has one, and that new ones can have it. */
async function connected(world: World): Promise<Life> {
  const { acme, values } = world;
  const repo = { identifier: 'acme/infra', 'oauth-token-id': values.oauth_token_id };
  const id = await acme.workspace('connected', { 'vcs-repo': repo });
  let names = 0;
  return {
    token: opens(acme.owner, `/oauth-tokens/${values.oauth_token_id}`),
    'connection of a workspace': async () => {
      const { attributes } = (await acme.owner.call('GET', `/workspaces/${id}`)).body.data;
      return attributes['vcs-repo']['oauth-token-id'] !== null;
    },
    'connection of a new workspace': async () => {
      const body = workspaceBody({ name: `new-${++names}`, 'vcs-repo': repo });
      return (await acme.owner.call('POST', `${organizationPath(world)}/workspaces`, body)).status === 201;
    },
  };
}

/** A key that bindings of workspaces may not have. */
async function reservedKey(world: World): Promise<Life> {
  const { acme, values } = world;
  const attributes = { key: 'env', 'disable-overrides': true };
  const { id } = await made(
    world,
    `${organizationPath(world)}/reserved-tag-keys`,
    resource('reserved-tag-keys', attributes),
  );
  world.use({ reserved_key_id: id });
  const body = { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] };
  await succeeds(acme.owner, 'PATCH', `/projects/${values.project_id}/tag-bindings`, body);
  return {
    key: lists(acme.owner, `${organizationPath(world)}/reserved-tag-keys`, id),
    refusal: async () => (await acme.owner.call('PATCH', `${workspacePath(world)}/tag-bindings`, body)).status === 422,
  };
}

const tagged = async (world: World): Promise<Life> => ({
  'tag of the organization': lists(world.acme.owner, `${organizationPath(world)}/tags`, world.values.tag_id ?? ''),
  'tag of the workspace': async () => {
    const { attributes } = (await world.acme.owner.call('GET', workspacePath(world))).body.data;
    return attributes['tag-names'].includes('blue');
  },
});

const variable = async (world: World): Promise<Life> => {
  const { variable_id: id = '' } = world.values;
  return {
    variable: opens(world.acme.owner, `${workspacePath(world)}/vars/${id}`),
    'variable of its runs': lists(world.acme.owner, `${workspacePath(world)}/all-vars`, id),
  };
};

/** A set that is applied to the workspace, or to its project. */
const applied =
  (target: 'workspaces' | 'projects') =>
  async (world: World): Promise<Life> => {
    const { owner } = world.acme;
    const { varset_id: id = '', workspace_id = '', project_id = '' } = world.values;
    const path = `/varsets/${id}/relationships/vars`;
    const { id: shared } = await made(world, path, resource('vars', { key: 'shared', category: 'env' }));
    world.use({ set_variable_id: shared });
    const targets = { data: [{ type: target, id: { workspaces: workspace_id, projects: project_id }[target] }] };
    await succeeds(owner, 'POST', `/varsets/${id}/relationships/${target}`, targets);
    return {
      'set of the workspace': lists(owner, `${workspacePath(world)}/varsets`, id),
      'variable of its runs': lists(owner, `${workspacePath(world)}/all-vars`, shared),
    };
  };

const relates = (world: World, path: string, name: string) => async () => {
  const { relationships } = (await world.acme.owner.call('GET', path)).body.data;
  return Boolean(relationships[name]?.data);
};

/** What lives by each thing that can be deleted: a route that is new and not here fails. */
export const LIVES: Readonly<Record<string, (world: World) => Promise<Life>>> = {
  'DELETE /authentication-tokens/:token_id': async (world) => {
    const { id, holder } = await tokenAt(world, `/users/${world.values.user_id}/authentication-tokens`);
    world.use({ token_id: id });
    return {
      token: opens(holder, '/account/details'),
      'address that it made': await stateLink(world, holder),
      'the token on its own': opens(world.acme.owner, `/authentication-tokens/${id}`),
    };
  },
  'DELETE /organizations/:organization_name/authentication-token': async (world) => {
    const { holder } = await tokenAt(world, `${organizationPath(world)}/authentication-token`);
    return { token: opens(holder, organizationPath(world)) };
  },
  'DELETE /teams/:team_id/authentication-token': async (world) => {
    const { holder } = await tokenAt(world, `/teams/${world.values.team_id}/authentication-token`);
    return { token: opens(holder, workspacePath(world)), 'address that it made': await stateLink(world, holder) };
  },
  'DELETE /teams/:team_id': async (world) => {
    const { api, acme, values } = world;
    const one = await tokenAt(world, `/teams/${values.team_id}/authentication-tokens`);
    const only = await tokenAt(world, `/teams/${values.team_id}/authentication-token`);
    const machine = api.machine({ role: `${acme.name}/runner` });
    const { user } = await member(world);
    return {
      token: opens(one.holder, workspacePath(world)),
      'the only token': opens(only.holder, workspacePath(world)),
      'address that a token made': await stateLink(world, one.holder),
      machine: opens(machine, workspacePath(world)),
      'access of a member': opens(user, workspacePath(world)),
      'access to the workspace': opens(acme.owner, `/team-workspaces/${values.team_workspace_id}`),
      'access to the project': opens(acme.owner, `/team-projects/${values.team_project_id}`),
      identity: opens(acme.owner, `/machine-identities/${values.machine_identity_id}`),
      'token in the list': lists(acme.owner, `${organizationPath(world)}/team-tokens`, one.id),
    };
  },
  'DELETE /teams/:team_id/relationships/users': membership,
  'DELETE /teams/:team_id/relationships/organization-memberships': membership,
  'DELETE /organization-memberships/:membership_id': async (world) => {
    const life = await membership(world);
    const path = `/organization-memberships/${world.values.membership_id}`;
    return { ...life, membership: opens(world.acme.owner, path) };
  },
  'DELETE /team-workspaces/:team_workspace_id': (world) =>
    byTeamAlone(world, `/team-projects/${world.values.team_project_id}`),
  'DELETE /team-projects/:team_project_id': (world) =>
    byTeamAlone(world, `/team-workspaces/${world.values.team_workspace_id}`),
  'DELETE /machine-identities/:machine_identity_id': async (world) => {
    const machine = world.api.machine({ role: `${world.acme.name}/runner` });
    return { machine: opens(machine, workspacePath(world)), 'its address': await stateLink(world, machine) };
  },
  'DELETE /workspaces/:workspace_id': fullWorkspace,
  'DELETE /organizations/:organization_name/workspaces/:workspace_name': fullWorkspace,
  'DELETE /organizations/:organization_name': async (world) => {
    const { api, acme, values } = world;
    const organization = await tokenAt(world, `${organizationPath(world)}/authentication-token`);
    const team = await tokenAt(world, `/teams/${values.team_id}/authentication-tokens`);
    const agent = api.holder(values.agent_token ?? '');
    const { user, membership: id } = await member(world);
    return {
      ...(await fullWorkspace(world)),
      organization: opens(acme.owner, organizationPath(world)),
      'its token': opens(organization.holder, organizationPath(world)),
      'token of a team': opens(team.holder, organizationPath(world)),
      agent: opens(agent, `/agents/${values.agent_id}`),
      machine: opens(api.machine({ role: `${acme.name}/runner` }), organizationPath(world)),
      member: opens(user, organizationPath(world)),
      membership: lists(user, '/organization-memberships', id),
      project: opens(acme.owner, `/projects/${values.project_id}`),
      team: opens(acme.owner, `/teams/${values.team_id}`),
      'SSH key': opens(acme.owner, `/ssh-keys/${values.ssh_key_id}`),
      'variable set': opens(acme.owner, `/varsets/${values.varset_id}`),
      connection: opens(acme.owner, `/oauth-clients/${values.oauth_client_id}`),
    };
  },
  'DELETE /workspaces/:workspace_id/relationships/tags': tagged,
  'DELETE /organizations/:organization_name/tags': tagged,
  'DELETE /reserved-tags/:id': reservedKey,
  'DELETE /reserved-tag-keys/:id': reservedKey,
  'DELETE /ssh-keys/:ssh_key_id': async (world) => {
    const attributes = { name: 'assigned', value: privateKey };
    const { id } = await made(world, `${organizationPath(world)}/ssh-keys`, resource('ssh-keys', attributes));
    world.use({ ssh_key_id: id });
    const assignment = resource('workspaces', { id });
    await succeeds(world.acme.owner, 'PATCH', `${workspacePath(world)}/relationships/ssh-key`, assignment);
    return {
      key: opens(world.acme.owner, `/ssh-keys/${id}`),
      'key of the workspace': relates(world, workspacePath(world), 'ssh-key'),
    };
  },
  'DELETE /agent-pools/:agent_pool_id': async (world) => {
    const { api, acme, values } = world;
    const token = await tokenAt(world, `/agent-pools/${values.agent_pool_id}/authentication-tokens`);
    return {
      token: async () => {
        const agents = `/agent-pools/${values.agent_pool_id}/agents`;
        return (await token.holder.call('POST', agents, resource('agents', { name: 'new' }))).status === 201;
      },
      'token of an agent': opens(api.holder(values.agent_token ?? ''), `/agents/${values.agent_id}`),
      agent: opens(acme.owner, `/agents/${values.agent_id}`),
      'the token on its own': opens(acme.owner, `/authentication-tokens/${token.id}`),
    };
  },
  'DELETE /agents/:agent_id': async ({ api, acme, values }) => {
    const agent = api.holder(values.agent_token ?? '');
    const own = { 'agent-id': values.agent_id ?? '' };
    await agent.call('PATCH', `/agents/${values.agent_id}`, resource('agents', { status: 'exited' }), own);
    return {
      agent: opens(acme.owner, `/agents/${values.agent_id}`),
      'agent of the pool': lists(acme.owner, `/agent-pools/${values.agent_pool_id}/agents`, values.agent_id ?? ''),
    };
  },
  'DELETE /oauth-clients/:oauth_client_id': connected,
  'DELETE /oauth-tokens/:oauth_token_id': connected,
  'DELETE /oauth-clients/:oauth_client_id/relationships/projects': async (world) => {
    const { acme, values } = world;
    const path = `/oauth-clients/${values.oauth_client_id}`;
    const projects = { data: [{ type: 'projects', id: values.project_id }] };
    await succeeds(acme.owner, 'POST', `${path}/relationships/projects`, projects);
    await succeeds(acme.owner, 'PATCH', path, resource('oauth-clients', { 'organization-scoped': false }));
    const { 'connection of a new workspace': usable = async () => false } = await connected(world);
    return { 'connection in the project': usable };
  },
  'DELETE /projects/:project_id': async (world) => {
    const { acme, values } = world;
    const { empty_project_id: id = '', other_team_id: team = '', varset_id: set } = values;
    const relationships = {
      team: { data: { type: 'teams', id: team } },
      project: { data: { type: 'projects', id } },
    };
    const access = resource('team-projects', { access: 'read' }, relationships);
    const { id: grant } = await made(world, '/team-projects', access);
    await succeeds(acme.owner, 'POST', `/varsets/${set}/relationships/projects`, { data: [{ type: 'projects', id }] });
    return {
      project: opens(acme.owner, `/projects/${id}`),
      access: opens(acme.owner, `/team-projects/${grant}`),
      'project of a set': async () => {
        const { relationships: of } = (await acme.owner.call('GET', `/varsets/${set}`)).body.data;
        return of.projects.data.length > 0;
      },
    };
  },
  'DELETE /workspaces/:workspace_id/vars/:variable_id': variable,
  'DELETE /vars/:variable_id': variable,
  'DELETE /varsets/:varset_id': async (world) => ({
    ...(await applied('workspaces')(world)),
    set: opens(world.acme.owner, `/varsets/${world.values.varset_id}`),
    variable: opens(
      world.acme.owner,
      `/varsets/${world.values.varset_id}/relationships/vars/${world.values.set_variable_id}`,
    ),
  }),
  'DELETE /varsets/:varset_id/relationships/workspaces': applied('workspaces'),
  'DELETE /varsets/:varset_id/relationships/projects': applied('projects'),
  'DELETE /varsets/:varset_id/relationships/vars/:variable_id': async (world) => {
    const { 'variable of its runs': ofRuns = async () => false } = await applied('workspaces')(world);
    return { 'variable of its runs': ofRuns };
  },
  'DELETE /workspaces/:workspace_id/relationships/remote-state-consumers': async (world) => {
    const { other_workspace_id: id = '' } = world.values;
    const path = `${workspacePath(world)}/relationships/remote-state-consumers`;
    await succeeds(world.acme.owner, 'POST', path, { data: [{ type: 'workspaces', id }] });
    return { consumer: lists(world.acme.owner, path, id) };
  },
  'DELETE /run-triggers/:id': async (world) => {
    const { run_trigger_id: id = '', other_workspace_id: target } = world.values;
    const inbound = `/workspaces/${target}/run-triggers?filter[run-trigger][type]=inbound`;
    const outbound = `${workspacePath(world)}/run-triggers?filter[run-trigger][type]=outbound`;
    return {
      trigger: opens(world.acme.owner, `/run-triggers/${id}`),
      'trigger of its target': lists(world.acme.owner, inbound, id),
      'trigger of its source': lists(world.acme.owner, outbound, id),
    };
  },
  'DELETE /notification-configurations/:notification_configuration_id': async (world) => {
    const { notification_configuration_id: id = '' } = world.values;
    return {
      configuration: opens(world.acme.owner, `/notification-configurations/${id}`),
      'configuration of the workspace': lists(
        world.acme.owner,
        `${workspacePath(world)}/notification-configurations`,
        id,
      ),
    };
  },
  'DELETE /workspaces/:workspace_id/relationships/data-retention-policy': async (world) => ({
    policy: relates(world, workspacePath(world), 'data-retention-policy'),
  }),
  'DELETE /organizations/:organization_name/relationships/data-retention-policy': async (world) => ({
    policy: relates(world, organizationPath(world), 'data-retention-policy'),
    'policy at its path': opens(world.acme.owner, `${organizationPath(world)}/relationships/data-retention-policy`),
  }),
};

import { beginSession } from '../sessions.ts';
import { fullWorkspace } from './full-workspace.ts';
import {
  type Life,
  type Lives,
  lists,
  made,
  member,
  opens,
  organizationPath,
  resource,
  stateLink,
  succeeds,
  tokenAt,
  type World,
  workspacePath,
} from './world.ts';

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

async function sessionOf({ api, acme }: World) {
  const { token, text } = await beginSession(api.workspaces, acme.owner.id);
  return { id: token.id, holder: api.holder(text) };
}

/** The owner is a site administrator, and SCIM is on. */
async function directoryOf({ acme, api }: World) {
  const { tenancy } = api.workspaces;
  await tenancy.users.setSiteAdmin(acme.owner.username, true);
  await succeeds(acme.owner, 'PATCH', '/admin/scim-settings', resource('scim-settings', { enabled: true }));
  return () => tenancy.scim.settings.current();
}

/** Dependents of tokens, teams, members, projects and organizations. */
export const TENANCY_LIVES: Lives = {
  'DELETE /authentication-tokens/:token_id': async (world) => {
    const { id, holder } = await tokenAt(world, `/users/${world.values.user_id}/authentication-tokens`);
    world.use({ token_id: id });
    return {
      token: opens(holder, '/account/details'),
      'address that it made': await stateLink(world, holder),
      'the token on its own': opens(world.acme.owner, `/authentication-tokens/${id}`),
    };
  },
  'DELETE /sessions/:session_id': async (world) => {
    const { id, holder } = await sessionOf(world);
    world.use({ session_id: id });
    return { session: opens(holder, '/account/details'), 'address that it made': await stateLink(world, holder) };
  },
  'DELETE /users/:user_id/sessions': async (world) => {
    const [one, other] = [await sessionOf(world), await sessionOf(world)];
    return { session: opens(one.holder, '/account/details'), 'another one': opens(other.holder, '/account/details') };
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
      'identity of pipelines': opens(acme.owner, `/pipeline-identities/${values.pipeline_identity_id}`),
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
  'DELETE /machine-identities/:machine_identity_id': async (world) => {
    const machine = world.api.machine({ role: `${world.acme.name}/runner` });
    return { machine: opens(machine, workspacePath(world)), 'its address': await stateLink(world, machine) };
  },
  'DELETE /pipeline-identities/:pipeline_identity_id': async ({ acme, values }) => ({
    identity: opens(acme.owner, `/pipeline-identities/${values.pipeline_identity_id}`),
    'in the list': lists(acme.owner, `/teams/${values.team_id}/pipeline-identities`, values.pipeline_identity_id ?? ''),
  }),
  'DELETE /admin/scim-settings': async (world) => {
    const isOn = await directoryOf(world);
    return { provisioning: async () => (await isOn()).enabled };
  },
  'DELETE /admin/teams/:team_id/scim-group-mapping': async (world) => {
    await directoryOf(world);
    const { id } = await world.api.workspaces.tenancy.scim.groups.create({ displayName: world.acme.name });
    const path = `/admin/teams/${world.values.team_id}/scim-group-mapping`;
    const { owner } = world.acme;
    await succeeds(owner, 'POST', path, resource('scim-group-mappings', { 'scim-group-id': id }));
    const pause = resource('scim-group-mappings', { 'scim-sync-paused': false });
    return { link: async () => (await owner.call('PATCH', path, pause)).status === 204 };
  },
  'DELETE /organizations/:organization_name/sign-in-provider': async (world) => ({
    provider: opens(world.acme.owner, `${organizationPath(world)}/sign-in-provider`),
  }),
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
  'DELETE /projects/:project_id': async (world) => {
    const { acme, values } = world;
    const { empty_project_id: id = '', other_team_id: team = '', varset_id: set } = values;
    const relationships = {
      team: { data: { type: 'teams', id: team } },
      project: { data: { type: 'projects', id } },
    };
    const access = resource('team-projects', { access: 'read' }, relationships);
    const { id: grant } = await made(world, '/team-projects', access);
    const { id: rule } = await made(
      world,
      `/projects/${id}/approval-rules`,
      resource('approval-rules', { name: 'first' }, { teams: { data: [{ type: 'teams', id: team }] } }),
    );
    await succeeds(acme.owner, 'POST', `/varsets/${set}/relationships/projects`, { data: [{ type: 'projects', id }] });
    return {
      project: opens(acme.owner, `/projects/${id}`),
      access: opens(acme.owner, `/team-projects/${grant}`),
      'approval rule': opens(acme.owner, `/approval-rules/${rule}`),
      'project of a set': async () => {
        const { relationships: of } = (await acme.owner.call('GET', `/varsets/${set}`)).body.data;
        return of.projects.data.length > 0;
      },
    };
  },
};

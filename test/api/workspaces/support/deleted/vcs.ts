import { workspaceBody } from '../organization.ts';
import { type Life, type Lives, opens, organizationPath, resource, succeeds, type World } from './world.ts';

/** Checks that a workspace uses the connection for its repository, and that a new one can. */
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

/** Checks that a workspace uses the installation of a GitHub App for its repository. */
async function installed(world: World): Promise<Life> {
  const { acme, values } = world;
  const { github_app_installation_id: installation } = values;
  const repo = { identifier: 'acme/infra', 'github-app-installation-id': installation };
  const id = await acme.workspace('installed', { 'vcs-repo': repo });
  return {
    installation: opens(acme.owner, `/github-app/installation/${installation}`),
    'installation of a workspace': async () => {
      const { attributes } = (await acme.owner.call('GET', `/workspaces/${id}`)).body.data;
      return attributes['vcs-repo']['github-app-installation-id'] !== null;
    },
  };
}

/** Dependents of VCS connections. */
export const VCS_LIVES: Lives = {
  'DELETE /organizations/:organization_name/github-app': installed,
  'DELETE /organizations/:organization_name/github-app-installations/:github_app_installation_id': installed,
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
};

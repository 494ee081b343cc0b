import { privateKey } from '../../../../support/samples/private-key.ts';
import { fullWorkspace } from './full-workspace.ts';
import {
  type Life,
  type Lives,
  lists,
  made,
  member,
  opens,
  organizationPath,
  relates,
  resource,
  stateLink,
  succeeds,
  type World,
  workspacePath,
} from './world.ts';

/** Access of a user who reaches the workspace only by one grant of a team. */
async function byTeamAlone(world: World, other: string): Promise<Life> {
  await succeeds(world.acme.owner, 'DELETE', other);
  const { user } = await member(world);
  return {
    'access of a member': opens(user, workspacePath(world)),
    'address of a member': await stateLink(world, user),
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

/** Dependents of workspaces, of access to them, and of their parts. */
export const WORKSPACE_LIVES: Lives = {
  'DELETE /team-workspaces/:team_workspace_id': (world) =>
    byTeamAlone(world, `/team-projects/${world.values.team_project_id}`),
  'DELETE /team-projects/:team_project_id': (world) =>
    byTeamAlone(world, `/team-workspaces/${world.values.team_workspace_id}`),
  'DELETE /workspaces/:workspace_id': fullWorkspace,
  'DELETE /organizations/:organization_name/workspaces/:workspace_name': fullWorkspace,
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
  'DELETE /workspaces/:workspace_id/relationships/remote-state-consumers': async (world) => {
    const { other_workspace_id: id = '' } = world.values;
    const path = `${workspacePath(world)}/relationships/remote-state-consumers`;
    await succeeds(world.acme.owner, 'POST', path, { data: [{ type: 'workspaces', id }] });
    return { consumer: lists(world.acme.owner, path, id) };
  },
  'DELETE /workspaces/:workspace_id/relationships/data-retention-policy': async (world) => ({
    policy: relates(world, workspacePath(world), 'data-retention-policy'),
  }),
  'DELETE /organizations/:organization_name/relationships/data-retention-policy': async (world) => ({
    policy: relates(world, organizationPath(world), 'data-retention-policy'),
    'policy at its path': opens(world.acme.owner, `${organizationPath(world)}/relationships/data-retention-policy`),
  }),
};

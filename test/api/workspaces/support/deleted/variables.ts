import { type Life, type Lives, lists, made, opens, resource, succeeds, type World, workspacePath } from './world.ts';

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

/** Dependents of variables and variable sets. */
export const VARIABLES_LIVES: Lives = {
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
};

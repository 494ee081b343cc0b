import type { Place } from './apply-check/place-store.ts';

const LOCAL = 'Runs cannot be created in a workspace whose execution mode is local';
const NO_POOL =
  'The workspace has the execution mode "agent" but no agent pool, so no agent executes its runs. Assign an agent pool';
const NO_OWN =
  'The workspace has the execution mode "remote", but this server has no agents of its own. Set the execution mode to "agent" and assign an agent pool';

/**
 * Returns why no agent would ever execute a run of the workspace; undefined if one may, now or later.
 * @param isRemoteServed whether the server has agents for workspaces in `remote` mode
 */
export function refusalOf(
  { executionMode, pool, isInPool }: Pick<Place, 'executionMode' | 'pool' | 'isInPool'>,
  isRemoteServed: boolean,
): string | undefined {
  if (executionMode === 'local') return LOCAL;
  if (executionMode === 'remote') return isRemoteServed ? undefined : NO_OWN;
  if (isInPool) return undefined;
  if (pool === null) return NO_POOL;
  return `The agent pool ${pool} does not serve this workspace, so no agent executes its runs. Allow the workspace in the pool, or assign another pool`;
}

/**
 * Returns whether agents execute the runs of a workspace. If not, users with a program that the server does not know
 * report their progress.
 * @param mode execution mode of the workspace, its own or the inherited one
 * @param isRemoteOfAgents whether agents execute the runs of the mode `remote`, as on any server with agents of its own
 */
export function isExecutedByAgents(mode: string, isRemoteOfAgents: boolean): boolean {
  return mode === 'agent' || (mode === 'remote' && isRemoteOfAgents);
}

import { useIsMutating, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { workspaces } from '../api/client.ts';

const route = getRouteApi('/signed-in/$organization/workspaces/$workspace');
const SHOW = 'GET /organizations/{organization_name}/workspaces/{workspace_name}';
/** Polling interval, milliseconds. Short, because users wait for the lock holder to change. */
const EVERY_MS = 5_000;

/** Loads the current workspace with its lock holder, current run and project. */
export function useWorkspace() {
  const { organization, workspace } = route.useParams();
  // While a change is sent, the name of the workspace may be about to change.
  const isChanging = useIsMutating() > 0;
  const input = {
    path: { organization_name: organization, workspace_name: workspace },
    query: { include: 'locked_by,current_run,project' },
  };
  return {
    organization,
    workspace,
    request: workspaces.request(SHOW, input),
    query: useQuery({ ...workspaces.query(SHOW, input), refetchInterval: isChanging ? false : EVERY_MS }),
  };
}

export type WorkspaceAnswer = NonNullable<ReturnType<typeof useWorkspace>['query']['data']>;

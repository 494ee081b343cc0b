import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { count } from '../../format/number.ts';
import type { WorkspaceAnswer } from '../../shell/workspace.ts';

/** Parts of a workspace whose tabs show a number. */
export type Counted = 'runs' | 'states' | 'resources' | 'outputs' | 'variables';

/** Latest runs that the overview shows. */
const SHOWN = '6';
/** Numbers are hints: events of the server refresh them earlier. */
const STALE_MS = 60_000;

/** Latest runs of a workspace, newest first. */
export function useLatestRuns({ data: { id, attributes } }: WorkspaceAnswer) {
  return useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/runs', {
      path: { workspace_id: id },
      query: { 'page[size]': SHOWN },
    }),
    staleTime: STALE_MS,
    enabled: attributes.permissions['can-read-run'] === true,
  });
}

/** Counts the contents of a workspace. A part that the user may not read has no number. */
export function useCounts(answer: WorkspaceAnswer, organization: string): Partial<Record<Counted, string>> {
  const { id, attributes } = answer.data;
  const path = { workspace_id: id };
  const may = attributes.permissions;
  const one = { 'page[size]': '1' };
  const ofWorkspace = { 'filter[organization][name]': organization, 'filter[workspace][name]': attributes.name };
  const readsStates = may['can-read-state-versions'] === true;
  const runs = useLatestRuns(answer);
  const states = useQuery({
    ...workspaces.query('GET /state-versions', { query: { ...ofWorkspace, ...one } }),
    staleTime: STALE_MS,
    enabled: readsStates,
  });
  const outputs = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/current-state-version-outputs', { path, query: one }),
    staleTime: STALE_MS,
    enabled: readsStates && attributes['resource-count'] > 0,
    retry: false,
  });
  const variables = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/all-vars', { path }),
    staleTime: STALE_MS,
    enabled: may['can-read-variable'] === true,
  });
  const numbers: Readonly<Record<Counted, number | undefined>> = {
    runs: runs.data?.meta.pagination['total-count'],
    states: states.data?.meta.pagination['total-count'],
    resources: readsStates ? attributes['resource-count'] : undefined,
    outputs: outputs.data?.meta.pagination['total-count'],
    variables: variables.data?.data.length,
  };
  // Nothing to count is nothing to say.
  const shown = Object.entries(numbers).flatMap(([name, number]) => (number ? [[name, count(number)] as const] : []));
  return Object.fromEntries(shown);
}

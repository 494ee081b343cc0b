import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';

const SHOW = 'GET /varsets/{varset_id}';
const route = getRouteApi('/signed-in/$organization/variable-sets/$set');
const EVERY_MS = 5_000;

export type VariableSet = Resources['varsets'];

/** Returns the variable set of the current page with its workspaces and projects. */
export function useSet() {
  const { organization, set } = route.useParams();
  const input = { path: { varset_id: set }, query: { include: 'workspaces,projects' } };
  const query = useQuery({ ...workspaces.query(SHOW, input), refetchInterval: EVERY_MS });
  return { organization, id: set, query, request: workspaces.request(SHOW, input) };
}

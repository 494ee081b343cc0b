import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../api/client.ts';

const SHOW = 'GET /organizations/{organization_name}';

/** Loads an organization with the permissions of the current user; cached for a minute. */
export function useOrganization(name: string) {
  const input = { path: { organization_name: name } };
  const query = useQuery({ ...workspaces.query(SHOW, input), staleTime: 60_000, enabled: name !== '' });
  return { request: workspaces.request(SHOW, input), query, may: query.data?.data.attributes.permissions };
}

export type OrganizationAnswer = NonNullable<ReturnType<typeof useOrganization>['query']['data']>;

import { useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../../api/client.ts';
import { ApiError } from '../../../api/error.ts';
import { counted } from '../../../format/number.ts';
import * as texts from './texts.ts';

export type Connection = Resources['oauth-clients'];
export type Token = Resources['oauth-tokens'];

export const LIST = 'GET /organizations/{organization_name}/oauth-clients';
const ONE = 'GET /oauth-clients/{oauth_client_id}';
/** Connections of an organization that a page shows. */
export const MOST = '100';
/** Interval of reads, milliseconds: the server checks connections by itself. */
export const EVERY_MS = 10_000;

/** Returns the name of a connection, or that of its provider. */
export const nameOf = ({ attributes }: Connection): string =>
  attributes.name || attributes['service-provider-display-name'];

/** Reads a connection of the organization that the page is about. One of another organization is not found. */
export function useConnection(organization: string, id: string) {
  return useQuery({
    ...workspaces.query(ONE, { path: { oauth_client_id: id } }),
    enabled: id !== '',
    refetchInterval: EVERY_MS,
    select: (answer) => {
      if (answer.data.relationships.organization.data?.id === organization) return answer;
      throw new ApiError(404, texts.ofAnotherOrganization, '');
    },
  });
}

/** Reads the token of a connection; null if it has none yet. */
export function useToken(id: string) {
  return useQuery({
    ...workspaces.query('GET /oauth-clients/{oauth_client_id}/oauth-tokens', { path: { oauth_client_id: id } }),
    enabled: id !== '',
    refetchInterval: EVERY_MS,
    select: ({ data }) => data[0] ?? null,
  });
}

/** Checks a connection at the provider. */
export const check = (id: string) =>
  workspaces.send('POST /oauth-clients/{oauth_client_id}/actions/check', { path: { oauth_client_id: id } });

/** Says what the deletion of a connection does to workspaces. */
export function affectedBy(workspaces: number): string {
  if (workspaces === 0) return texts.nobodyIsAffected;
  return workspaces === 1 ? texts.isAffected : texts.areAffected(counted(workspaces, 'workspace'));
}

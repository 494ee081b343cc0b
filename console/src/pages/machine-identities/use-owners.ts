import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';

/** Maximum number of organizations offered for selection. */
const MOST = '100';

/** An organization in which the user may add machine identities, and for which kinds of owners. */
export interface Owners {
  readonly organization: string;
  readonly kinds: readonly ('team' | 'agent pool')[];
}

/** Finds organizations in which the user may add machine identities. */
export function useOwners(enabled: boolean): readonly Owners[] {
  const organizations = useQuery({
    ...workspaces.query('GET /organizations', { query: { 'page[size]': MOST } }),
    enabled,
    staleTime: 60_000,
  });
  return (organizations.data?.data ?? []).flatMap(({ attributes: { name, permissions } }): Owners[] => {
    // Only owners may delete an organization and add machine identities to its teams.
    if (permissions['can-destroy']) return [{ organization: name, kinds: ['team', 'agent pool'] }];
    return permissions['can-update-agent-pools'] ? [{ organization: name, kinds: ['agent pool'] }] : [];
  });
}

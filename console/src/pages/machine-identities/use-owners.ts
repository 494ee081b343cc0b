import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';

/** Organizations that can be chosen from. */
const MOST = '100';

/** An organization in which somebody may let machines in, and for whom. */
export interface Owners {
  readonly organization: string;
  readonly kinds: readonly ('team' | 'agent pool')[];
}

/** Where whoever asks may let machines act. */
export function useOwners(enabled: boolean): readonly Owners[] {
  const organizations = useQuery({
    ...workspaces.query('GET /organizations', { query: { 'page[size]': MOST } }),
    enabled,
    staleTime: 60_000,
  });
  return (organizations.data?.data ?? []).flatMap(({ attributes: { name, permissions } }): Owners[] => {
    // Owners alone may end an organization, and let machines act for its teams.
    if (permissions['can-destroy']) return [{ organization: name, kinds: ['team', 'agent pool'] }];
    return permissions['can-update-agent-pools'] ? [{ organization: name, kinds: ['agent pool'] }] : [];
  });
}

import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../api/client.ts';

/** Shown at once in the choice of one; whoever has more finds them on their page. */
const MOST = '20';
export const organizationsQuery = workspaces.query('GET /organizations', { query: { 'page[size]': MOST } });

let last: string | undefined;

/**
 * The organization that places lead to: that of the page in view, else the one before, else the only one.
 * @param current of the page in view
 */
export function useOrganization(current: string | undefined, isOpen: boolean): string | undefined {
  const { data } = useQuery({ ...organizationsQuery, enabled: isOpen });
  if (current !== undefined) last = current;
  if (!isOpen) return undefined;
  const names = data?.data.map(({ attributes }) => attributes.name) ?? [];
  const [only, ...others] = names;
  if (current !== undefined) return current;
  // Somebody else may have signed in since.
  if (last !== undefined && names.includes(last)) return last;
  return others.length === 0 ? only : undefined;
}

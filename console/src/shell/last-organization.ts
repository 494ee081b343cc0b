import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../api/client.ts';

/** Number of organizations in the menu; the organizations page lists all. */
const MOST = '20';
export const organizationsQuery = workspaces.query('GET /organizations', { query: { 'page[size]': MOST } });

let last: string | undefined;

/**
 * Returns the organization that navigation links point to: the current one, else the previous one, else the only one.
 * @param current organization of the current page
 */
export function useOrganization(current: string | undefined, isOpen: boolean): string | undefined {
  const { data } = useQuery({ ...organizationsQuery, enabled: isOpen });
  if (current !== undefined) last = current;
  if (!isOpen) return undefined;
  const names = data?.data.map(({ attributes }) => attributes.name) ?? [];
  const [only, ...others] = names;
  if (current !== undefined) return current;
  // Another user may have signed in since.
  if (last !== undefined && names.includes(last)) return last;
  return others.length === 0 ? only : undefined;
}

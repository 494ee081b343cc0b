import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../api/client.ts';
import { kept } from '../session/kept.ts';

/** Number of organizations in the menu; the organizations page lists all. */
const MOST = 20;
export const organizationsQuery = workspaces.query('GET /organizations', { query: { 'page[size]': String(MOST) } });

const last = kept('organization');
export const forgetOrganization = last.forget;

/**
 * Returns the organization that navigation links point to: the current one, else the last one in this browser, else
 * the first one.
 * @param current organization of the current page
 */
export function useOrganization(current: string | undefined, isOpen: boolean): string | undefined {
  const { data } = useQuery({ ...organizationsQuery, enabled: isOpen });
  if (!isOpen) return undefined;
  const names = data?.data.map(({ attributes }) => attributes.name) ?? [];
  if (current !== undefined) {
    last.keep(current);
    return current;
  }
  const before = last.read();
  // Another user may have signed in since. A longer list may have the organization on a later page.
  return before && (names.includes(before) || names.length === MOST) ? before : names[0];
}

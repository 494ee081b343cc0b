import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { access, workspaces } from '../../api/client.ts';
import type { Session } from '../../session/session.ts';
import type { Item, Leads } from './item.ts';
import { matches } from './match.ts';

/** Maximum numbers of names of one kind that are read, and that are shown. */
const MOST_READ = 1_000;
const MOST_SHOWN = 5;
const MOUNT = 'cert';
const LIST_ROLES = 'GET /auth/{cert_mount_path}/certs/';
const ROLES = `auth/${MOUNT}/certs`;
const POLICIES = 'sys/policies/acl';
const STALE_MS = 60_000;

/** Route of the page for each kind. */
const PAGES = {
  role: ['/~access/roles/$role'],
  policy: ['/~access/policies/acl/$name'],
  team: ['/$organization/teams/$team'],
} as const;

/** Returns the link to a role, policy or team. */
export function pageOf(kind: keyof typeof PAGES, names: readonly string[], leads: Leads) {
  const [first = '', id = ''] = names;
  return leads(PAGES[kind], kind === 'team' ? { organization: first, team: id } : { role: first, name: first });
}

/** Finds roles, policies and teams by name. */
export function useElsewhere(
  session: Session,
  organization: string | undefined,
  words: readonly string[],
  leads: Leads,
): Item[] {
  const hasAccess = session.access !== null;
  const may = useQuery({
    ...access.query('POST /sys/capabilities-self', { body: { paths: [ROLES, POLICIES] } }),
    enabled: hasAccess,
    staleTime: STALE_MS,
  });
  const lists = (path: string) => {
    const given = may.data?.data[path];
    return Array.isArray(given) && ['root', 'list'].some((one) => given.includes(one));
  };
  const query = { list: 'true', limit: MOST_READ } as const;
  const path = { cert_mount_path: MOUNT };
  // The API returns 404 for an empty list. With `detail` it returns 200, so that no error appears.
  const probe = useQuery({
    ...access.query(LIST_ROLES, { path, query: { list: 'true', limit: 1, detail: true } }),
    enabled: lists(ROLES),
    staleTime: STALE_MS,
  });
  const roles = useQuery({
    ...access.query(LIST_ROLES, { path, query }),
    enabled: (probe.data?.data.keys.length ?? 0) > 0,
    staleTime: STALE_MS,
  });
  const policies = useQuery({
    ...access.query('GET /sys/policies/acl/', { query }),
    enabled: lists(POLICIES),
    staleTime: STALE_MS,
  });
  const teams = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/teams', {
      path: { organization_name: organization ?? '' },
      query: { q: words[0], 'page[size]': '20' } as object,
    }),
    enabled: organization !== undefined && words.length > 0,
    placeholderData: keepPreviousData,
  });
  if (words.length === 0) return [];
  const item = (kind: 'role' | 'policy' | 'team', icon: Item['icon'], names: readonly string[]): Item[] => {
    const to = pageOf(kind, names, leads);
    const label = names.at(-1) ?? '';
    return to ? [{ key: `${kind} ${label}`, icon, label, mid: kind, to, recent: { kind, names } }] : [];
  };
  const some = (names: readonly string[] | undefined) =>
    (names ?? []).filter((name) => matches(name, words)).slice(0, MOST_SHOWN);
  return [
    ...some(roles.data?.data.keys).flatMap((name) => item('role', 'role', [name])),
    ...some(policies.data?.data.keys).flatMap((name) => item('policy', 'policy', [name])),
    ...(teams.data?.data ?? [])
      .filter(({ attributes }) => matches(attributes.name, words))
      .slice(0, MOST_SHOWN)
      .flatMap(({ id, attributes }) => item('team', 'teams', [organization ?? '', id, attributes.name])),
  ];
}

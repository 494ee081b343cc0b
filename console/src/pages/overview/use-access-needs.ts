import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { serverNow } from '../../api/clock.ts';
import { leadsAmong } from '../../shell/palette/item.ts';
import {
  AUDIT,
  certificateMounts,
  listNeeds,
  listQuery,
  listsQuery,
  mayQuery,
  mountsQuery,
  sinkNeeds,
  sinksQuery,
} from './access-needs.ts';
import type { Need } from './need.ts';

/** Mounts whose revocation lists are looked at, and lists of one. */
const MOST_MOUNTS = 3;
const MOST_LISTS = 20;

/** What needs a person in the access half, of what the token may read. */
export function useAccessNeeds(enabled: boolean, again: { readonly refetchInterval: number }) {
  const mounts = useQuery({ ...mountsQuery, enabled, staleTime: again.refetchInterval });
  const paths = mounts.data ? certificateMounts(mounts.data).slice(0, MOST_MOUNTS) : [];
  const asked = [AUDIT, ...paths.flatMap((path) => [`auth/${path}/crls`, `auth/${path}/crls/+`])];
  const may = useQuery({ ...mayQuery(asked), enabled: mounts.isSuccess, staleTime: again.refetchInterval });
  const can = (path: string, capability: string): boolean => {
    const given = may.data?.data[path];
    return Array.isArray(given) && ['root', capability].some((one) => given.includes(one));
  };
  const sinks = useQuery({ ...sinksQuery, ...again, enabled: can(AUDIT, 'sudo') });
  const listed = paths.filter((path) => can(`auth/${path}/crls`, 'list') && can(`auth/${path}/crls/+`, 'read'));
  const lists = useQueries({ queries: listed.map((path) => ({ ...listsQuery(path, MOST_LISTS), ...again })) });
  const named = lists.flatMap(({ data }, at) =>
    (data?.data.keys ?? []).map((name) => ({ mount: listed[at] ?? '', name })),
  );
  const each = useQueries({ queries: named.map(({ mount, name }) => ({ ...listQuery(mount, name), ...again })) });
  const now = serverNow();
  const leads = leadsAmong(useRouter().routesByPath);
  const toLists = leads(['/~access/revocation-lists'], {});
  const toHealth = leads(['/~server/health'], {});
  const needs: Need[] = [
    ...(sinks.data ? sinkNeeds(sinks.data) : []).map((need) => ({
      ...need,
      ...(toHealth && { to: toHealth, action: 'Health' }),
    })),
    ...each.flatMap(({ data }, at) => {
      const { mount = '', name = '' } = named[at] ?? {};
      const needs = data ? listNeeds(mount, name, data, now) : [];
      return needs.map((need) => ({ ...need, ...(toLists && { to: toLists, action: 'List' }) }));
    }),
  ];
  const queries: readonly UseQueryResult<unknown>[] = enabled
    ? [mounts, may, ...(can(AUDIT, 'sudo') ? [sinks] : []), ...lists, ...each]
    : [];
  return { needs, queries };
}

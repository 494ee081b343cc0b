import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { serverNow } from '../../api/clock.ts';
import { leadsAmong } from '../../shell/palette/item.ts';
import {
  AUDIT,
  certificateMounts,
  listNeeds,
  listsQuery,
  mayQuery,
  mountsQuery,
  roleNeeds,
  rolesQuery,
  sinkNeeds,
  sinksQuery,
} from './access-needs.ts';
import type { Need } from './need.ts';
import * as texts from './texts.ts';

/** Maximum number of mounts that are checked. */
const MOST_MOUNTS = 3;

/** Items of the access API, as far as the token may read them. */
export function useAccessNeeds(enabled: boolean, again: { readonly refetchInterval: number }) {
  const mounts = useQuery({ ...mountsQuery, enabled, staleTime: again.refetchInterval });
  const paths = mounts.data ? certificateMounts(mounts.data).slice(0, MOST_MOUNTS) : [];
  const asked = [
    AUDIT,
    ...paths.flatMap((path) => ['crls', 'crls/+', 'certs', 'certs/+'].map((part) => `auth/${path}/${part}`)),
  ];
  const may = useQuery({ ...mayQuery(asked), enabled: mounts.isSuccess, staleTime: again.refetchInterval });
  const can = (path: string, capability: string): boolean => {
    const given = may.data?.data[path];
    return Array.isArray(given) && ['root', capability].some((one) => given.includes(one));
  };
  const sinks = useQuery({ ...sinksQuery, ...again, enabled: can(AUDIT, 'sudo') });
  const listed = paths.filter((path) => can(`auth/${path}/crls`, 'list') && can(`auth/${path}/crls/+`, 'read'));
  const lists = useQueries({ queries: listed.map((path) => ({ ...listsQuery(path), ...again })) });
  const withRoles = paths.filter((path) => can(`auth/${path}/certs`, 'list') && can(`auth/${path}/certs/+`, 'read'));
  const roles = useQueries({ queries: withRoles.map((path) => ({ ...rolesQuery(path), ...again })) });
  const now = serverNow();
  const leads = leadsAmong(useRouter().routesByPath);
  const toHealth = leads(['/~server/health'], {});
  const needs: Need[] = [
    ...(sinks.data ? sinkNeeds(sinks.data) : []).map((need) => ({
      ...need,
      ...(toHealth && { to: toHealth, action: texts.showHealth }),
    })),
    ...lists.flatMap(({ data }, at) => (data ? listNeeds(listed[at] ?? '', data, now) : [])),
    ...roles.flatMap(({ data }, at) => (data ? roleNeeds(withRoles[at] ?? '', data, now) : [])),
  ];
  const queries: readonly UseQueryResult<unknown>[] = enabled
    ? [mounts, may, ...(can(AUDIT, 'sudo') ? [sinks] : []), ...lists, ...roles]
    : [];
  return { needs, queries };
}

import { useQueries } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { useMay } from '../../shell/may.ts';
import { useCertificateMounts } from '../../shell/mounts/mounts.ts';
import { keyOf, type RoleInfo, type RoleRef } from './bridges.ts';

const LIST = 'GET /auth/{cert_mount_path}/certs/';
/** Page size of the search for one role. Only names that share all but the last letter can precede it on the page. */
const AMONG = 100;

/** Details of a role, `none` if it does not exist, or undefined if the token may not read it. */
export type KnownRole = RoleInfo | 'none' | undefined;

/**
 * Loads details of several roles. Searches the list for each, because reading a missing role would count as an error.
 */
export function useRoles(refs: readonly RoleRef[], enabled: boolean): (ref: RoleRef) => KnownRole {
  const mounts = [...new Set(refs.map(({ mount }) => mount))];
  const may = useMay(
    ['sys/auth', ...mounts.flatMap((mount) => [`auth/${mount}/certs`, `auth/${mount}/certs/+`])],
    enabled,
  );
  const there = useCertificateMounts(enabled);
  const readable = refs.filter(
    ({ mount }) =>
      (there?.includes(mount) ?? !may('sys/auth', 'read')) &&
      may(`auth/${mount}/certs`, 'list') &&
      may(`auth/${mount}/certs/+`, 'read'),
  );
  const found = useQueries({
    queries: readable.map(({ mount, role }) => {
      const after = role.slice(0, -1);
      const query = { list: 'true' as const, detail: true, limit: AMONG, ...(after && { after }) };
      return { ...access.query(LIST, { path: { cert_mount_path: mount }, query }), enabled };
    }),
  });
  const known = new Map(
    found.flatMap(({ data }, at): [string, KnownRole][] => {
      const ref = readable[at];
      if (!data || !ref) return [];
      const { keys, key_info: info } = data.data;
      const isBeyond = keys.length === AMONG && !keys.includes(ref.role);
      return [[keyOf(ref), keys.includes(ref.role) ? info?.[ref.role] : isBeyond ? undefined : 'none']];
    }),
  );
  return (ref) => (there?.includes(ref.mount) === false ? 'none' : known.get(keyOf(ref)));
}

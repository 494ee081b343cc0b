import { useQueries, useQuery } from '@tanstack/react-query';
import { access, workspaces } from '../../api/client.ts';
import { send } from '../../api/request.ts';
import type { Session } from '../../session/session.ts';
import type { Names } from './steps.ts';

/** Number of teams whose machine identities are checked. */
const MOST_TEAMS = 5;
const EVERY_MS = 5_000;
/** Built-in policies. */
const OWN_POLICIES = ['default', 'root'];

export interface Progress {
  /** Whether each step is done; undefined if this session has no permission to check. */
  readonly done: Readonly<Record<string, boolean | undefined>>;
  readonly names: Names;
}

/** Reads the progress from the lists of both APIs. */
export function useProgress(session: Session): Progress {
  const own = useAccess(session.access !== null);
  const work = useWork(session.workspaces !== null);
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => send({ method: 'GET', address: '/healthz/ready' }, signal),
    refetchInterval: EVERY_MS,
  });
  return {
    done: { server: ready.isSuccess, root: session.access !== null, ...own.done, ...work.done },
    names: { address: location.origin, mount: own.mount ?? 'cert', role: own.role ?? 'runners', ...work.names },
  };
}

function useAccess(enabled: boolean) {
  const again = { refetchInterval: EVERY_MS };
  const mounts = useQuery({ ...access.query('GET /sys/internal/ui/mounts', {}), ...again, enabled });
  const [path] = Object.entries(mounts.data?.data.auth ?? {}).find(([, { type }]) => type === 'cert') ?? [];
  const mount = path?.replace(/\/$/, '');
  const roles = `auth/${mount ?? 'cert'}/certs`;
  const policies = 'sys/policies/acl';
  const may = useQuery({
    ...access.query('POST /sys/capabilities-self', { body: { paths: [roles, policies] } }),
    enabled: enabled && mounts.isSuccess,
  });
  const lists = (place: string) => {
    const capabilities = may.data?.data[place];
    return Array.isArray(capabilities) && ['root', 'list'].some((one) => capabilities.includes(one));
  };
  const listed = { query: { list: 'true', limit: 10 } } as const;
  const role = useQuery({
    ...access.query('GET /auth/{cert_mount_path}/certs/', {
      path: { cert_mount_path: mount ?? '' },
      query: { ...listed.query, detail: true },
    }),
    ...again,
    enabled: mount !== undefined && lists(roles),
  });
  const policy = useQuery({
    ...access.query('GET /sys/policies/acl/', listed),
    ...again,
    enabled: lists(policies),
  });
  return {
    mount,
    role: role.data?.data.keys[0],
    done: {
      mount: mounts.data && mount !== undefined,
      role: known(role) && (role.data?.data.keys.length ?? 0) > 0,
      policy: policy.data?.data.keys.some((name) => !OWN_POLICIES.includes(name)),
    },
  };
}

function useWork(enabled: boolean) {
  const again = { refetchInterval: EVERY_MS };
  const organizations = useQuery({
    ...workspaces.query('GET /organizations', { query: { 'page[size]': '1' } }),
    ...again,
    enabled,
  });
  const organization = organizations.data?.data[0]?.attributes.name;
  const path = { organization_name: organization ?? '' };
  const isThere = organization !== undefined;
  const teams = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/teams', { path, query: { 'page[size]': '20' } }),
    ...again,
    enabled: isThere,
  });
  const others = teams.data?.data.filter(({ attributes }) => attributes.name !== 'owners') ?? [];
  const identities = useQueries({
    queries: others.slice(0, MOST_TEAMS).map(({ id }) => ({
      ...workspaces.query('GET /teams/{team_id}/machine-identities', { path: { team_id: id }, query: {} }),
      ...again,
    })),
  });
  const list = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/workspaces', {
      path,
      query: { 'page[size]': '100', sort: '-latest-change-at' },
    }),
    ...again,
    enabled: isThere,
  });
  const latest = list.data?.data[0];
  const locks = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/lock-events', {
      path: { workspace_id: latest?.id ?? '' },
      query: { 'page[size]': '1' },
    }),
    enabled: latest?.attributes.permissions['can-read-settings'] === true,
  });
  const hasIdentity = identities.some(({ data }) => (data?.data.length ?? 0) > 0);
  const isLocked = list.data?.data.some(({ attributes }) => attributes.locked) || (locks.data?.data.length ?? 0) > 0;
  return {
    names: {
      organization: organization ?? 'acme',
      team: others[0]?.attributes.name ?? 'runners',
      teamId: others[0]?.id ?? 'team-…',
      workspace: latest?.attributes.name ?? 'first',
    },
    done: {
      organization: enabled ? organizations.data && isThere : undefined,
      team: isThere ? teams.data && others.length > 0 : enabled ? false : undefined,
      identity: isThere ? hasIdentity : enabled ? false : undefined,
      lock: isThere ? isLocked : enabled ? false : undefined,
    },
  };
}

const known = ({ data }: { readonly data: unknown }): true | undefined => (data === undefined ? undefined : true);

import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AccessSchemas, access } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';

export const LIST = 'GET /auth/{cert_mount_path}/certs/';
/** Roles whose details one answer has. */
const PAGE = 100;

/** A role as far as it is known: the list has names, and details come as somebody looks at them. */
export interface Role {
  readonly name: string;
  /** Undefined while it is on its way. */
  readonly info: AccessSchemas['CertRoleInfo'] | 'unreadable' | undefined;
}

/** All roles of a mount by name, with the details of those in view. An empty list is 404 there. */
export function useRoles(mount: string, part: string) {
  const path = { cert_mount_path: mount };
  const names = useQuery({
    queryKey: [...access.key(LIST), mount, 'names'],
    queryFn: async ({ signal }) => {
      try {
        return (await access.query(LIST, { path, query: { list: 'true' } }).queryFn({ signal })).data.keys;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return [];
        throw error;
      }
    },
  });
  const all = names.data ?? [];
  const found = all.map((name, at) => ({ name, at })).filter(({ name }) => name.includes(part.toLowerCase()));
  const [[from, to], setShown] = useState<readonly [number, number]>([0, 0]);
  const pages = [...new Set(found.slice(from, to + 1).map(({ at }) => Math.floor(at / PAGE)))];
  const read = useQueries({
    queries: pages.map((page) => {
      const after = all[page * PAGE - 1];
      return access.query(LIST, {
        path,
        query: { list: 'true' as const, detail: true, limit: PAGE, ...(after !== undefined && { after }) },
      });
    }),
  });
  const infoOf = (name: string, at: number): Role['info'] => {
    const answer = read[pages.indexOf(Math.floor(at / PAGE))];
    return answer?.data?.data.key_info?.[name] ?? (answer?.isSuccess ? 'unreadable' : undefined);
  };
  return {
    names,
    count: all.length,
    total: found.length,
    row: (index: number): Role | undefined => {
      const one = found[index];
      return one && { name: one.name, info: infoOf(one.name, one.at) };
    },
    show: (first: number, last: number) => setShown([first, last]),
  };
}

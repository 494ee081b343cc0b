import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AccessSchemas, access } from '../../api/client.ts';

export const LIST = 'GET /auth/{cert_mount_path}/certs/';
/** Roles whose details one answer has. */
const PAGE = 100;

/** A role as far as it is known: the list has names, and details come as somebody looks at them. */
export interface Role {
  readonly name: string;
  /** Undefined while it is on its way. */
  readonly info: AccessSchemas['CertRoleInfo'] | 'unreadable' | undefined;
}

/** All roles of a mount by name, with the details of those in view. */
export function useRoles(mount: string, part: string) {
  const detailed = (after: string | undefined) =>
    access.query(LIST, {
      path: { cert_mount_path: mount },
      query: { list: 'true' as const, detail: true, limit: PAGE, ...(after !== undefined && { after }) },
    });
  const first = useQuery(detailed(undefined));
  const begin = first.data?.data.keys ?? [];
  // Where there are more, the names of all: they are what is searched.
  const names = useQuery({
    ...access.query(LIST, { path: { cert_mount_path: mount }, query: { list: 'true' } }),
    enabled: begin.length === PAGE,
  });
  const all = names.data?.data.keys ?? begin;
  const found = all.map((name, at) => ({ name, at })).filter(({ name }) => name.includes(part.toLowerCase()));
  const [[from, to], setShown] = useState<readonly [number, number]>([0, 0]);
  const pages = [...new Set(found.slice(from, to + 1).map(({ at }) => Math.floor(at / PAGE)))];
  const read = useQueries({
    queries: pages.map((page) => detailed(all[page * PAGE - 1])),
  });
  const infoOf = (name: string, at: number): Role['info'] => {
    const answer = read[pages.indexOf(Math.floor(at / PAGE))];
    return answer?.data?.data.key_info?.[name] ?? (answer?.isSuccess ? 'unreadable' : undefined);
  };
  return {
    first,
    count: all.length,
    total: found.length,
    row: (index: number): Role | undefined => {
      const one = found[index];
      return one && { name: one.name, info: infoOf(one.name, one.at) };
    },
    show: (first: number, last: number) => setShown([first, last]),
  };
}

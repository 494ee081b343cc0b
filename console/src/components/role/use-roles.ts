import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Query } from '../../api/client.ts';

/** Number of roles in one detailed response. */
const PAGE = 100;

/** A role: its name from the list, and details that are loaded when it is visible. */
export interface Role<Info> {
  readonly name: string;
  /** Details of the role. Undefined while they load. */
  readonly info: Info | 'unreadable' | undefined;
}

interface Answer<Info> {
  readonly data: { readonly keys: readonly string[]; readonly key_info?: Readonly<Record<string, Info>> };
}

/** Query parameters of the role list. */
export interface Asked {
  readonly list: 'true';
  readonly detail?: boolean;
  readonly limit?: number;
  readonly after?: string;
}

/** Loads the names of all roles of a mount, and details of the visible ones. */
export function useRoles<Info>(list: (query: Asked) => Query<Answer<Info>>, part: string) {
  const detailed = (after: string | undefined) =>
    list({ list: 'true', detail: true, limit: PAGE, ...(after !== undefined && { after }) });
  const first = useQuery(detailed(undefined));
  const begin = first.data?.data.keys ?? [];
  // A full first page means that there may be more roles. The filter needs all names.
  const names = useQuery({ ...list({ list: 'true' }), enabled: begin.length === PAGE });
  const all = names.data?.data.keys ?? begin;
  const found = all.map((name, at) => ({ name, at })).filter(({ name }) => name.includes(part.toLowerCase()));
  const [[from, to], setShown] = useState<readonly [number, number]>([0, 0]);
  const pages = [...new Set(found.slice(from, to + 1).map(({ at }) => Math.floor(at / PAGE)))];
  const read = useQueries({ queries: pages.map((page) => detailed(all[page * PAGE - 1])) });
  const infoOf = (name: string, at: number): Role<Info>['info'] => {
    const answer = read[pages.indexOf(Math.floor(at / PAGE))];
    return answer?.data?.data.key_info?.[name] ?? (answer?.isSuccess ? 'unreadable' : undefined);
  };
  return {
    first,
    count: all.length,
    total: found.length,
    row: (index: number): Role<Info> | undefined => {
      const one = found[index];
      return one && { name: one.name, info: infoOf(one.name, one.at) };
    },
    show: (first: number, last: number) => setShown([first, last]),
  };
}

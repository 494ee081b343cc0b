import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Query } from '../../api/client.ts';

/** Rows that are asked for at a time: the most that the server gives. */
export const PAGE = 100;

/** One page of a list, as the workspace API answers. */
interface Paged<T> {
  readonly data: readonly T[];
  readonly meta: { readonly pagination: { readonly 'total-count'?: number; readonly 'next-page'?: number | null } };
}

/** A list of any length, of which there is what somebody looks at. */
export interface Windowed<T, A> {
  /** Of the first page: says whether anything can be shown at all. */
  readonly first: UseQueryResult<A>;
  readonly total: number;
  /** Undefined for a row that is on its way. */
  readonly row: (index: number) => { readonly item: T; readonly page: A } | undefined;
  /** Told which rows are looked at. */
  readonly show: (from: number, to: number) => void;
}

/**
 * Any window of a list that comes in pages: the server sorts, filters and counts, and only the pages that somebody looks at are
 * asked for.
 * @param pageOf the query of a page, from 1 on, of `PAGE` rows
 */
export function useWindowed<A extends Paged<unknown>>(
  pageOf: (page: number) => Query<A>,
  everyMs: number,
): Windowed<A['data'][number], A> {
  const [pages, setPages] = useState('');
  const options = (page: number) => ({ ...pageOf(page), refetchInterval: everyMs });
  const first = useQuery({ ...options(1), placeholderData: keepPreviousData });
  const wanted = pages === '' ? [] : pages.split(',').map(Number);
  const others = useQueries({
    queries: wanted.map(options),
  });
  const read = new Map<number, A | undefined>([
    [1, first.data],
    ...wanted.map((page, index) => [page, others[index]?.data] as const),
  ]);
  const total = useFurthest(
    JSON.stringify(pageOf(1).queryKey),
    [...read].map(([page, answer]) => endOf(page, answer)),
  );
  return {
    first,
    total: first.data?.meta.pagination['total-count'] ?? total,
    row: (index) => {
      const page = read.get(Math.floor(index / PAGE) + 1);
      const item = page?.data[index % PAGE];
      return page === undefined || item === undefined ? undefined : { item, page };
    },
    show: (from, to) => {
      const last = Math.floor(to / PAGE) + 1;
      const next = [];
      for (let page = Math.max(2, Math.floor(from / PAGE) + 1); page <= last; page++) next.push(page);
      setPages(next.join());
    },
  };
}

/** How many rows there are as far as a page tells: one more where others follow, which is asked for when somebody comes there. */
function endOf(page: number, answer: Paged<unknown> | undefined): number {
  if (answer === undefined) return 0;
  const more = answer.meta.pagination['next-page'] ? 1 : 0;
  return (page - 1) * PAGE + answer.data.length + more;
}

/** Of a list that nobody counts: pages that are not looked at any more are there all the same. */
function useFurthest(list: string, ends: readonly number[]): number {
  const known = useRef({ list, rows: 0 });
  const end = Math.max(...ends);
  const isShort = ends[0] !== undefined && ends[0] <= PAGE;
  const before = known.current.list === list && !isShort ? known.current.rows : 0;
  known.current = { list, rows: Math.max(before, end) };
  return known.current.rows;
}

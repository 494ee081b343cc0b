import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Query } from '../../api/client.ts';

/** Page size: the server's maximum. */
export const PAGE = 100;

/** One page of a list, as the workspace API returns it. */
interface Paged<T> {
  readonly data: readonly T[];
  readonly meta: { readonly pagination: { readonly 'total-count'?: number; readonly 'next-page'?: number | null } };
}

/** A list of any length, of which only the visible pages are loaded. */
export interface Windowed<T, A> {
  /** Query of the first page, for the states of the whole list. */
  readonly first: UseQueryResult<A>;
  readonly total: number;
  /** Returns a row; undefined while it loads. */
  readonly row: (index: number) => { readonly item: T; readonly page: A } | undefined;
  /** Called with the range of visible rows. */
  readonly show: (from: number, to: number) => void;
}

/**
 * Loads the visible pages of a list. The server sorts, filters and counts.
 * @param pageOf returns the query of a page, from 1, with `PAGE` rows
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

/** Number of rows that a page proves to exist: one more if a next page exists, so that scrolling loads it. */
function endOf(page: number, answer: Paged<unknown> | undefined): number {
  if (answer === undefined) return 0;
  const more = answer.meta.pagination['next-page'] ? 1 : 0;
  return (page - 1) * PAGE + answer.data.length + more;
}

/**
 * Remembers the highest known row of a list without a total, so that the list keeps its length while other pages are
 * shown.
 */
function useFurthest(list: string, ends: readonly number[]): number {
  const known = useRef({ list, rows: 0 });
  const end = Math.max(...ends);
  const isShort = ends[0] !== undefined && ends[0] <= PAGE;
  const before = known.current.list === list && !isShort ? known.current.rows : 0;
  known.current = { list, rows: Math.max(before, end) };
  return known.current.rows;
}

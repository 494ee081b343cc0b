import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Query } from '../../api/client.ts';

/** Rows that are asked for at a time: the most that the server gives. */
export const PAGE = 100;

/** One page of a list, as the workspace API answers. */
interface Paged<T> {
  readonly data: readonly T[];
  readonly meta: { readonly pagination: { readonly 'total-count'?: number } };
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
  return {
    first,
    total: first.data?.meta.pagination['total-count'] ?? 0,
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

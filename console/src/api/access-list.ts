import { type QueryKey, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { Query } from './client.ts';
import { ApiError } from './error.ts';

/** Response of list operations of the access API: names, and optional details of each name. */
interface KeyList<Info> {
  readonly data: { readonly keys: readonly string[]; readonly key_info?: Readonly<Record<string, Info>> };
}

export interface Listed<Info> {
  readonly key: string;
  readonly info: Info | undefined;
}

/**
 * Loads a list of the access API page by page, each after the last name of the previous one. The API returns an empty
 * list with 404; this hook returns an empty list instead.
 * @param ask returns the query for the page after a name
 * @param size names in a page
 */
export function useAccessList<Info>(
  ask: (after: string) => Query<KeyList<Info>>,
  size: number,
  { everyMs, isOn = true }: { readonly everyMs?: number; readonly isOn?: boolean } = {},
) {
  const query = useInfiniteQuery({
    queryKey: [...ask('').queryKey, 'pages'] as QueryKey,
    queryFn: async ({ pageParam, signal }) => {
      try {
        const { data } = await ask(pageParam).queryFn({ signal });
        return data.keys.map((key): Listed<Info> => ({ key, info: data.key_info?.[key] }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return [];
        throw error;
      }
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.length < size ? undefined : last.at(-1)?.key),
    enabled: isOn,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
  return {
    /** All pages that have been read so far. */
    query: { ...query, data: query.data?.pages.flat() } as unknown as UseQueryResult<readonly Listed<Info>[]>,
    hasMore: query.hasNextPage,
    more: () => void query.fetchNextPage(),
    isFetchingMore: query.isFetchingNextPage,
  };
}

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './error.ts';

/** Time for which a cached response counts as fresh, milliseconds. */
const FRESH_MS = 5_000;
/** Maximum number of retries, enough for a server restart. After that the user decides. */
const MOST_TRIES = 6;

/** @param refused called for each refused request, because the session may have expired */
export function createQueries(refused: (error: ApiError) => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.isRefusal) refused(error);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: 'always',
        retry: (failures, error) => error instanceof ApiError && error.isPassing && failures < MOST_TRIES,
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 8_000),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

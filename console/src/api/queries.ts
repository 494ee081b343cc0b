import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './error.ts';

/** How long something that was read a moment ago is shown without asking again, milliseconds. */
const FRESH_MS = 5_000;
/** A server that restarts is there again within this many tries; after that people decide. */
const MOST_TRIES = 6;

/** @param refused told of each answer that refuses: the session may have ended */
export function createQueries(refused: (error: ApiError) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.isRefusal) refused(error);
      },
    }),
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

import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { workspaces } from './client.ts';

/** Mutation of the workspace API: invalidates all cached responses of that API. */
export function useChange<I = void, A = unknown>(
  change: (input: I) => Promise<A>,
  done: (answer: A, input: I) => unknown = () => undefined,
): UseMutationResult<A, Error, I> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer, input) => {
      // `done` may leave the page of a deleted resource. It must finish first, or the page would load the resource
      // again.
      await done(answer, input);
      void queries.invalidateQueries({ queryKey: workspaces.key() });
    },
  });
}

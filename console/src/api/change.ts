import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { workspaces } from './client.ts';

/** Something that changes the workspaces half: what is shown of it is asked for again. */
export function useChange<I = void, A = unknown>(
  change: (input: I) => Promise<A>,
  done: (answer: A, input: I) => unknown = () => undefined,
): UseMutationResult<A, Error, I> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer, input) => {
      // Whoever leaves a page whose thing is gone asks for it no more: first they leave.
      await done(answer, input);
      void queries.invalidateQueries({ queryKey: workspaces.key() });
    },
  });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from './session.ts';

/** Signs out on the server and clears all cached responses. */
export function useSignOut(then: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      queries.clear();
      then();
    },
  });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from './session.ts';

/** Ends the session here and on the server. Nothing that was read stays. */
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

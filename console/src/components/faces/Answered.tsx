import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/error.ts';
import { Banner } from '../banner/Banner.tsx';
import { Loading } from './Bone.tsx';
import { Fault, NotAllowed } from './Faces.tsx';

interface AnsweredProps<T> {
  readonly query: UseQueryResult<T>;
  /** What is read, as the beginning of a sentence: `Workspaces`. */
  readonly what: string;
  /** In the form of what comes. */
  readonly bones?: ReactNode;
  /** What is missing where it is refused: a permission, a policy. */
  readonly missing?: ReactNode;
  /** Nothing else is on the page while it is not there. */
  readonly isPage?: boolean;
  /** What to show of it; says itself what an empty answer looks like. */
  readonly children: (data: T) => ReactNode;
}

/** The faces of whatever is read: on its way, refused, failed, or there. */
export function Answered<T>({ query, what, bones, missing, isPage = false, children }: AnsweredProps<T>) {
  const { data, error, failureReason, isPending, refetch } = query;
  if (data !== undefined) {
    return (
      <>
        {failureReason && <Stale error={failureReason} />}
        {children(data)}
      </>
    );
  }
  if (isPending && !error) {
    return (
      <>
        {failureReason && <Stale error={failureReason} />}
        <Loading what={what}>{bones}</Loading>
      </>
    );
  }
  const fault = error instanceof ApiError ? error : new ApiError(0, String(error?.message ?? 'unknown'), '');
  if (fault.isRefusal) return <NotAllowed what={what} error={fault} missing={missing} isPage={isPage} />;
  return <Fault what={what} error={fault} onRetry={() => void refetch()} isPage={isPage} />;
}

/** It was asked again and could not answer: what is shown is what it said before. */
function Stale({ error }: { readonly error: Error }) {
  return (
    <Banner is="attention" icon="warn">
      {error instanceof ApiError && error.status === 0 ? 'The server does not answer' : error.message}. It is asked
      again.
    </Banner>
  );
}

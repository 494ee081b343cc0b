import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/error.ts';
import { Banner } from '../banner/Banner.tsx';
import { Fault, NotAllowed } from './PageStates.tsx';
import { Loading } from './Skeleton.tsx';
import * as texts from './texts.ts';

interface QueryResultProps<T> {
  readonly query: UseQueryResult<T>;
  /** Subject of the messages, as the start of a sentence: `Workspaces`. */
  readonly what: string;
  /** Placeholder in the shape of the expected content. */
  readonly bones?: ReactNode;
  /** Missing permission or policy, shown if the server refuses. */
  readonly missing?: ReactNode;
  /** Whether the query provides the whole content of the page. */
  readonly isPage?: boolean;
  /** Renders the data, including an empty response. */
  readonly children: (data: T) => ReactNode;
}

/** Renders the state of a query: loading, refused, failed, or its data. */
export function QueryResult<T>({ query, what, bones, missing, isPage = false, children }: QueryResultProps<T>) {
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

/** A refresh has failed; the page still shows the previous data. */
function Stale({ error }: { readonly error: Error }) {
  return (
    <Banner is="attention" icon="warn">
      {texts.theConsoleTriesAgain(
        error instanceof ApiError && error.status === 0 ? texts.theServerDoesNotAnswer : error.message,
      )}
    </Banner>
  );
}

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import type { Schemas } from '../../api/generated/access.ts';
import type { Test } from './question.ts';

export const EXPLAIN = 'POST /sys/policies/explain';
type Body = Schemas['PoliciesExplainRequest'];

/** Responses contain policy texts, so they are cached only briefly. */
const KEPT_MS = 10_000;

/** Policies to check, and an optional draft. */
export type Subject = Pick<Body, 'policies' | 'accessor' | 'draft' | 'draft_name'>;

const asked = (body: Body, isOn: boolean) => ({
  ...access.query(EXPLAIN, { body }),
  enabled: isOn,
  gcTime: KEPT_MS,
  retry: false,
});

/** Requests an explanation of a request from the server, again for each draft. */
export function useExplanation(body: Body, isOn: boolean) {
  return useQuery({ ...asked(body, isOn), placeholderData: keepPreviousData });
}

export type Explained = ReturnType<typeof useExplanation>;

/** Runs the tests; a result is undefined until it is known. */
export function useTests(tests: readonly Test[], subject: Subject, isOn: boolean): readonly (boolean | undefined)[] {
  const answers = useQueries({
    queries: tests.map(({ path, capability }) => asked({ ...subject, path, capability }, isOn)),
  });
  return tests.map(({ allowed }, index) => {
    const answer = answers[index]?.data?.data;
    return answer && answer.allowed === allowed;
  });
}

/** Returns the server's message about a draft that it cannot parse. */
export const refusalOf = ({ error }: Explained): string | undefined =>
  error instanceof ApiError && error.status === 400 ? error.message : undefined;

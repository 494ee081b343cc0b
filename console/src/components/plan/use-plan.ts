import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { parseExactJson } from '../../../../src/lib/exact-json/exact-json.ts';
import { type Plan, readPlan } from '../../../../src/lib/plan/plan.ts';
import { read } from '../../api/bytes.ts';
import { ApiError } from '../../api/error.ts';
import * as texts from './texts.ts';

/** Maximum size of a plan that a page reads, bytes. */
const MOST_BYTES = 16 * 1_048_576;

/** Plan data, or the reason why there is none. */
export type PlanAnswer =
  | { readonly is: 'plan'; readonly plan: Plan }
  /** The plan was not uploaded as data, is too large, is not readable for the user, or is invalid. */
  | { readonly is: 'words'; readonly why: string };

const addressOf = (planId: string): string => `/api/v2/plans/${planId}/json-output-redacted`;

/** Loads the plan as data once it is ready. */
export function usePlan(planId: string | undefined, isMade: boolean): UseQueryResult<PlanAnswer> {
  return useQuery({
    queryKey: ['plan', planId],
    enabled: planId !== undefined && isMade,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => planAt(addressOf(planId ?? ''), signal),
  });
}

async function planAt(address: string, signal: AbortSignal): Promise<PlanAnswer> {
  const answer = await read(address, signal).catch((error: unknown) => {
    if (error instanceof ApiError && error.isRefusal) return undefined;
    throw error;
  });
  if (answer === undefined) return { is: 'words', why: texts.youHaveNoPermission };
  if (answer.status === 204) return { is: 'words', why: texts.theClientThatMade };
  const text = await bounded(answer);
  if (text === undefined) return { is: 'words', why: texts.thePlanIsToo };
  try {
    return { is: 'plan', plan: readPlan(parseExactJson(text)) };
  } catch {
    return { is: 'words', why: texts.theUploadedDataIs };
  }
}

/** Reads a response up to the size limit; undefined if it is larger. */
async function bounded(answer: Response): Promise<string | undefined> {
  if (Number(answer.headers.get('content-length') ?? 0) > MOST_BYTES) {
    await answer.body?.cancel();
    return undefined;
  }
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const part = await reader?.read();
    if (!part?.value) return text + decoder.decode();
    bytes += part.value.length;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
}

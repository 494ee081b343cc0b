import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { parseExactJson } from '../../../../src/lib/exact-json/exact-json.ts';
import { read } from '../../api/bytes.ts';
import { ApiError } from '../../api/error.ts';
import { type Plan, readPlan } from './plan.ts';

/** A larger one is not read into a page, bytes. */
const MOST_BYTES = 16 * 1_048_576;

/** What there is to show of a plan. */
export type PlanAnswer =
  | { readonly is: 'plan'; readonly plan: Plan }
  /** Nobody handed it in, it is too large, it is for others, or it is none: in words. */
  | { readonly is: 'words'; readonly why: string };

const addressOf = (planId: string): string => `/api/v2/plans/${planId}/json-output-redacted`;

/** The plan as data, once it is made. */
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
  if (answer === undefined) return { is: 'words', why: 'You may not read it as data.' };
  if (answer.status === 204) return { is: 'words', why: 'Whoever made it did not hand it in as data.' };
  const text = await bounded(answer);
  if (text === undefined) return { is: 'words', why: 'It is too large for a page.' };
  try {
    return { is: 'plan', plan: readPlan(parseExactJson(text)) };
  } catch {
    return { is: 'words', why: 'What was handed in is not a plan.' };
  }
}

/** Undefined for more than a page should hold. */
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

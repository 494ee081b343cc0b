import { ApiError, messageOf } from './error.ts';
import { MARK } from './request.ts';
import * as texts from './texts.ts';

/**
 * Reads a response that is no JSON document: a log or a plan.
 * @throws ApiError
 */
export async function read(address: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(address, { headers: MARK, ...(signal && { signal }) }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, texts.serverUnreachable, '');
  });
  if (response.ok) return response;
  const said: unknown = await response.json().catch(() => undefined);
  throw new ApiError(response.status, messageOf(said, response.status), response.headers.get('x-request-id') ?? '');
}

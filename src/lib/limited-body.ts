import type { Readable } from 'node:stream';
import { AppError } from './errors.ts';

/**
 * Streams the body of a request and enforces a size limit.
 * @param announced the `Content-Length` of the request, if it has one
 * @param limit bytes
 * @throws AppError `too-large`, before the first byte if `Content-Length` exceeds the limit; `bad-request` if the body
 * is truncated
 */
export async function* limitedBody(
  payload: Readable,
  announced: string | undefined,
  limit: number,
): AsyncGenerator<Buffer> {
  if (Number(announced ?? 0) > limit) throw tooLarge();
  let length = 0;
  try {
    // The stream stays open after an early return, because the response uses the same connection.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > limit) throw tooLarge();
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad-request', 'the request body is incomplete', { cause });
  }
}

const tooLarge = (): AppError => new AppError('too-large', 'the request body is too large');

import type { Readable } from 'node:stream';
import { AppError } from './errors.ts';

/**
 * The body of a request as it comes.
 * @param announced its `Content-Length`, if it has one
 * @param limit bytes
 * @throws AppError `too-large`, before anything is read where that was announced; `bad-request` when it was cut short
 */
export async function* limitedBody(
  payload: Readable,
  announced: string | undefined,
  limit: number,
): AsyncGenerator<Buffer> {
  if (Number(announced ?? 0) > limit) throw tooLarge();
  let length = 0;
  try {
    // A stream that is left early is not destroyed: the answer has to go out on the same connection.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > limit) throw tooLarge();
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad-request', 'the request was cut short', { cause });
  }
}

const tooLarge = (): AppError => new AppError('too-large', 'the request body is too large');

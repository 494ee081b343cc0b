import { Readable } from 'node:stream';
import { AppError } from '../../lib/errors.ts';

/** Streams a request's body. A body that is cut short is the client's error. */
export async function* bodyOf(request: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // The request is not destroyed, because its response uses the same connection.
    yield* request instanceof Readable ? request.iterator({ destroyOnReturn: false }) : request;
  } catch (cause) {
    throw new AppError('bad-request', 'The request body was cut short', { cause });
  }
}

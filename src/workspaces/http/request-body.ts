import { Readable } from 'node:stream';
import { AppError } from '../../lib/errors.ts';

/** What a client sends, as long as it sends; its end in the middle is the client's error. */
export async function* bodyOf(request: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // A request that is left early is not destroyed: its answer has to go out on the same connection.
    yield* request instanceof Readable ? request.iterator({ destroyOnReturn: false }) : request;
  } catch (cause) {
    throw new AppError('bad-request', 'The request was cut short', { cause });
  }
}

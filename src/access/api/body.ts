import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';

/**
 * Reads bodies as clients of the field send them: JSON under any content type, or none. How much is read is a matter of the
 * operation.
 * @param limitOf bytes
 */
export function acceptAnyJson(app: FastifyInstance, limitOf: (request: FastifyRequest) => number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
    parseJson(await readAll(payload, limitOf(request), Number(request.headers['content-length'] ?? 0))),
  );
}

const tooLarge = (): AppError => new AppError('too-large', 'the request body is too large');

async function readAll(payload: Readable, limit: number, announced: number): Promise<Buffer> {
  if (announced > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // A stream that is left early is not destroyed: the answer has to go out on the same connection.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > limit) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad-request', 'the request was cut short', { cause });
  }
  return Buffer.concat(chunks, length);
}

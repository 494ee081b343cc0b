import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { readLongJson } from '../../lib/long-json.ts';

/** How much of a body is read, and how: a matter of the operation. */
export interface BodyRules {
  /** Bytes. */
  readonly limit: number;
  /** Long texts in it come in pieces. */
  readonly longTexts: boolean;
}

/** Reads bodies as clients of the field send them: JSON under any content type, or none. */
export function acceptAnyJson(app: FastifyInstance, rulesOf: (request: FastifyRequest) => BodyRules): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { limit, longTexts } = rulesOf(request);
    if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
    const chunks = limited(payload, limit);
    return longTexts ? readLongJson(chunks) : parseJson(await collected(chunks));
  });
}

const tooLarge = (): AppError => new AppError('too-large', 'the request body is too large');

async function* limited(payload: Readable, limit: number): AsyncGenerator<Buffer> {
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

async function collected(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from '../../lib/json.ts';
import { limitedBody } from '../../lib/limited-body.ts';
import { readLongJson } from '../../lib/long-json/long-json.ts';

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
    const whole = longTexts ? undefined : wholeOf(payload, limit);
    if (whole) return parseJson(whole);
    const chunks = limitedBody(payload, request.headers['content-length'], limit);
    return longTexts ? readLongJson(chunks) : parseJson(await collected(chunks));
  });
}

/** A body that has come as a whole by now, as most have when somebody has been let in; undefined for any other. */
function wholeOf(payload: Readable, limit: number): Buffer | undefined {
  if (!(payload instanceof IncomingMessage) || !payload.complete) return undefined;
  const { readableLength: length, headers } = payload;
  if (length > limit || headers['content-length'] !== String(length)) return undefined;
  return payload.read() ?? undefined;
}

async function collected(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

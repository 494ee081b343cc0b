import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { limitedBody } from '../../lib/limited-body.ts';
import { readLongJson } from '../../lib/long-json/long-json.ts';
import { isForm, MAX_FORM_BYTES, maySendForm, parseForm } from './form.ts';

/** How an operation's body is read. */
export interface BodyRules {
  /** Maximum size in bytes. */
  readonly limit: number;
  /** Whether long texts are read as `LongText`. */
  readonly longTexts: boolean;
}

/** Reads bodies as official clients send them: JSON with any content type, a form, or none. */
export function acceptAnyJson(app: FastifyInstance, rulesOf: (request: FastifyRequest) => BodyRules): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { limit, longTexts } = rulesOf(request);
    const parse = maySendForm(request) ? parseFormOrJson : parseJson;
    const whole = longTexts ? undefined : wholeOf(payload, limit);
    if (whole) return parse(whole);
    const chunks = limitedBody(payload, request.headers['content-length'], limit);
    if (!longTexts) return parse(await collected(chunks));
    return maySendForm(request) ? readLongFormOrJson(chunks) : readLongJson(chunks);
  });
}

const parseFormOrJson = (bytes: Uint8Array): unknown => (isForm(bytes) ? parseForm(bytes) : parseJson(bytes));

/** Reads a form as a whole, and JSON in pieces. The first bytes decide. */
async function readLongFormOrJson(chunks: AsyncIterable<Buffer>): Promise<unknown> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const all = rejoined(first.done ? [] : [first.value], iterator);
  if (first.done || !isForm(first.value)) return readLongJson(all);
  return parseForm(await collected(all, MAX_FORM_BYTES));
}

async function* rejoined(first: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Returns a body that has arrived completely, or undefined. Most bodies have when authentication is done. */
function wholeOf(payload: Readable, limit: number): Buffer | undefined {
  if (!(payload instanceof IncomingMessage) || !payload.complete) return undefined;
  const { readableLength: length, headers } = payload;
  if (length > limit || headers['content-length'] !== String(length)) return undefined;
  return payload.read() ?? undefined;
}

/** @throws AppError too-large above `most` bytes */
async function collected(chunks: AsyncIterable<Buffer>, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const all: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most) throw new AppError('too-large', 'a form of this size is not supported; send the body as JSON');
    all.push(chunk);
  }
  return Buffer.concat(all);
}

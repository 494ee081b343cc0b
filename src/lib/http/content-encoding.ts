import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { FetchError, networkError } from './fetch-error.ts';

const GZIP: ReadonlySet<string> = new Set(['gzip', 'x-gzip']);

/**
 * Yields the decoded content of a response (RFC 9110 §8.4). The client requests no encoding, but servers of CRLs may
 * send gzip anyway. Encoded bytes are limited too, because gzip without content has no end.
 * @throws FetchError `encoding` for any other encoding, `too-large`
 */
export async function* limitedContent(incoming: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  if (!isEncoded(incoming)) return yield* limited(incoming, maxBytes);
  const encoding = encodingOf(incoming);
  if (!GZIP.has(encoding))
    throw new FetchError(
      'encoding',
      `the content is encoded as ${JSON.stringify(encoding.slice(0, 40))}; only gzip is supported`,
    );
  // The reader of the stream gets the error.
  yield* limited(
    pipeline(
      limited(incoming, maxBytes),
      process.getBuiltinModule('node:zlib').createGunzip(),
      () => {},
    ) as AsyncIterable<Buffer>,
    maxBytes,
  );
}

export function isEncoded(incoming: IncomingMessage): boolean {
  return !['', 'identity'].includes(encodingOf(incoming));
}

function encodingOf({ headers }: IncomingMessage): string {
  return (headers['content-encoding'] ?? '').trim().toLowerCase();
}

/** @throws FetchError `too-large` at the first byte above the limit */
async function* limited(content: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of content) {
    received += chunk.length;
    if (received > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

export function tooLarge(maxBytes: number): FetchError {
  return new FetchError('too-large', `more than ${maxBytes} bytes`, { maxBytes });
}

/** Distinguishes an error of the content from one of the connection. */
export function contentError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('Z_')) return networkError(error);
  return new FetchError('encoding', 'the content is not valid gzip, or is truncated', {
    cause: error,
  });
}

import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FetchError, networkError } from './fetch-error.ts';

const GZIP: ReadonlySet<string> = new Set(['gzip', 'x-gzip']);

/**
 * Returns the content of an answer as it was before its server encoded it (RFC 9110 §8.4). We ask for none, but servers of CRLs
 * send gzip all the same: other clients ask for it, and nobody notices. The caller bounds the bytes that come out.
 * @throws FetchError `encoding` for any other encoding
 */
export function decodedContent(incoming: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = (incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return incoming;
  if (!GZIP.has(encoding)) {
    incoming.destroy();
    throw new FetchError(
      'encoding',
      `the content is encoded as ${JSON.stringify(encoding.slice(0, 40))}; only gzip is read`,
    );
  }
  // The reader of the stream gets the error.
  return pipeline(incoming, createGunzip(), () => {});
}

/** Tells an error of the content from one of the connection. */
export function contentError(error: unknown): FetchError {
  const { code } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('Z_')) return networkError(error);
  return new FetchError('encoding', 'the content is not the gzip that its header says, or it is cut off', {
    cause: error,
  });
}

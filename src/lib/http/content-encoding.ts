import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FetchError, networkError } from './fetch-error.ts';

const GZIP: ReadonlySet<string> = new Set(['gzip', 'x-gzip']);

/**
 * Returns the decoded content of a response (RFC 9110 §8.4). The client requests no encoding, but servers of CRLs may
 * send gzip anyway. The caller limits the decoded bytes.
 * @throws FetchError `encoding` for any other encoding
 */
export function decodedContent(incoming: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = (incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return incoming;
  if (!GZIP.has(encoding)) {
    incoming.destroy();
    throw new FetchError(
      'encoding',
      `the content is encoded as ${JSON.stringify(encoding.slice(0, 40))}; only gzip is supported`,
    );
  }
  // The reader of the stream gets the error.
  return pipeline(incoming, createGunzip(), () => {});
}

/** Distinguishes an error of the content from one of the connection. */
export function contentError(error: unknown): FetchError {
  const { code } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('Z_')) return networkError(error);
  return new FetchError('encoding', 'the content is not valid gzip, or is truncated', {
    cause: error,
  });
}

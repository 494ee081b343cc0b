import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type FetchError, reasonOf } from '../../../lib/http/fetch-error.ts';
import { HttpClient } from '../../../lib/http/http-client.ts';

/**
 * Vendors redirect downloads to other hosts.
 * @limit redirects to an engine, redirects -> the download fails
 */
const MAX_REDIRECTS = 10;
/** @limit time without data during the download of an engine, ms -> the download fails */
const LONGEST_SILENCE = 60_000;

/** Uses the proxy of the environment. */
const client = new HttpClient({ connections: 'process' });

/**
 * Downloads a small file into memory.
 * @param limit bytes
 * @throws Error with the URL and the reason, also for a larger file
 */
export async function fetched(address: string, limit: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytesOf(address, limit, signal)) parts.push(part);
  return Buffer.concat(parts);
}

/** Downloads a large file to disk. @returns its SHA-256, in hexadecimal */
export async function fetchedInto(path: string, address: string, limit: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of bytesOf(address, limit, signal)) {
      hash.update(part);
      yield part;
    }
  };
  await pipeline(hashed, createWriteStream(path, { mode: 0o600 }), { signal });
  return hash.digest('hex');
}

async function* bytesOf(address: string, limit: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const limits = { idleMs: LONGEST_SILENCE, maxBytes: limit };
  const response = await client
    .send(new URL(address), { limits, maxRedirects: MAX_REDIRECTS, signal })
    .catch((cause) => {
      throw failure(cause, `cannot connect to ${address}`, address, limit);
    });
  if (response.status < 200 || response.status > 299) {
    response.discard();
    throw new Error(`${address} answered with status ${response.status}`);
  }
  try {
    yield* response.body;
  } catch (cause) {
    throw failure(cause, `the download of ${address} was interrupted`, address, limit);
  }
}

function failure(cause: unknown, text: string, address: string, limit: number): Error {
  const { kind, code } = cause as FetchError;
  if (kind === 'too-large') return new Error(`${address} is larger than ${limit} bytes`, { cause });
  return new Error(`${text}: ${code === 'ETIMEDOUT' ? 'timeout' : reasonOf(cause)}`, { cause });
}

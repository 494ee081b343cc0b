import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

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
  const response = await fetch(address, { signal }).catch((cause) => {
    throw new Error(`cannot connect to ${address}: ${reasonOf(cause)}`, { cause });
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${address} answered with status ${response.status}`);
  }
  let length = 0;
  try {
    for await (const part of response.body) {
      length += part.length;
      if (length > limit) break;
      yield part;
    }
  } catch (cause) {
    throw new Error(`the download of ${address} was interrupted: ${reasonOf(cause)}`, { cause });
  }
  if (length > limit) throw new Error(`${address} is larger than ${limit} bytes`);
}

/** Returns the reason of a network error, which `fetch` puts into `cause`. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return 'timeout';
  if (!(cause instanceof Error)) return message;
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? message);
}

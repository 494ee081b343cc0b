import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/**
 * A small file.
 * @param limit bytes
 * @throws Error with what is wrong with the address, where it does not answer with a file of that size
 */
export async function fetched(address: string, limit: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytesOf(address, limit, signal)) parts.push(part);
  return Buffer.concat(parts);
}

/** The same of a large one, into a file. @returns its SHA-256, in hexadecimal */
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
    throw new Error(`${address} cannot be reached: ${reasonOf(cause)}`, { cause });
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${address} answers ${response.status}`);
  }
  let length = 0;
  try {
    for await (const part of response.body) {
      length += part.length;
      if (length > limit) break;
      yield part;
    }
  } catch (cause) {
    throw new Error(`${address} was not sent to its end: ${reasonOf(cause)}`, { cause });
  }
  if (length > limit) throw new Error(`${address} is larger than ${limit} bytes`);
}

/** What the network says stands behind what is thrown. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return 'it took too long';
  if (!(cause instanceof Error)) return message;
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? message);
}

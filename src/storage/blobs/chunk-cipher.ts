import { createDecipheriv } from 'node:crypto';
import {
  CHUNK_BYTES,
  CHUNK_CIPHER,
  ChunkSealer,
  chunkNonce,
  CHUNKS_HEADER as HEADER,
  CHUNK_TAG_BYTES as TAG_BYTES,
} from '../../lib/chunks.ts';
import { KeyringError } from '../keyring.ts';

/*
 * AES-256-GCM for content of any length in constant memory. Each chunk is encrypted separately, with a key that
 * encrypts nothing else, so the number of the chunk serves as its nonce. The nonce also marks the last chunk, so that
 * chunks cannot be swapped, dropped or truncated (STREAM construction).
 */

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
type Sealed = readonly Uint8Array[];

/** Returns the encrypted chunk; the function takes ownership of the chunk. */
export type SealChunk = (chunk: Uint8Array, isLast: boolean) => Sealed | Promise<Sealed>;

/** Encrypts all chunks. While one is stored, the next is encrypted. */
export async function* sealEach(source: Bytes, seal: SealChunk): AsyncGenerator<Uint8Array> {
  let before: Sealed | Promise<Sealed> = [];
  for await (const { bytes, isLast } of chunksOf(source)) {
    const next = seal(bytes, isLast);
    // The next await receives the error; this handler avoids an unhandled rejection until then.
    if (next instanceof Promise) next.catch(() => {});
    yield* await before;
    before = next;
  }
  yield* await before;
}

/** @param key 32 bytes that are used for this content only */
export function sealChunks(key: Uint8Array, source: Bytes): AsyncGenerator<Uint8Array> {
  const sealer = new ChunkSealer(key);
  return sealEach(source, (chunk, isLast) => sealer.seal(chunk, isLast));
}

/** @throws KeyringError before any changed byte is returned */
export async function* openChunks(key: Uint8Array, source: Bytes): AsyncGenerator<Uint8Array> {
  let number = 0;
  for await (const { bytes, isLast } of framesOf(withoutHeader(source), CHUNK_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES) throw new KeyringError('an encrypted blob is truncated');
    const decipher = createDecipheriv(CHUNK_CIPHER, key, chunkNonce(number++, isLast), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plaintext = decipher.update(bytes.subarray(0, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      throw new KeyringError('an encrypted blob was changed, or belongs to something else');
    }
    yield plaintext;
  }
}

interface Frame {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Splits the plaintext into chunks, each in memory of its own. The last chunk is empty only if there is no content. */
async function* chunksOf(source: Bytes): AsyncGenerator<Frame> {
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let filled = 0;
  for await (const part of source) {
    for (let at = 0; at < part.length; ) {
      // Another byte has arrived, so this chunk is not the last one.
      if (filled === CHUNK_BYTES) {
        yield { bytes: chunk, isLast: false };
        chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
        filled = 0;
      }
      const taken = part.subarray(at, at + CHUNK_BYTES - filled);
      chunk.set(taken, filled);
      filled += taken.length;
      at += taken.length;
    }
  }
  yield { bytes: chunk.subarray(0, filled), isLast: true };
}

/**
 * Splits bytes into frames of `size` bytes; the last is shorter, and empty only if there is no content. All frames
 * share the same memory.
 */
async function* framesOf(source: Bytes, size: number): AsyncGenerator<Frame> {
  const frame = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (const part of source) {
    for (let at = 0; at < part.length; ) {
      // Another byte has arrived, so this frame is not the last one.
      if (filled === size) {
        yield { bytes: frame, isLast: false };
        filled = 0;
      }
      const taken = part.subarray(at, at + size - filled);
      frame.set(taken, filled);
      filled += taken.length;
      at += taken.length;
    }
  }
  yield { bytes: frame.subarray(0, filled), isLast: true };
}

async function* withoutHeader(source: Bytes): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const part of source) {
    if (head === undefined) {
      yield bufferOf(part);
      continue;
    }
    head = Buffer.concat([head, part]);
    if (head.length < HEADER.length) continue;
    if (!head.subarray(0, HEADER.length).equals(HEADER)) throw new KeyringError('this is not an encrypted blob');
    yield head.subarray(HEADER.length);
    head = undefined;
  }
  if (head !== undefined) throw new KeyringError('this is not an encrypted blob');
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

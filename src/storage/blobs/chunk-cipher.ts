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
 * AES-256-GCM over content of any length in constant memory: chunks that are sealed each for itself, under a key that seals
 * nothing else, so that the number of a chunk can be its nonce. Whether a chunk is the last is part of the nonce too: chunks
 * cannot be exchanged, left out or cut off.
 */

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
type Sealed = readonly Uint8Array[];

/** What is stored in the place of a chunk, which is the function's own from now on. */
export type SealChunk = (chunk: Uint8Array, isLast: boolean) => Sealed | Promise<Sealed>;

/** What is stored in the place of all chunks. While one is being stored, the next is being sealed. */
export async function* sealEach(source: Bytes, seal: SealChunk): AsyncGenerator<Uint8Array> {
  let before: Sealed | Promise<Sealed> = [];
  for await (const { bytes, isLast } of chunksOf(source)) {
    const next = seal(bytes, isLast);
    // Whoever waits for it next is told; until then nobody listens.
    if (next instanceof Promise) next.catch(() => {});
    yield* await before;
    before = next;
  }
  yield* await before;
}

/** @param key 32 bytes that were made for this content alone */
export function sealChunks(key: Uint8Array, source: Bytes): AsyncGenerator<Uint8Array> {
  const sealer = new ChunkSealer(key);
  return sealEach(source, (chunk, isLast) => sealer.seal(chunk, isLast));
}

/** @throws KeyringError before anything that was changed is given out */
export async function* openChunks(key: Uint8Array, source: Bytes): AsyncGenerator<Uint8Array> {
  let number = 0;
  for await (const { bytes, isLast } of framesOf(withoutHeader(source), CHUNK_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES) throw new KeyringError('a sealed blob is cut off');
    const decipher = createDecipheriv(CHUNK_CIPHER, key, chunkNonce(number++, isLast), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plaintext = decipher.update(bytes.subarray(0, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      throw new KeyringError('a sealed blob was changed, or belongs to something else');
    }
    yield plaintext;
  }
}

interface Frame {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** The plaintext in chunks, each in memory of its own. The last one is empty only when there is nothing at all. */
async function* chunksOf(source: Bytes): AsyncGenerator<Frame> {
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let filled = 0;
  for await (const part of source) {
    for (let at = 0; at < part.length; ) {
      // Only now is it known that the chunk is not the last one.
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
 * All frames have `size` bytes but the last one, which is empty only when there is nothing at all. Each is in the same memory
 * as the one before it.
 */
async function* framesOf(source: Bytes, size: number): AsyncGenerator<Frame> {
  const frame = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (const part of source) {
    for (let at = 0; at < part.length; ) {
      // Only now is it known that the frame is not the last one.
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
    if (!head.subarray(0, HEADER.length).equals(HEADER)) throw new KeyringError('this is not a sealed blob');
    yield head.subarray(HEADER.length);
    head = undefined;
  }
  if (head !== undefined) throw new KeyringError('this is not a sealed blob');
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

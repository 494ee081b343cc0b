import { createCipheriv, createDecipheriv } from 'node:crypto';
import { KeyringError } from '../keyring.ts';

/**
 * AES-256-GCM over content of any length in constant memory: chunks that are sealed each for itself, under a key that seals
 * nothing else, so that the number of a chunk can be its nonce. Whether a chunk is the last is part of the nonce too: chunks
 * cannot be exchanged, left out or cut off.
 */
const CIPHER = 'aes-256-gcm';
const CHUNK_BYTES = 131_072;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** Tells this format from those to come. */
const HEADER = Buffer.from('LKB1');

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** @param key 32 bytes that were made for this content alone */
export async function* sealChunks(key: Uint8Array, source: Bytes): AsyncGenerator<Uint8Array> {
  yield HEADER;
  let number = 0;
  for await (const { bytes, isLast } of framesOf(source, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(number++, isLast), { authTagLength: TAG_BYTES });
    yield cipher.update(bytes);
    cipher.final();
    yield cipher.getAuthTag();
  }
}

/** @throws KeyringError before anything that was changed is given out */
export async function* openChunks(key: Uint8Array, source: Bytes): AsyncGenerator<Uint8Array> {
  let number = 0;
  for await (const { bytes, isLast } of framesOf(withoutHeader(source), CHUNK_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES) throw new KeyringError('a sealed blob is cut off');
    const decipher = createDecipheriv(CIPHER, key, nonceOf(number++, isLast), { authTagLength: TAG_BYTES });
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

function nonceOf(number: number, isLast: boolean): Uint8Array {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, 0, 6);
  nonce[NONCE_BYTES - 1] = Number(isLast);
  return nonce;
}

interface Frame {
  readonly bytes: Buffer;
  readonly isLast: boolean;
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

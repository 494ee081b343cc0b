import { createCipheriv } from 'node:crypto';

/** Cipher that encrypts blobs of any length in chunks. `storage/blobs/chunk-cipher.ts` decrypts them. */
export const CHUNK_CIPHER = 'aes-256-gcm';
/** Size of the plaintext of a chunk. All chunks but the last have this size. */
export const CHUNK_BYTES = 131_072;
export const CHUNK_TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** First bytes of a blob. They identify the version of this format. */
export const CHUNKS_HEADER: Uint8Array = Buffer.from('LKB1');

/** Encrypts the chunks of one blob, in order. */
export class ChunkSealer {
  readonly #key: Uint8Array;
  #number = 0;

  /** @param key 32 bytes that are used for this blob only */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Returns the encrypted chunk, in new memory. */
  seal(chunk: Uint8Array, isLast: boolean): Uint8Array[] {
    const number = this.#number++;
    const cipher = createCipheriv(CHUNK_CIPHER, this.#key, chunkNonce(number, isLast), {
      authTagLength: CHUNK_TAG_BYTES,
    });
    const sealed = cipher.update(chunk);
    cipher.final();
    return [...(number === 0 ? [Uint8Array.from(CHUNKS_HEADER)] : []), sealed, cipher.getAuthTag()];
  }
}

/** Returns the nonce of a chunk: its number, and whether it is the last. */
export function chunkNonce(number: number, isLast: boolean): Uint8Array {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, 0, 6);
  nonce[NONCE_BYTES - 1] = Number(isLast);
  return nonce;
}

/**
 * Frees the memory of a chunk at once, if no other buffer shares it. This memory is outside of the heap, and the
 * garbage collector frees it only after tens of megabytes. No code may use the chunk afterwards.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

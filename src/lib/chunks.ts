import { createCipheriv } from 'node:crypto';

/** AES-256-GCM over content of any length, in chunks: see `storage/blobs/chunk-cipher.ts`, which opens them. */
export const CHUNK_CIPHER = 'aes-256-gcm';
/** Of the plaintext. All chunks have as many but the last. */
export const CHUNK_BYTES = 131_072;
export const CHUNK_TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** Tells this format from those to come. */
export const CHUNKS_HEADER: Uint8Array = Buffer.from('LKB1');

/** Seals the chunks of one content, in order. */
export class ChunkSealer {
  readonly #key: Uint8Array;
  #number = 0;

  /** @param key 32 bytes that were made for this content alone */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** What is stored in the place of a chunk, in memory of its own. */
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

/** The number of a chunk, and whether it is the last. */
export function chunkNonce(number: number, isLast: boolean): Uint8Array {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, 0, 6);
  nonce[NONCE_BYTES - 1] = Number(isLast);
  return nonce;
}

/**
 * Gives the memory of a chunk back at once, where it is theirs alone: it lies outside of the heap, where the collector lets tens of
 * megabytes gather before it looks. Nobody may hold on to them.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

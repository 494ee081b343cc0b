import { GitError } from '../git-remote.ts';

const FIRST_BYTES = 65_536;

/** Collects bytes of an unknown number in one buffer, which grows as they arrive. */
export class ByteCollector {
  readonly #maxBytes: number;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws GitError `limit` above the maximum size */
  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#maxBytes)
      throw new GitError('limit', `The Git server sent a pack of more than ${this.#maxBytes} bytes.`);
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** The operating system gives memory only to the pages that are written. */
  #grow(length: number): void {
    const size = Math.min(Math.max(length, this.#buffer.length * 2), this.#maxBytes);
    const buffer = Buffer.allocUnsafeSlow(size);
    buffer.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = buffer;
  }
}

import { createHash, type Hash, hash } from 'node:crypto';

/** Size of the buffer that collects parts until they are hashed (bytes). */
const GATHERED = 65_536;
/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const UTF8_BYTES = 3;
/** Length of a digest in bytes. */
const LENGTH = 16;

/**
 * Reusable SHA-256 over bytes that arrive in parts. Collects short inputs, which are the most frequent, and hashes
 * them in one call.
 */
export class DigestOfParts {
  readonly #gathered = Buffer.allocUnsafeSlow(GATHERED);
  #length = 0;
  #hash: Hash | undefined;

  /** Adds a part. Copies it, because the caller reuses the buffer. */
  add(part: Buffer): void {
    if (this.#length + part.length > GATHERED) this.#flush();
    if (part.length > GATHERED) {
      this.#hash?.update(part);
      return;
    }
    part.copy(this.#gathered, this.#length);
    this.#length += part.length;
  }

  /**
   * Returns the digest of all parts and of `last`, a short text, as a string with one character for each byte. Resets
   * the state for the next input.
   */
  end(last: string): string {
    if (this.#length + last.length * UTF8_BYTES > GATHERED) this.#flush();
    this.#length += this.#gathered.write(last, this.#length);
    const rest = this.#gathered.subarray(0, this.#length);
    const digest = this.#hash?.update(rest).digest('binary') ?? hash('sha256', rest, 'binary');
    this.#length = 0;
    this.#hash = undefined;
    return digest.slice(0, LENGTH);
  }

  #flush(): void {
    this.#hash ??= createHash('sha256');
    this.#hash.update(this.#gathered.subarray(0, this.#length));
    this.#length = 0;
  }
}

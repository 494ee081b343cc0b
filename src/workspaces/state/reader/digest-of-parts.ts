import { createHash, type Hash, hash } from 'node:crypto';

/** What is gathered until it is hashed (bytes). */
const GATHERED = 65_536;
/** Bytes of a character in UTF-8 (UTF-16 unit by unit). */
const UTF8_BYTES = 3;
/** Bytes. */
const LENGTH = 16;

/** A digest (SHA-256) of bytes that come in parts, again and again: cheap for the short ones, which most are. */
export class DigestOfParts {
  readonly #gathered = Buffer.allocUnsafeSlow(GATHERED);
  #length = 0;
  #hash: Hash | undefined;

  /** Copies, as the bytes are somebody else's to use again. */
  add(part: Buffer): void {
    if (this.#length + part.length > GATHERED) this.#flush();
    if (part.length > GATHERED) {
      this.#hash?.update(part);
      return;
    }
    part.copy(this.#gathered, this.#length);
    this.#length += part.length;
  }

  /** Of all parts, and of `last`, a short text: a character for each byte. The next ones begin anew. */
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

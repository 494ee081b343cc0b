import { createHash, type Hash, hash } from 'node:crypto';

/** What is gathered until it is hashed (bytes). */
const GATHERED = 65_536;
/** 128 bits. */
const LENGTH = 22;

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

  /** Of all parts, and of `last`. The next ones begin anew. */
  end(last: string): string {
    this.add(Buffer.from(last));
    const rest = this.#gathered.subarray(0, this.#length);
    const digest = this.#hash?.update(rest).digest('base64url') ?? hash('sha256', rest, 'base64url');
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

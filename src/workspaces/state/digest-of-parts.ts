import { createHash, type Hash, hash } from 'node:crypto';

/** Above it the parts are not kept until the end. */
const MAX_KEPT = 65_536;
/** 128 bits. */
const LENGTH = 22;

/** A digest (SHA-256) of bytes that come in parts, again and again: cheap for the short ones, which most are. */
export class DigestOfParts {
  #parts: Buffer[] = [];
  #length = 0;
  #hash: Hash | undefined;

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= MAX_KEPT) return;
    this.#hash ??= createHash('sha256');
    for (const one of this.#parts) this.#hash.update(one);
    this.#clear();
  }

  /** Of all parts, and of `last`. The next ones begin anew. */
  end(last: string): string {
    const rest = Buffer.concat([...this.#parts, Buffer.from(last)]);
    const digest = this.#hash?.update(rest).digest('base64url') ?? hash('sha256', rest, 'base64url');
    this.#clear();
    this.#hash = undefined;
    return digest.slice(0, LENGTH);
  }

  #clear(): void {
    this.#parts = [];
    this.#length = 0;
  }
}

/** Stands in the place of a secret. */
export const MASK = Buffer.from('***');
const NOTHING = Buffer.alloc(0);

/** A part of some bytes: from an offset, up to another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Puts `***` in the place of secrets in a stream. What may be the beginning of one is held back until it is clear. Takes time by
 * the length of the stream, not by the number of secrets.
 */
export class Masking {
  /** By the first two bytes; the longest first. */
  readonly #secrets = new Map<number, Buffer[]>();
  /** Those two bytes: nearly all of a stream is none of them. */
  readonly #starts = new Uint8Array(65_536);
  readonly #firsts = new Set<number>();
  #held: Buffer = NOTHING;

  /** @param secrets of two bytes at least, see `secretForms` */
  constructor(secrets: readonly Buffer[]) {
    this.hide(secrets);
  }

  /** More of them, in what comes from now on. @param secrets of two bytes at least, see `secretForms` */
  hide(secrets: readonly Buffer[]): void {
    for (const [key, found] of Map.groupBy(secrets, (secret) => start(secret, 0))) {
      const all = [...(this.#secrets.get(key) ?? []), ...found];
      this.#secrets.set(
        key,
        all.toSorted((a, b) => b.length - a.length),
      );
      this.#starts[key] = 1;
      this.#firsts.add(key >> 8);
    }
  }

  /** What of the stream can go out. */
  next(bytes: Uint8Array): Buffer {
    return this.#masked(Buffer.concat([this.#held, bytes]), false);
  }

  /** What is left at the end of the stream. */
  end(): Buffer {
    return this.#masked(this.#held, true);
  }

  /** Returns where secrets are in bytes that are whole, in order; those that overlap are one. */
  found(bytes: Buffer): Range[] {
    return this.#scan(bytes, true).found;
  }

  #masked(bytes: Buffer, isEnd: boolean): Buffer {
    const { found, upTo } = this.#scan(bytes, isEnd);
    this.#held = Buffer.from(bytes.subarray(upTo));
    const parts: Buffer[] = [];
    let at = 0;
    for (const { from, to } of found) {
      parts.push(bytes.subarray(at, from), MASK);
      at = to;
    }
    return Buffer.concat([...parts, bytes.subarray(at, upTo)]);
  }

  /** @returns where secrets are, and up to where that is clear */
  #scan(bytes: Buffer, isEnd: boolean): { readonly found: Range[]; readonly upTo: number } {
    const found: Range[] = [];
    let open: Range | undefined;
    let at = 0;
    for (; at < bytes.length; at++) {
      if (open && at >= open.to) {
        found.push(open);
        open = undefined;
      }
      const length = this.#secretAt(bytes, at, isEnd);
      if (length === undefined) break;
      if (length > 0) open = { from: open?.from ?? at, to: Math.max(open?.to ?? 0, at + length) };
    }
    // Secrets that overlap are one range, which goes on as long as one that begins in it may.
    if (open && at < open.to) return { found, upTo: open.from };
    return { found: open ? [...found, open] : found, upTo: at };
  }

  /** How long the longest that begins there is; undefined while that is not clear. */
  #secretAt(bytes: Buffer, at: number, isEnd: boolean): number | undefined {
    const left = bytes.length - at;
    if (left === 1) return !isEnd && this.#firsts.has(bytes[at] ?? 0) ? undefined : 0;
    const key = start(bytes, at);
    if (this.#starts[key] === 0) return 0;
    for (const secret of this.#secrets.get(key) ?? []) {
      const length = Math.min(secret.length, left);
      if (length > 2 && secret[2] !== bytes[at + 2]) continue;
      if (bytes.compare(secret, 0, length, at, at + length) !== 0) continue;
      if (length === secret.length) return length;
      if (!isEnd) return undefined;
    }
    return 0;
  }
}

const start = (bytes: Buffer, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

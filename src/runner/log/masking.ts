/** Replacement for a secret. */
export const MASK = Buffer.from('***');
const NOTHING = Buffer.alloc(0);

/** A range of bytes: `from` inclusive, `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Replaces secrets in a stream by `***`. Holds back bytes that may be the start of a secret. The time depends on the
 * length of the stream, not on the number of secrets.
 */
export class Masking {
  /** Secrets by their first two bytes; longest first. */
  readonly #secrets = new Map<number, Buffer[]>();
  /** Lookup table of those two bytes: nearly all positions of a stream match none. */
  readonly #starts = new Uint8Array(65_536);
  readonly #firsts = new Set<number>();
  #held: Buffer = NOTHING;

  /** @param secrets at least two bytes each, see `secretForms` */
  constructor(secrets: readonly Buffer[]) {
    this.hide(secrets);
  }

  /** Adds secrets for the rest of the stream. @param secrets at least two bytes each, see `secretForms` */
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

  /** Returns the part of the stream that can be sent. */
  next(bytes: Uint8Array): Buffer {
    return this.#masked(Buffer.concat([this.#held, bytes]), false);
  }

  /** Returns the rest at the end of the stream. */
  end(): Buffer {
    return this.#masked(this.#held, true);
  }

  /** Finds secrets in complete bytes, in order. Overlapping secrets are merged. */
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

  /**
   * Finds secrets in the bytes.
   * @returns the ranges of secrets, and the offset up to which the result is final
   */
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
    // Overlapping secrets are one range, which grows as long as another secret starts in it.
    if (open && at < open.to) return { found, upTo: open.from };
    return { found: open ? [...found, open] : found, upTo: at };
  }

  /** Returns the length of the longest secret at an offset; undefined if more bytes are needed. */
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

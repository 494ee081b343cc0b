const MASK = Buffer.from('***');
const NOTHING = Buffer.alloc(0);

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

  #masked(bytes: Buffer, isEnd: boolean): Buffer {
    const parts: Buffer[] = [];
    let from = 0;
    let runStart = -1;
    let runEnd = -1;
    const close = (): void => {
      if (runStart < 0) return;
      parts.push(bytes.subarray(from, runStart), MASK);
      from = runEnd;
      runStart = -1;
    };
    let at = 0;
    for (; at < bytes.length; at++) {
      if (at >= runEnd) close();
      const length = this.#secretAt(bytes, at, isEnd);
      if (length === undefined) break;
      if (length === 0) continue;
      if (runStart < 0) runStart = at;
      runEnd = Math.max(runEnd, at + length);
    }
    // Secrets that overlap are one run, which goes on as long as one that begins in it may.
    const out = runStart >= 0 && at < runEnd ? runStart : at;
    if (out === at) close();
    parts.push(bytes.subarray(from, out));
    this.#held = Buffer.from(bytes.subarray(out));
    return Buffer.concat(parts);
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

import { GitError } from '../git-remote.ts';

/** Speed that a server must reach. */
export interface Pace {
  /** Milliseconds without a byte. */
  readonly silenceMs: number;
  /** Milliseconds of waiting before the speed counts. */
  readonly graceMs: number;
  /** Bytes per second of waiting. */
  readonly bytesPerSecond: number;
}

/**
 * Reads a response and refuses a server that is too slow: it would keep a thread from other repositories. Only the time
 * in which a chunk is waited for counts.
 */
export class PacedReader {
  readonly #opened: Promise<AsyncIterator<Uint8Array>>;
  readonly #pace: Pace;
  #waitedMs = 0;
  #bytes = 0;
  #isOver = false;

  constructor(response: Promise<AsyncIterable<Uint8Array>>, pace: Pace) {
    this.#opened = response.then((chunks) => chunks[Symbol.asyncIterator]());
    // The error is thrown by `next`.
    this.#opened.catch(() => {});
    this.#pace = pace;
  }

  /** Returns the next chunk; undefined at the end. @throws GitError */
  async next(): Promise<Uint8Array | undefined> {
    const began = performance.now();
    const { done, value } = await this.#limited(this.#opened.then((chunks) => chunks.next()));
    this.#waitedMs += performance.now() - began;
    if (done === true) {
      this.#isOver = true;
      return undefined;
    }
    this.#bytes += value.length;
    const { graceMs, bytesPerSecond } = this.#pace;
    const isSlow = this.#waitedMs > graceMs && this.#bytes < (this.#waitedMs / 1_000) * bytesPerSecond;
    if (isSlow) throw tooSlow();
    return value;
  }

  /** Ends the request if it is not over. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#opened.then((chunks) => chunks.return?.()).catch(() => {});
  }

  async #limited<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(tooSlow()), this.#pace.silenceMs);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const tooSlow = (): GitError => new GitError('unreachable', 'The Git server responds too slowly.');

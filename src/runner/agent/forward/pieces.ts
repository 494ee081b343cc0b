/**
 * Cuts a body into pieces of one size. A piece is smaller if the body is slow, and at its end.
 * @param patience time to fill a piece, ms
 */
export async function* pieces(
  body: AsyncIterable<Uint8Array>,
  { size, patience }: { readonly size: number; readonly patience: number },
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  const held = new Held();
  try {
    for (let isOver = false; !isOver; ) {
      const next = chunks.next();
      // The reader may end while a chunk is awaited.
      next.catch(() => {});
      if (!held.isEmpty && !(await isWithin(next, held.since + patience))) yield held.take();
      const { done = false, value = new Uint8Array() } = await next;
      for (let at = 0; at < value.length; ) {
        const piece = value.subarray(at, at + size - held.size);
        held.add(piece);
        at += piece.length;
        if (held.size === size) yield held.take();
      }
      isOver = done;
    }
    if (!held.isEmpty) yield held.take();
  } finally {
    await chunks.return?.();
  }
}

/** Bytes that wait for more. */
class Held {
  #parts: Uint8Array[] = [];
  #size = 0;
  #since = 0;

  get size(): number {
    return this.#size;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Time of `performance.now()` of the first byte. */
  get since(): number {
    return this.#since;
  }

  add(bytes: Uint8Array): void {
    if (this.isEmpty) this.#since = performance.now();
    this.#parts.push(Buffer.from(bytes));
    this.#size += bytes.length;
  }

  take(): Buffer {
    const all = Buffer.concat(this.#parts);
    [this.#parts, this.#size] = [[], 0];
    return all;
  }
}

async function isWithin(promise: Promise<unknown>, until: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), Math.max(until - performance.now(), 0));
  try {
    return await Promise.race([promise.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

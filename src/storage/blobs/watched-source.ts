/** Distinguishes an error of the source from one of the store: the first goes to the caller as it is. */
export class WatchedSource {
  readonly #source: AsyncIterable<Uint8Array>;
  failure: { readonly error: unknown } | undefined;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#source;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

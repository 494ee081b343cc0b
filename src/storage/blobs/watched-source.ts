/** Tells a source that broke off from a store that did: what the source threw is for whoever made it. */
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

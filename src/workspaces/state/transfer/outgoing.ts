import { Readable, type Writable } from 'node:stream';
import { releaseMemory } from '../../../lib/chunks.ts';

/** Number of bytes to read ahead of a client. */
const AHEAD = 262_144;

/** Stream of content to a client that frees each chunk as soon as it is sent. The receiver must not keep a chunk. */
export class Outgoing extends Readable {
  constructor(content: AsyncIterable<Uint8Array>) {
    const parts = content[Symbol.asyncIterator]();
    super({
      highWaterMark: AHEAD,
      read() {
        parts.next().then(
          ({ done, value }) => this.push(done ? null : value),
          (error: Error) => this.destroy(error),
        );
      },
      destroy(error, callback) {
        Promise.resolve(parts.return?.()).then(
          () => callback(error),
          (thrown: Error) => callback(error ?? thrown),
        );
      },
    });
  }

  /** Ends the destination after the last chunk. If either side fails, the caller must close the other. */
  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    this.#pump(destination as unknown as Writable).catch((error: Error) => this.destroy(error));
    return destination;
  }

  async #pump(destination: Writable): Promise<void> {
    for await (const part of this) {
      await written(destination, part);
      releaseMemory(part);
    }
    destination.end();
  }
}

/** Resolves once the bytes are passed to the operating system. */
function written(destination: Writable, part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(part, (error) => (error ? reject(error) : resolve()));
  });
}

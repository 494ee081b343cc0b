import { Readable, type Writable } from 'node:stream';
import { releaseMemory } from '../../../lib/chunks.ts';

/** What is read ahead of a client (bytes). */
const AHEAD = 262_144;

/**
 * Content on its way to a client, whose memory is given back as soon as it is sent. Nobody else may hold on to a part.
 */
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

  /** Ends the destination after the last part. When either breaks off, whoever answers sees to the other. */
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

/** Resolves once the system has the bytes. */
function written(destination: Writable, part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(part, (error) => (error ? reject(error) : resolve()));
  });
}

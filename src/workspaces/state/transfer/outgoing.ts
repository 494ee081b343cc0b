import { Readable, type Writable } from 'node:stream';

/** What is read ahead of a client (bytes). */
const AHEAD = 262_144;

/**
 * Content on its way to a client, whose memory is given back as soon as it is sent. Parts lie outside of the heap, where the
 * collector lets tens of megabytes gather before it looks. Nobody else may hold on to a part.
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
      release(part);
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

/** Frees the memory of a part that has some of its own. */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

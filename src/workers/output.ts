import { write } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const writeBytes = promisify(write);

const LINE_FEED = 0x0a;
/**
 * Back-pressure threshold: unwritten bytes after which writers must wait.
 * @limit buffered worker output, bytes -> workers hold back their lines
 */
const MOST_WAITING = 1_048_576;
/** Delay of the next attempt for a slow reader or a full disk, milliseconds. */
const WAITS = new Map([
  ['EAGAIN', 10],
  ['ENOSPC', 500],
  ['EDQUOT', 500],
]);

/** Standard output of several processes. One process writes for all, so that lines stay intact. */
export class Output {
  readonly #descriptor: number;
  readonly #paused = new Set<Readable>();
  #waiting: Buffer[] = [];
  #bytes = 0;
  #writing: Promise<void> | undefined;
  #isBroken = false;

  constructor(descriptor = 1) {
    this.#descriptor = descriptor;
  }

  /** Writes complete lines. */
  write(lines: string | Buffer): void {
    if (this.#isBroken) return;
    const bytes = Buffer.from(lines);
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    this.#writing ??= this.#work();
  }

  /** Forwards the output of another process line by line. */
  follow(stream: Readable): void {
    let rest = Buffer.alloc(0);
    stream.on('data', (chunk: Buffer) => {
      if (this.#isBroken) {
        stream.destroy();
        return;
      }
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      if (end > 0) {
        this.write(Buffer.concat([rest, chunk.subarray(0, end)]));
        rest = Buffer.from(chunk.subarray(end));
      } else {
        rest = Buffer.concat([rest, chunk]);
      }
      if (this.#bytes <= MOST_WAITING) return;
      stream.pause();
      this.#paused.add(stream);
    });
    stream.on('end', () => {
      if (rest.length > 0) this.write(Buffer.concat([rest, Buffer.from('\n')]));
    });
  }

  /** Resolves when all lines are written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const bytes = Buffer.concat(this.#waiting);
      this.#waiting = [];
      await this.#writeAll(bytes);
      this.#bytes -= bytes.length;
      for (const stream of this.#paused) stream.resume();
      this.#paused.clear();
    }
    this.#writing = undefined;
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length && !this.#isBroken; ) {
      try {
        written += (await writeBytes(this.#descriptor, bytes, written)).bytesWritten;
      } catch (error) {
        const wait = WAITS.get((error as NodeJS.ErrnoException).code ?? '');
        if (wait === undefined) this.#isBroken = true;
        else await sleep(wait);
      }
    }
  }
}

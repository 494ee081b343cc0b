import { write } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const writeBytes = promisify(write);

const LINE_FEED = 0x0a;
/** Between attempts to write to a full pipe that does not block. */
const PAUSE_MS = 10;
const ATTEMPTS = 500;

/** Writes all of it to a descriptor; what a write that failed left behind is ended, so that it spoils no other line. */
export class LineWriter {
  #isTorn = false;

  async write(descriptor: number, lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from((this.#isTorn ? '\n' : '') + lines.join(''));
    let written = 0;
    try {
      while (written < bytes.length) written += await writeSome(descriptor, bytes.subarray(written));
      this.#isTorn = false;
    } catch (error) {
      if (written > 0) this.#isTorn = bytes[written - 1] !== LINE_FEED;
      throw error;
    }
  }
}

async function writeSome(descriptor: number, bytes: Buffer): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { bytesWritten } = await writeBytes(descriptor, bytes);
      return bytesWritten;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempt === ATTEMPTS) throw error;
      await wait(PAUSE_MS);
    }
  }
}

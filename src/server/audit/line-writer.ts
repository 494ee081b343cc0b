import { write } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const writeBytes = promisify(write);

const LINE_FEED = 0x0a;
/** Delay between attempts to write to a full non-blocking pipe. */
const PAUSE_MS = 10;
const ATTEMPTS = 500;

/** Writes lines to a descriptor. After a failed write it first ends the partial line, so that it corrupts no other line. */
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

import { close, fsync, open, write } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Outlet } from './audit-sink.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fsync);
const writeBytes = promisify(write);

const STDOUT = 1;
const LINE_FEED = 0x0a;
/** Between attempts to write to a full pipe that does not block. */
const PAUSE_MS = 10;
const ATTEMPTS = 500;

/** Writes all of it to a descriptor; what a write that failed left behind is ended, so that it spoils no other line. */
class LineWriter {
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

/** Appends to a file for its owner alone. After an error it is opened again, by its name, for the next line. */
export class FileOutlet implements Outlet {
  readonly #path: string;
  readonly #writer = new LineWriter();
  #descriptor: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async write(lines: readonly string[]): Promise<void> {
    this.#descriptor ??= await openFile(this.#path, 'a', 0o600);
    try {
      await this.#writer.write(this.#descriptor, lines);
    } catch (error) {
      await this.#release();
      throw error;
    }
  }

  /** @throws when it cannot be opened; the file before stays open then */
  async reopen(): Promise<void> {
    const descriptor = await openFile(this.#path, 'a', 0o600);
    await this.close();
    this.#descriptor = descriptor;
  }

  /** Everything is on the disk when this resolves, where it can be. */
  async close(): Promise<void> {
    if (this.#descriptor !== undefined) await syncFile(this.#descriptor).catch(() => {});
    await this.#release();
  }

  async #release(): Promise<void> {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) await closeFile(descriptor).catch(() => {});
  }
}

/** Standard output, which stays open. */
export class StdoutOutlet implements Outlet {
  readonly #writer = new LineWriter();

  write(lines: readonly string[]): Promise<void> {
    return this.#writer.write(STDOUT, lines);
  }

  async reopen(): Promise<void> {}

  async close(): Promise<void> {}
}

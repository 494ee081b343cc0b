import { close, fstat, fsync, open, stat } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Sink, SinkMetrics } from './audit-sink.ts';
import { LineWriter } from './line-writer.ts';

// Uses descriptor numbers instead of file handles, because a garbage-collected handle would close a descriptor again
// that was already closed elsewhere.
const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fsync);
const ofDescriptor = promisify(fstat);
const ofName = promisify(stat);

/** Minimum interval of checks whether the file still has its name. */
const LOOK_MS = 1_000;

/** Reason why the file is no longer at its path. */
export type FileLoss = 'removed' | 'moved';

/**
 * Appends to a file that only its owner can read. After an error the next line reopens the file by name. A removed
 * file is noticed within a second, and the lines since the last check are written again to the new file. A moved file
 * keeps its lines.
 */
export class FileSink implements Sink {
  readonly metrics: SinkMetrics;
  readonly #path: string;
  readonly #lost: (loss: FileLoss) => void;
  readonly #writer = new LineWriter();
  #file: number | undefined;
  #lookedAt = 0;
  /** Number of lines written since the last check. */
  #unsure: string[] = [];

  /** @param lost called if the file was removed or moved without a SIGHUP */
  constructor(path: string, lost: (loss: FileLoss) => void = () => {}) {
    this.#path = path;
    this.#lost = lost;
    this.metrics = { folder: dirname(path) };
  }

  async write(lines: readonly string[]): Promise<void> {
    const file = await this.#opened();
    try {
      await this.#writer.write(file, lines);
      this.#unsure.push(...lines);
      if (performance.now() - this.#lookedAt >= LOOK_MS) await this.#look(file);
    } catch (error) {
      await this.#release();
      throw error;
    }
  }

  /** @throws if it cannot be opened; then the previous file stays open */
  async reopen(): Promise<void> {
    const file = await openFile(this.#path, 'a', 0o600);
    await this.close();
    this.#begin(file);
  }

  /** Resolves when all lines are synced to disk, if the file supports it. */
  async close(): Promise<void> {
    const loss = this.#file === undefined ? undefined : await this.#loss(this.#file).catch(() => undefined);
    if (loss === 'removed') await this.#startAnew(loss).catch(() => {});
    if (this.#file !== undefined) await syncFile(this.#file).catch(() => {});
    await this.#release();
  }

  async #opened(): Promise<number> {
    return this.#file ?? this.#begin(await openFile(this.#path, 'a', 0o600));
  }

  #begin(file: number): number {
    this.#file = file;
    this.#unsure = [];
    this.#lookedAt = performance.now();
    return file;
  }

  async #look(file: number): Promise<void> {
    this.#lookedAt = performance.now();
    const loss = await this.#loss(file);
    if (loss) await this.#startAnew(loss);
    this.#unsure = [];
  }

  async #loss(file: number): Promise<FileLoss | undefined> {
    const [held, named] = await Promise.all([ofDescriptor(file), ofName(this.#path).catch(() => undefined)]);
    if (held.ino === named?.ino && held.dev === named.dev) return undefined;
    return held.nlink === 0 ? 'removed' : 'moved';
  }

  async #startAnew(loss: FileLoss): Promise<void> {
    const gone = loss === 'removed' ? this.#unsure : [];
    await this.#release();
    const file = this.#begin(await openFile(this.#path, 'a', 0o600));
    if (gone.length > 0) await this.#writer.write(file, gone);
    this.#lost(loss);
  }

  async #release(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) await closeFile(file).catch(() => {});
  }
}

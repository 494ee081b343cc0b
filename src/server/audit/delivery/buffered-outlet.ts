import type { Outlet, OutletFigures, Waits } from '../audit-sink.ts';
import { type Place, takePlace } from '../buffer/buffer-places.ts';
import { DiskBuffer } from '../buffer/disk-buffer.ts';
import { Courier, type CourierOptions, type Receiver } from './courier.ts';
import { LeftBuffers } from './left-buffers.ts';

export interface BufferOptions {
  /** Of all processes of this machine; each has a folder of its own in it. */
  readonly directory: string;
  /** Of this process. */
  readonly mostBytes: number;
}

/** How often it is looked whether a process has ended and left something behind. */
const LOOK_MS = 60_000;

/** Who is told how delivery goes. */
export type Told = Pick<CourierOptions, 'changed' | 'tried'>;

/**
 * Lines have left this process when they are in its buffer on disk; a courier takes them to the collector from there. Where the buffer is
 * full nothing is taken any more.
 */
export class BufferedOutlet implements Outlet {
  readonly figures: OutletFigures;
  readonly #options: BufferOptions;
  readonly #receiver: Receiver;
  readonly #told: Told;
  #place: Place | undefined;
  #buffer: DiskBuffer | undefined;
  #courier: Courier | undefined;
  #looking: NodeJS.Timeout | undefined;
  readonly #left: LeftBuffers;

  constructor(options: BufferOptions, receiver: Receiver, told: Told) {
    this.#options = options;
    this.#receiver = receiver;
    this.#told = told;
    this.#left = new LeftBuffers(options.directory, options.mostBytes, { receiver, ...told });
    this.figures = { folder: options.directory, waiting: () => this.#waits() };
  }

  async write(lines: readonly string[]): Promise<void> {
    if (!this.#buffer) throw new Error('the buffer is closed');
    await this.#buffer.append(lines);
    this.#courier?.wake();
  }

  /** The first time it begins; after that what the collector is asked with is read anew. */
  async reopen(): Promise<void> {
    if (this.#buffer) return this.#reload();
    await this.#receiver.reload();
    this.#place = await takePlace(this.#options.directory);
    this.#buffer = await DiskBuffer.open(this.#place.folder, this.#options.mostBytes);
    this.#courier = new Courier({ buffer: this.#buffer, receiver: this.#receiver, ...this.#told });
    this.#courier.start();
    this.#left.look();
    this.#looking = setInterval(() => this.#left.look(), LOOK_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#left.close();
    await this.#courier?.close();
    await this.#buffer?.close();
    this.#buffer = undefined;
    this.#receiver.close();
    this.#place?.release();
    this.#place = undefined;
  }

  /** What cannot be read leaves things as they are. */
  async #reload(): Promise<void> {
    await this.#receiver.reload().catch((cause: unknown) => {
      throw new Error('the files that its collector is asked with cannot be read', { cause });
    });
  }

  /** Of this process, and of those whose lines it has taken over. */
  #waits(): Waits {
    const all = [...(this.#courier ? [this.#courier.waits()] : []), ...this.#left.waits()];
    return {
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      ageMs: Math.max(0, ...all.map(({ ageMs }) => ageMs)),
      failure: all.find(({ isLineRefused }) => isLineRefused)?.failure ?? all.find(({ failure }) => failure)?.failure,
      isLineRefused: all.some(({ isLineRefused }) => isLineRefused),
    };
  }
}

import type { Backlog, Sink, SinkMetrics } from '../audit-sink.ts';
import { type Place, takePlace } from '../buffer/buffer-places.ts';
import { DiskBuffer } from '../buffer/disk-buffer.ts';
import { BatchSender, type BatchSenderOptions, type Receiver } from './batch-sender.ts';
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
export type DeliveryListeners = Pick<BatchSenderOptions, 'changed' | 'tried'>;

/**
 * Lines have left this process when they are in its buffer on disk; a batch sender takes them to the collector from there. Where the buffer is
 * full nothing is taken any more.
 */
export class BufferedSink implements Sink {
  readonly metrics: SinkMetrics;
  readonly #options: BufferOptions;
  readonly #receiver: Receiver;
  readonly #listeners: DeliveryListeners;
  #place: Place | undefined;
  #buffer: DiskBuffer | undefined;
  #sender: BatchSender | undefined;
  #looking: NodeJS.Timeout | undefined;
  readonly #left: LeftBuffers;

  constructor(options: BufferOptions, receiver: Receiver, told: DeliveryListeners) {
    this.#options = options;
    this.#receiver = receiver;
    this.#listeners = told;
    this.#left = new LeftBuffers(options.directory, options.mostBytes, { receiver, ...told });
    this.metrics = { folder: options.directory, backlog: () => this.#backlog() };
  }

  async write(lines: readonly string[]): Promise<void> {
    if (!this.#buffer) throw new Error('the buffer is closed');
    await this.#buffer.append(lines);
    this.#sender?.wake();
  }

  /** The first time it begins; after that what the collector is asked with is read anew. */
  async reopen(): Promise<void> {
    if (this.#buffer) return this.#reload();
    await this.#receiver.reload();
    this.#place = await takePlace(this.#options.directory);
    this.#buffer = await DiskBuffer.open(this.#place.folder, this.#options.mostBytes);
    this.#sender = new BatchSender({ buffer: this.#buffer, receiver: this.#receiver, ...this.#listeners });
    this.#sender.start();
    this.#left.look();
    this.#looking = setInterval(() => this.#left.look(), LOOK_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#left.close();
    await this.#sender?.close();
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
  #backlog(): Backlog {
    const all = [...(this.#sender ? [this.#sender.backlog()] : []), ...this.#left.backlogs()];
    return {
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      ageMs: Math.max(0, ...all.map(({ ageMs }) => ageMs)),
      failure: all.find(({ isLineRefused }) => isLineRefused)?.failure ?? all.find(({ failure }) => failure)?.failure,
      isLineRefused: all.some(({ isLineRefused }) => isLineRefused),
    };
  }
}

import type { Backlog, Sink, SinkMetrics } from '../audit-sink.ts';
import { type Place, takePlace } from '../buffer/buffer-places.ts';
import { DiskBuffer } from '../buffer/disk-buffer.ts';
import { BatchSender, type BatchSenderOptions, type Receiver } from './batch-sender.ts';
import { LeftBuffers } from './left-buffers.ts';

export interface BufferOptions {
  /** Buffer folder of all processes of this machine. Each uses its own folder inside it. */
  readonly directory: string;
  /** Maximum size for this process. */
  readonly mostBytes: number;
}

/** Interval of checks for buffers of exited processes. */
const LOOK_MS = 60_000;

/** Observers of the delivery. */
export type DeliveryListeners = Pick<BatchSenderOptions, 'changed' | 'tried'>;

/**
 * Accepts lines by writing them to its outbox on disk, from which a batch sender delivers them. A full buffer accepts
 * nothing.
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

  /** The first call starts the delivery. Later calls reload the credentials. */
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

  /** Unreadable files leave the old credentials in place. */
  async #reload(): Promise<void> {
    await this.#receiver.reload().catch((cause: unknown) => {
      throw new Error('the credentials for its collector cannot be read', { cause });
    });
  }

  /** Backlog of this process and of adopted buffers. */
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

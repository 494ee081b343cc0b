import type { Backlog } from '../audit-sink.ts';
import { leftPlaces, type Place } from '../buffer/buffer-places.ts';
import { DiskBuffer } from '../buffer/disk-buffer.ts';
import { BatchSender, type BatchSenderOptions } from './batch-sender.ts';

/** An adopted buffer of an exited process. */
interface Left {
  readonly place: Place;
  readonly buffer: DiskBuffer;
  readonly sender: BatchSender;
}

/** Collector and observers of the batch senders. */
type Shared = Pick<BatchSenderOptions, 'receiver' | 'changed' | 'tried'>;

/** Undelivered buffers of exited processes on this machine. Adopts them at once and delivers them one by one. */
export class LeftBuffers {
  readonly #root: string;
  readonly #mostBytes: number;
  readonly #shared: Shared;
  readonly #end = new AbortController();
  readonly #left = new Set<Left>();
  #taking: Promise<void> | undefined;
  #delivering: Promise<void> | undefined;

  constructor(root: string, mostBytes: number, shared: Shared) {
    this.#root = root;
    this.#mostBytes = mostBytes;
    this.#shared = shared;
  }

  /** Returns the status of each adopted buffer. */
  backlogs(): Backlog[] {
    return [...this.#left].map(({ sender }) => sender.backlog());
  }

  /** Adopts free buffers. */
  look(): void {
    const failed = () => this.#shared.tried('failed');
    this.#taking ??= this.#take()
      .catch(failed)
      .finally(() => {
        this.#taking = undefined;
        this.#delivering ??= this.#deliver()
          .catch(failed)
          .finally(() => {
            this.#delivering = undefined;
          });
      });
  }

  /** Undelivered lines stay on disk. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#taking;
    await this.#delivering;
    for (const one of this.#left) this.#letGo(one);
  }

  async #take(): Promise<void> {
    for await (const place of leftPlaces(this.#root)) {
      const left = this.#end.signal.aborted
        ? undefined
        : await this.#open(place).catch(() => this.#shared.tried('failed'));
      if (left) this.#left.add(left);
      else place.release();
    }
  }

  async #open(place: Place): Promise<Left | undefined> {
    const buffer = await DiskBuffer.open(place.folder, this.#mostBytes);
    if (buffer.bytes === 0) return undefined;
    const { receiver, changed, tried } = this.#shared;
    // The batch sender of this process reports delivery failures.
    const told: BatchSenderOptions['changed'] = (failure, line) => line && changed(failure, line);
    const sender = new BatchSender({ buffer, receiver, changed: told, tried });
    await sender.look();
    return { place, buffer, sender };
  }

  async #deliver(): Promise<void> {
    for (const one of this.#left) {
      if (this.#end.signal.aborted) return;
      await one.sender.drain(this.#end.signal);
      if (!this.#end.signal.aborted) this.#letGo(one);
    }
  }

  #letGo(one: Left): void {
    this.#left.delete(one);
    one.place.release();
  }
}

import type { ContentSink, SinkKeys } from '../../../storage/index.ts';
import type { IntakeThreads } from './intake-threads.ts';
import { type Beside, type Description, type Intake, type IntakeResult, StateIntake } from './state-intake.ts';

/** @limit a state that is read on the thread that serves, bytes -> larger ones are read in a thread beside it */
const SMALL_BYTES = 16_384;

/** A state on its way into the store: a small one is read at once, others in a thread. To be closed. */
export class StateSink implements ContentSink {
  readonly #threads: IntakeThreads;
  readonly #keys: SinkKeys;
  readonly #mayBeSmall: boolean;
  #intake: Intake | undefined;

  /** @param mayBeSmall whether what it will be described beside is small */
  constructor(threads: IntakeThreads, keys: SinkKeys, mayBeSmall: boolean) {
    this.#threads = threads;
    this.#keys = keys;
    this.#mayBeSmall = mayBeSmall;
  }

  take(chunk: Uint8Array, isLast: boolean) {
    const isSmall = isLast && chunk.length <= SMALL_BYTES && this.#mayBeSmall;
    this.#intake ??= isSmall ? new StateIntake(this.#keys) : this.#threads.open(this.#keys);
    return this.#intake.take(chunk, isLast);
  }

  /** After the last chunk. */
  get taken(): IntakeResult {
    if (!this.#intake?.taken) throw new Error('a state that has not been taken to its end');
    return this.#intake.taken;
  }

  get hash(): Uint8Array {
    return this.taken.hash;
  }

  /** After the last chunk. @throws AppError `unavailable` */
  async describe(beside: Beside): Promise<Description> {
    if (!this.#intake) throw new Error('a state that has not been taken');
    return this.#intake.describe(beside);
  }

  close(): void {
    this.#intake?.close();
  }
}

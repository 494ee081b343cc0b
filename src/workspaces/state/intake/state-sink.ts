import type { ContentSink, SinkKeys } from '../../../storage/index.ts';
import type { IntakeThreads } from './intake-threads.ts';
import { type Beside, type Description, type Intake, type IntakeResult, StateIntake } from './state-intake.ts';

/** @limit state that is parsed in the main thread, bytes -> a worker thread parses larger ones */
const SMALL_BYTES = 16_384;

/** Upload of a state that parses a small one in this thread and others in a worker thread. The caller must close it. */
export class StateSink implements ContentSink {
  readonly #threads: IntakeThreads;
  readonly #keys: SinkKeys;
  readonly #mayBeSmall: boolean;
  #intake: Intake | undefined;

  /**
   * Starts an upload.
   * @param mayBeSmall whether the preceding state is small, too
   */
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

  /** Returns the results after the last chunk. */
  get taken(): IntakeResult {
    if (!this.#intake?.taken) throw new Error('taken was read before the end of the state');
    return this.#intake.taken;
  }

  get hash(): Uint8Array {
    return this.taken.hash;
  }

  /** Returns the data to store, after the last chunk. @throws AppError `unavailable` */
  async describe(beside: Beside): Promise<Description> {
    if (!this.#intake) throw new Error('describe() was called before the first chunk');
    return this.#intake.describe(beside);
  }

  close(): void {
    this.#intake?.close();
  }
}

import { withOwnMemory } from '../../../lib/own-memory.ts';
import type { IntakeBudget } from './intake-budget.ts';
import type { IntakeThread } from './intake-thread-handle.ts';
import type { Sealed } from './messages.ts';
import type { Beside, Description, Intake, IntakeKeys, IntakeResult } from './state-intake.ts';

/** A state that a worker thread encrypts, hashes and parses. */
export class RemoteIntake implements Intake {
  readonly #thread: IntakeThread;
  readonly #budget: IntakeBudget;
  readonly #state: number;
  #taken: IntakeResult | undefined;

  constructor(thread: IntakeThread, room: IntakeBudget, keys: IntakeKeys) {
    this.#thread = thread;
    this.#budget = room;
    this.#state = thread.open();
    const open = { seal: Uint8Array.from(keys.seal), hash: Uint8Array.from(keys.hash) };
    thread.send({ state: this.#state, open });
  }

  /**
   * Transfers the chunk to the thread and returns the encrypted bytes to store. The chunk is unusable afterwards.
   * @throws AppError `unavailable`
   */
  async take(chunk: Uint8Array, isLast: boolean): Promise<readonly Uint8Array[]> {
    const bytes = chunk.length;
    await this.#budget.reserve(bytes);
    try {
      const request = { state: this.#state, chunk, isLast };
      const { sealed, taken } = (await this.#thread.ask(request, [chunk.buffer as ArrayBuffer])) as Sealed;
      this.#taken = taken;
      return sealed;
    } finally {
      this.#budget.release(bytes);
    }
  }

  get taken(): IntakeResult | undefined {
    return this.#taken;
  }

  /**
   * Returns the data to store with the state, after the last chunk. @throws AppError `unavailable`
   */
  async describe({ before, version }: Beside): Promise<Description> {
    const own = before && withOwnMemory(before);
    const request = { state: this.#state, describe: { before: own, version } };
    return (await this.#thread.ask(request, own ? [own.buffer as ArrayBuffer] : [])) as Description;
  }

  close(): void {
    this.#thread.close(this.#state);
  }
}

import { setImmediate } from 'node:timers/promises';
import type { BackgroundWork } from '../../lib/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CleanupStore, RemovedMount } from './cleanup-store.ts';
import type { Methods } from './methods.ts';
import type { MountTable } from './mount-table.ts';

const TICK_MS = 30_000;
/**
 * How long the row of a mount is kept after it was disabled: by then every node has seen it, and what was on its way in at
 * that moment has arrived and is removed too.
 */
export const GRACE_MS = 5 * 60_000;

/** Removes some of what belongs to a mount, in one bounded step; false when nothing is left. */
export type RemoveBatch = (mountId: string) => Promise<boolean>;

export interface MountKeeperDependencies {
  readonly table: MountTable;
  readonly methods: Methods;
  readonly cleanup: CleanupStore;
  /** What others keep of a mount: its tokens, its aliases. What the method keeps goes by `Method.removeSome`. */
  readonly owned: readonly RemoveBatch[];
  readonly clock: Clock;
  /** Told of what fails. */
  readonly report: (error: unknown) => void;
}

/**
 * What goes on in the background about mounts, on every node: methods are started and stopped as their mounts come and go,
 * and what disabled mounts leave behind is removed step by step. Each step is a unit of its own, and any number of nodes may
 * take the next; one that was cut short is taken again after the next start.
 */
export class MountKeeper implements BackgroundWork {
  readonly #parts: MountKeeperDependencies;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  #waiting = false;

  constructor(parts: MountKeeperDependencies) {
    this.#parts = parts;
  }

  /** Resolves when the methods of all mounts are started. What is to be removed follows in the background. */
  async start(): Promise<void> {
    await this.#startMethods();
    this.#next(0);
  }

  /** Waits for the step that is being taken, then ends what goes on at the mounts. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#parts.methods.stop();
  }

  /** Something has changed: does what is to be done soon rather than at the next tick. */
  wake(): void {
    if (this.#stopped || this.#waiting) return;
    this.#waiting = true;
    void this.tick();
  }

  /** Does all that is to be done now, after what was begun before. Never rejects. */
  tick(): Promise<void> {
    this.#running = this.#running.then(() => this.#work()).catch(this.#parts.report);
    return this.#running;
  }

  #next(delay: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.tick().then(() => this.#next(TICK_MS)), delay).unref();
  }

  async #work(): Promise<void> {
    this.#waiting = false;
    if (this.#stopped) return;
    await this.#startMethods();
    for (const mount of await this.#parts.cleanup.all()) {
      if (this.#stopped) return;
      await this.#remove(mount).catch(this.#parts.report);
    }
  }

  async #startMethods(): Promise<void> {
    const { table, methods } = this.#parts;
    await table.refresh();
    await methods.start(await table.all());
  }

  async #remove(mount: RemovedMount): Promise<void> {
    const { methods, cleanup, owned, clock } = this.#parts;
    const ofMethod = methods.cleanupOf(mount);
    // A newer version of this program knows what the mount holds.
    if (!ofMethod) return;
    for (const removeSome of [...owned, () => ofMethod.removeBatch()]) {
      while (await removeSome(mount.id)) {
        if (this.#stopped) return;
        await setImmediate();
      }
    }
    if (clock() - mount.removedAt >= GRACE_MS) await cleanup.forget(mount.id);
  }
}

import { setImmediate } from 'node:timers/promises';
import type { BackgroundTask, BackgroundWork } from '../../lib/background/background-work.ts';
import { PeriodicTask, type ReportError } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CleanupStore, RemovedMount } from './cleanup-store.ts';
import type { Methods } from './methods.ts';
import type { MountTable } from './mount-table.ts';

const TICK_MS = 30_000;

const RECONCILIATION: TaskDefinition = {
  name: 'mounts',
  description: 'Starts and stops the auth methods of mounts, and removes the data of disabled ones.',
  runsOn: 'every process',
  period: TICK_MS,
};
/**
 * How long the row of a disabled mount is kept. Afterwards every node has noticed it, and data from requests in
 * progress has been removed too.
 */
export const GRACE_MS = 5 * 60_000;

/** Removes some data of a mount, in one bounded step. Returns false when nothing is left. */
export type RemoveBatch = (mountId: string) => Promise<boolean>;

export interface MountKeeperDependencies {
  readonly table: MountTable;
  readonly methods: Methods;
  readonly cleanup: CleanupStore;
  /**
   * Removes data of a mount outside of its method, such as tokens and aliases. `Method.removeSome` removes the
   * method's data.
   */
  readonly owned: readonly RemoveBatch[];
  readonly clock: Clock;
  /** Called for errors. */
  readonly report: ReportError;
}

/**
 * Reconciles methods and data with the mounts on every node: starts and stops methods, and removes the data of
 * disabled mounts step by step. Each step is a transaction of its own. Any node may run the next step, and an
 * interrupted removal continues after a restart.
 */
export class MountKeeper implements BackgroundWork {
  readonly #parts: MountKeeperDependencies;
  readonly #task: PeriodicTask;
  #stopped = false;
  #waiting = false;

  constructor(parts: MountKeeperDependencies) {
    this.#parts = parts;
    const step = () => this.#work().then(() => TICK_MS);
    const { report } = parts;
    this.#task = new PeriodicTask({ task: RECONCILIATION, step, first: 0, afterFailure: TICK_MS, report });
  }

  get tasks(): readonly BackgroundTask[] {
    return [...this.#task.tasks, ...this.#parts.methods.tasks()];
  }

  /** Resolves when the methods of all mounts have started. Removals follow in the background. */
  async start(): Promise<void> {
    await this.#startMethods();
    this.#task.start();
  }

  /** Waits for the running step, then stops all methods. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#task.stop();
    await this.#parts.methods.stop();
  }

  /** Runs the work soon after a change, instead of at the next tick. */
  wake(): void {
    if (this.#stopped || this.#waiting) return;
    this.#waiting = true;
    void this.tick();
  }

  /** Runs all due work after the running one. Never rejects. */
  tick(): Promise<void> {
    return this.#task.runNow();
  }

  async #work(): Promise<void> {
    this.#waiting = false;
    if (this.#stopped) return;
    await this.#startMethods();
    for (const mount of await this.#parts.cleanup.all()) {
      if (this.#stopped) return;
      await this.#remove(mount).catch(this.#task.report);
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
    // Only a newer version knows the data of this mount.
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

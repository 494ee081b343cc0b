import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobBounds } from '../../../lib/job/bounds.ts';
import { JobFailure } from '../../ports.ts';
import type { Ended, JobFolders } from '../isolation.ts';
import { type Bound, hitInWords, MEGABYTE } from './bounds.ts';
import { Group } from './cgroup.ts';
import { sizeOf } from './disk.ts';
import { usageOf } from './processes.ts';

/** Interval between two polls, ms. Longer if a poll is slow, so that polling takes at most 5 % of the time. */
const INTERVAL = 500;
const SHARE = 20;
const SLOWER = 5;

/** Enforces the bounds of one command: by a control group if there is one, and by polling. */
export class Bounded {
  readonly #bounds: JobBounds;
  readonly #folders: readonly string[];
  readonly #group: Group | null;
  readonly #over = new AbortController();
  #hit: Bound | undefined;

  /** @param group control group that is delegated to this agent; null for none */
  constructor(bounds: JobBounds, { work, plan, state, home }: JobFolders, group: string | null) {
    this.#bounds = bounds;
    this.#folders = [work, plan, state, home];
    this.#group = group === null ? null : Group.make(group, bounds);
  }

  /** Returns the command line that starts the command within the control group. */
  within(command: readonly string[]): string[] {
    return this.#group?.within(command) ?? [...command];
  }

  /** Kills the command when it exceeds a bound. */
  watch(pid: number | undefined, kill: () => void): void {
    if (pid === undefined) return;
    if (this.#group === null) lower(pid);
    void this.#watch(pid, kill);
  }

  /**
   * Called after the command has ended.
   * @throws JobFailure with the bound that the command hit
   */
  async end({ code, signal }: Ended): Promise<void> {
    this.#over.abort();
    const hit = this.#group?.end() ?? this.#hit;
    // Success wins over a hit bound: the command may have handled a refused process.
    if (code === 0 && signal === null) return;
    const found = hit ?? (await this.#disk(0));
    if (found !== undefined) throw new JobFailure(hitInWords(found, this.#bounds));
  }

  async #watch(pid: number, kill: () => void): Promise<void> {
    const { signal } = this.#over;
    for (let pause = INTERVAL; ; ) {
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      const began = performance.now();
      this.#hit = await this.#exceeded(pid);
      if (this.#hit !== undefined && !signal.aborted) kill();
      pause = Math.max(INTERVAL, SHARE * (performance.now() - began));
    }
  }

  async #exceeded(pid: number): Promise<Bound | undefined> {
    const { memory, processes } = this.#bounds;
    const usage = usageOf(pid);
    if (usage === null) return this.#hit;
    // The kernel refuses processes above the bound, so a count equal to the bound means that it was hit.
    if (usage.processes >= processes) return 'job_processes';
    // A process that forks between two readings counts once as a whole and again by its share, so the usage is read again.
    const limit = memory * MEGABYTE;
    if (usage.memory > limit && (usageOf(pid)?.memory ?? 0) > limit) return 'job_memory';
    return (await this.#disk(usage.unnamed)) ?? this.#hit;
  }

  /**
   * Returns the bound that the disk usage exceeds, if any.
   * @param unnamed bytes of deleted files that are still open
   */
  async #disk(unnamed: number): Promise<Bound | undefined> {
    const limit = this.#bounds.disk * MEGABYTE;
    return unnamed + (await sizeOf(this.#folders, limit)) > limit ? 'job_disk' : undefined;
  }
}

/** Lowers the priority of a process. Needs no control group and no privileges. */
function lower(pid: number): void {
  try {
    setPriority(pid, SLOWER);
  } catch {
    // This error means that the process has ended.
  }
}

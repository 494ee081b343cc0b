import { lstat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outputs } from '../ports.ts';
import { untilStopped } from '../until-stopped.ts';
import { readStateFile, type StateVersion } from './state-file.ts';

/** Between two looks at the file, ms. */
const INTERVAL = 500;
/** To read a large state and to hand it over takes at most one of so many parts of the time. */
const SHARE = 5;

/** Hands out the whole versions of a state file while an engine writes it: the newest, each time the one before has been taken. */
export class StateWatch {
  readonly #path: string;
  readonly #output: Outputs['state'];
  readonly #stop = new AbortController();
  readonly #before: Buffer | null;
  /** The newest whole one that was seen. */
  #newest: StateVersion | null = null;
  #seen = '';
  #watching: Promise<void> = Promise.resolve();

  private constructor(path: string, output: Outputs['state'], before: Buffer | null) {
    this.#path = path;
    this.#output = output;
    this.#before = before;
  }

  /** Before the engine starts. */
  static async start(path: string, output: Outputs['state']): Promise<StateWatch> {
    const before = await readStateFile(path);
    const watch = new StateWatch(path, output, before?.bytes ?? null);
    watch.#watching = watch.#watch();
    return watch;
  }

  /**
   * After the engine has ended, however it did.
   * @returns the last version, which is not handed out yet; null where nothing changed. `isWhole`: it is what the file has
   */
  async end(): Promise<{ readonly last: StateVersion | null; readonly isWhole: boolean }> {
    this.#stop.abort();
    await this.#watching;
    const inFile = await readStateFile(this.#path);
    const last = inFile ?? this.#newest;
    return {
      last: last !== null && this.#isNew(last) ? last : null,
      isWhole: inFile !== null || (await isAbsent(this.#path)),
    };
  }

  /** What did not change since the job began is known already, unless something else was handed out since. */
  #isNew({ bytes }: StateVersion): boolean {
    return this.#newest !== null || this.#before === null || !bytes.equals(this.#before);
  }

  async #watch(): Promise<void> {
    this.#seen = await mark(this.#path);
    let took = 0;
    while (!this.#stop.signal.aborted) {
      await sleep(Math.max(INTERVAL, took * SHARE), undefined, { signal: this.#stop.signal }).catch(() => {});
      const began = performance.now();
      if (!this.#stop.signal.aborted) await this.#look();
      took = performance.now() - began;
    }
  }

  async #look(): Promise<void> {
    const seen = await mark(this.#path);
    if (seen === this.#seen) return;
    const version = await readStateFile(this.#path);
    if (version === null) return;
    this.#seen = seen;
    if (!this.#isNew(version) || this.#newest?.bytes.equals(version.bytes)) return;
    this.#newest = version;
    // The next one, or the last, has all that this one had.
    await untilStopped(this.#output(version, false), this.#stop.signal).catch(() => {});
  }
}

async function mark(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null);
  return found === null ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

const isAbsent = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null)) === null;

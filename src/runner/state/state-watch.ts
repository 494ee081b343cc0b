import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outputs } from '../ports.ts';
import { untilStopped } from '../until-stopped.ts';
import { type NoState, readStateFile, type StateVersion } from './state-file.ts';

/** Between two looks at the file, ms. */
const INTERVAL = 500;
/** To read a large state and to hand it over takes at most one of so many parts of the time. */
const SHARE = 5;

/** Hands out the whole versions of a state file while an engine writes it: the newest, each time the one before has been taken. */
export class StateWatch {
  readonly #path: string;
  readonly #output: Outputs['state'];
  readonly #stop = new AbortController();
  /** The digest of what was there before; empty for nothing. */
  readonly #before: string;
  /** The newest whole one that was seen. */
  #newest: StateVersion | null = null;
  #digest = '';
  #seen = '';
  #watching: Promise<void> = Promise.resolve();

  private constructor(path: string, output: Outputs['state'], before: string) {
    this.#path = path;
    this.#output = output;
    this.#before = before;
  }

  /** Before the engine starts. */
  static async start(path: string, output: Outputs['state']): Promise<StateWatch> {
    const before = await readStateFile(path);
    const watch = new StateWatch(path, output, typeof before === 'string' ? '' : digestOf(before));
    watch.#watching = watch.#watch();
    return watch;
  }

  /**
   * After the engine has ended, however it did.
   * @returns the last version, which is not handed out yet, null where nothing changed; and why the file has none, null where it has one
   */
  async end(): Promise<{ readonly last: StateVersion | null; readonly missing: Exclude<NoState, 'absent'> | null }> {
    this.#stop.abort();
    await this.#watching;
    const inFile = await readStateFile(this.#path);
    const last = typeof inFile === 'string' ? this.#newest : inFile;
    return {
      last: last !== null && this.#isNew(digestOf(last)) ? last : null,
      missing: typeof inFile === 'string' && inFile !== 'absent' ? inFile : null,
    };
  }

  /** What did not change since the job began is known already, unless something else was handed out since. */
  #isNew(digest: string): boolean {
    return this.#newest !== null || digest !== this.#before;
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
    if (typeof version === 'string') return;
    this.#seen = seen;
    const digest = digestOf(version);
    if (!this.#isNew(digest) || this.#digest === digest) return;
    this.#newest = version;
    this.#digest = digest;
    // The next one, or the last, has all that this one had.
    await untilStopped(this.#output(version, false), this.#stop.signal).catch(() => {});
  }
}

async function mark(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null);
  return found === null ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

const digestOf = ({ bytes }: StateVersion): string => createHash('sha256').update(bytes).digest('hex');

import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilStopped } from '../../lib/until-stopped.ts';
import type { Outputs } from '../ports.ts';
import { type NoState, readStateFile, type StateVersion } from './state-file.ts';

/** Interval between two checks of the file, in ms. */
const INTERVAL = 500;
/**
 * The pause is at least this many times as long as the last read and upload, so that large states do not keep the agent
 * busy.
 */
const SHARE = 5;

/**
 * Watches a state file while an engine writes it, and sends complete versions: always the newest, after the previous
 * one was sent.
 */
export class StateWatch {
  readonly #path: string;
  readonly #output: Outputs['state'];
  readonly #stop = new AbortController();
  /** Digest of the state before the job; empty for none. */
  readonly #before: string;
  /** Newest complete version that was seen. */
  #newest: StateVersion | null = null;
  #digest = '';
  #seen = '';
  #watching: Promise<void> = Promise.resolve();

  private constructor(path: string, output: Outputs['state'], before: string) {
    this.#path = path;
    this.#output = output;
    this.#before = before;
  }

  /** Starts to watch the file. Call it before the engine starts. */
  static async start(path: string, output: Outputs['state']): Promise<StateWatch> {
    const before = await readStateFile(path);
    const watch = new StateWatch(path, output, typeof before === 'string' ? '' : digestOf(before));
    watch.#watching = watch.#watch();
    return watch;
  }

  /**
   * Stops watching, after the engine has ended.
   * @returns `last`: the last version, which is not sent yet; null if nothing changed. `missing`: why the file has no
   *   usable state; null if it has one
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

  /** Returns whether a version needs to be sent: it differs from the initial one, or another version was sent since. */
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
    // Ignores a failed upload: the next version contains everything that this one had.
    await untilStopped(this.#output(version, false), this.#stop.signal).catch(() => {});
  }
}

async function mark(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null);
  return found === null ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

const digestOf = ({ bytes }: StateVersion): string => createHash('sha256').update(bytes).digest('hex');

import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PLATFORM } from '../engine/platform.ts';
import type { Isolation, JobFolders } from '../isolation/isolation.ts';
import type { JobLog } from '../log/job-log.ts';
import type { ProviderCache } from './cache.ts';
import { type LockedProvider, lockedProviders } from './lock-file.ts';
import { copyPackage } from './package.ts';

/** Name of the folder, in the home folder of the job. */
const FOLDER = '.provider-cache';
/** Time that a job may need after its timeout, in ms: the interrupt of the engine and the upload of its results. */
const OVERTIME = 900_000;

/** The job that uses the providers. */
export interface ProviderJob {
  readonly isolation: Isolation;
  readonly here: JobFolders;
  /** Timeout of the job, in seconds. */
  readonly timeout: number;
  readonly log: JobLog;
}

/**
 * The plugin cache of one job (`TF_PLUGIN_CACHE_DIR`): a folder that only this job uses and that its engine may write
 * to. The agent copies packages from the shared cache into it before `init`, and new ones back after `init`. Packages
 * are chosen by hash, because `init` executes code of the configuration, which must not affect other jobs.
 */
export class JobProviders {
  /** Environment variables for the engine. */
  readonly environment: Readonly<Record<string, string>>;
  /** Packages of the shared cache that the engine may read. */
  readonly readable: string[] = [];
  readonly #cache: ProviderCache;
  readonly #job: ProviderJob;
  readonly #folder: string;
  /** Packages that came from the shared cache. */
  readonly #given = new Set<string>();

  constructor(cache: ProviderCache, job: ProviderJob) {
    this.#cache = cache;
    this.#job = job;
    this.#folder = join(job.here.home, FOLDER);
    mkdirSync(this.#folder, { mode: 0o700 });
    this.environment = { TF_PLUGIN_CACHE_DIR: `${job.isolation.engineFolders(job.here).home}/${FOLDER}` };
  }

  /**
   * Gives the job the cached packages of its lock file. @param working working directory, relative to the configuration
   */
  async before(working: string, signal: AbortSignal): Promise<void> {
    await this.#try(signal, async () => {
      const wanted = this.#locked(working);
      const hashes = wanted.flatMap((one) => one.hashes);
      if (hashes.length === 0) return;
      const until = Date.now() + this.#job.timeout * 1000 + OVERTIME;
      const found = await this.#cache.claim(hashes, until, signal);
      for (const { path, hashes: allowed } of wanted) {
        const hash = allowed.find((one) => found.has(one));
        const from = found.get(hash ?? '');
        if (hash !== undefined && from !== undefined) await this.#give(join(path, PLATFORM), hash, from, signal);
      }
    });
  }

  /**
   * Adds the packages that the engine has downloaded, and that the lock file now names, to the shared cache.
   * @param working working directory, relative to the configuration
   */
  async after(working: string, signal: AbortSignal): Promise<void> {
    const allowance = { left: this.#cache.share };
    for (const { path, hashes } of this.#locked(working)) {
      const place = join(path, PLATFORM);
      const folder = this.#given.has(place) ? undefined : folderIn(this.#folder, place);
      if (folder === undefined) continue;
      await this.#try(signal, () => this.#cache.add(folder, hashes, allowance, signal), path);
    }
  }

  async #give(place: string, hash: string, from: string, signal: AbortSignal): Promise<void> {
    const to = join(this.#folder, place);
    if (this.#given.has(place)) return;
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    if (this.#job.isolation.name !== 'none') {
      symlinkSync(from, to);
      this.readable.push(from);
    } else if (!(await this.#copy(hash, from, to, signal))) return;
    this.#given.add(place);
  }

  /**
   * Copies a package and verifies its hash. Without a sandbox any run could have changed it, and the current run could
   * change it too, so the run gets a copy.
   */
  async #copy(hash: string, from: string, to: string, signal: AbortSignal): Promise<boolean> {
    const copied = await copyPackage(from, to, { left: Number.POSITIVE_INFINITY }, signal).catch(() => null);
    if (copied?.hash === hash) return true;
    rmSync(to, { recursive: true, force: true });
    signal.throwIfAborted();
    await this.#cache.remove(hash, signal);
    return false;
  }

  #locked(working: string): LockedProvider[] {
    const folder = folderIn(this.#job.here.work, working);
    return folder === undefined ? [] : lockedProviders(folder);
  }

  /** Runs `work`. If it fails, the run continues without the cache, and its log has the reason. */
  async #try(signal: AbortSignal, work: () => Promise<void>, path?: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      const what = path === undefined ? 'Cannot use providers from' : `Cannot add the provider ${path} to`;
      await this.#job.log.say(`${what} the cache of the agent: ${(error as Error).message}.`);
    }
  }
}

/** Returns a folder inside another one, reached without links; undefined if there is none. */
function folderIn(root: string, relative: string): string | undefined {
  let path = root;
  for (const name of ['', ...relative.split('/').filter(Boolean)]) {
    path = join(path, name);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  }
  return path;
}

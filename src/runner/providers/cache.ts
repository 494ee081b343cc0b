import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../../lib/locks/file-lock.ts';
import { JobFailure } from '../ports.ts';
import { type Allowance, copyPackage } from './package.ts';

const PACKAGES = 'packages';
/** Folder of packages that are being added or removed. */
const MOVING = 'moving';
const LOCK = 'cache.lock';
/** `HASH-BYTES` */
const NAME = /^([0-9a-f]{64})-(\d+)$/;

/** @limit packages in the provider cache of an agent, packages -> those that were not used for the longest time are removed */
const MAX_PACKAGES = 1000;
/** @limit how long a run waits for the lock of the provider cache, ms -> it continues without the cache */
const LONGEST_WAIT = 5_000;
/** @limit an incomplete package that a killed agent left in the provider cache, ms -> it is removed */
const LONGEST_MOVE = 86_400_000;

/** Where provider packages are kept for all jobs of the agents of a machine. */
export interface ProviderCachePlace {
  readonly folder: string;
  /** Bytes. */
  readonly size: number;
}

interface Package {
  readonly hash: string;
  readonly bytes: number;
  readonly path: string;
}

/**
 * A content-addressed store of provider packages. The name of a package is its hash, which the agent calculated. A job
 * gets the packages whose hashes are in its dependency lock file, so a package that a hostile job adds reaches no job
 * that did not ask for exactly that hash.
 *
 * Engines see single packages, read-only. They see neither the folder nor its lock. Several processes may use it at once.
 */
export class ProviderCache {
  readonly place: ProviderCachePlace;
  readonly #folder: string;
  readonly #size: number;
  /** Bytes that one job may add: it cannot drive out everything that others use. */
  readonly share: number;

  /** @throws JobFailure for a folder that cannot be written to */
  constructor(place: ProviderCachePlace) {
    const { folder, size } = place;
    this.place = place;
    this.#folder = folder;
    this.#size = size;
    this.share = Math.floor(size / 4);
    try {
      for (const name of [PACKAGES, MOVING]) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new JobFailure(`The provider cache cannot be used: ${(cause as Error).message}`, { cause });
    }
  }

  /**
   * Finds packages, and keeps them for a time.
   * @param until ms since 1970: none of them is removed before
   * @returns folders of those that are here, by their hash
   * @throws Error where the cache cannot be locked
   */
  async claim(hashes: readonly string[], until: number, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const wanted = new Set(hashes);
    return await this.#locked(signal, () => {
      const found = this.#packages().filter(({ hash }) => wanted.has(hash));
      // The time of a folder says until when its package is in use.
      for (const { path } of found) if (usedUntil(path) < until) utimesSync(path, new Date(), new Date(until));
      return new Map(found.map(({ hash, path }) => [hash, path]));
    });
  }

  /**
   * Copies a package of a job into the cache, unless it is here.
   * @param hashes one of which it has to have
   * @throws Error where it is not a package with one of the hashes, or there is no room for it
   */
  async add(folder: string, hashes: readonly string[], allowance: Allowance, signal: AbortSignal): Promise<void> {
    if (this.#packages().some(({ hash }) => hashes.includes(hash))) return;
    const incoming = this.#moving();
    try {
      const { hash, bytes } = await copyPackage(folder, incoming, allowance, signal);
      if (!hashes.includes(hash)) throw new Error('the package has none of the hashes of the dependency lock file');
      await this.#locked(signal, () => this.#take(incoming, hash, bytes));
    } finally {
      rmSync(incoming, { recursive: true, force: true });
    }
  }

  /** Removes a package that is not what its name says. */
  async remove(hash: string, signal: AbortSignal): Promise<void> {
    await this.#locked(signal, () => {
      for (const one of this.#packages()) if (one.hash === hash) this.#evict(one);
    });
  }

  #take(incoming: string, hash: string, bytes: number): void {
    const packages = this.#packages();
    if (packages.some((one) => one.hash === hash)) return;
    this.#makeRoom(packages, bytes);
    const path = join(this.#folder, PACKAGES, `${hash}-${bytes}`);
    renameSync(incoming, path);
    utimesSync(path, new Date(), new Date());
  }

  /** The longest unused go first. @throws Error where all that are left may be in use */
  #makeRoom(packages: readonly Package[], bytes: number): void {
    this.#tidy();
    const unused = packages
      .map((one) => ({ ...one, until: usedUntil(one.path) }))
      .filter(({ until }) => until <= Date.now())
      .sort((a, b) => a.until - b.until);
    let left = this.#size - bytes - packages.reduce((sum, one) => sum + one.bytes, 0);
    for (let count = packages.length; left < 0 || count >= MAX_PACKAGES; count -= 1) {
      const oldest = unused.shift();
      if (oldest === undefined) throw new Error('the cache is full of packages that are in use');
      this.#evict(oldest);
      left += oldest.bytes;
    }
  }

  /** Out of its place at once: removed while it is looked for, it would be found in part. */
  #evict({ path }: Package): void {
    const outgoing = this.#moving();
    renameSync(path, outgoing);
    rmSync(outgoing, { recursive: true, force: true });
  }

  /** Removes incomplete packages of agents that were killed. */
  #tidy(): void {
    for (const name of readdirSync(join(this.#folder, MOVING))) {
      const path = join(this.#folder, MOVING, name);
      if (usedUntil(path) < Date.now() - LONGEST_MOVE) rmSync(path, { recursive: true, force: true });
    }
  }

  #packages(): Package[] {
    return readdirSync(join(this.#folder, PACKAGES)).flatMap((name) => {
      const [, hash, bytes] = NAME.exec(name) ?? [];
      return hash === undefined ? [] : [{ hash, bytes: Number(bytes), path: join(this.#folder, PACKAGES, name) }];
    });
  }

  #moving(): string {
    return join(this.#folder, MOVING, randomUUID());
  }

  /** One process at a time, for moments: nothing is copied meanwhile. */
  async #locked<T>(signal: AbortSignal, work: () => T): Promise<T> {
    const lock = await waitForLock(
      join(this.#folder, LOCK),
      AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT)]),
    );
    try {
      return work();
    } finally {
      lock.release();
    }
  }
}

const usedUntil = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

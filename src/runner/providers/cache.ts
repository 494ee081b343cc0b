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
/** Pattern of package folder names: `HASH-BYTES`. */
const NAME = /^([0-9a-f]{64})-(\d+)$/;

/** @limit packages in the provider cache of an agent, packages -> the least recently used are removed */
const MAX_PACKAGES = 1000;
/** @limit time that a run waits for the lock of the provider cache, ms -> the run continues without the cache */
const LONGEST_WAIT = 5_000;
/** @limit age of an incomplete package in the provider cache, ms -> the package is removed */
const LONGEST_MOVE = 86_400_000;

/** Shared provider cache of the agents of a machine. */
export interface ProviderCachePlace {
  readonly folder: string;
  /** Maximum size of the cache, in bytes. */
  readonly size: number;
}

interface Package {
  readonly hash: string;
  readonly bytes: number;
  readonly path: string;
}

/**
 * A content-addressed store of provider packages. The name of a package is its hash, which the agent calculated. A job
 * gets the packages whose hashes are in its dependency lock file, so a package that a hostile job adds reaches only
 * jobs that request exactly that hash.
 *
 * Engines see single packages, read-only. They see neither the folder nor its lock. Several processes may use it at
 * once.
 */
export class ProviderCache {
  readonly place: ProviderCachePlace;
  readonly #folder: string;
  readonly #size: number;
  /** Bytes that one job may add, so that it cannot evict all packages of other jobs. */
  readonly share: number;

  /**
   * Creates the folder of the cache if it does not exist.
   * @throws JobFailure if the folder is not writable
   */
  constructor(place: ProviderCachePlace) {
    const { folder, size } = place;
    this.place = place;
    this.#folder = folder;
    this.#size = size;
    this.share = Math.floor(size / 4);
    try {
      for (const name of [PACKAGES, MOVING]) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new JobFailure(`The provider cache is not usable: ${(cause as Error).message}`, { cause });
    }
  }

  /**
   * Finds packages and protects them from eviction for a time.
   * @param until end of the protection, in ms since 1970
   * @returns folders of the found packages, by hash
   * @throws Error if the cache cannot be locked
   */
  async claim(hashes: readonly string[], until: number, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const wanted = new Set(hashes);
    return await this.#locked(signal, () => {
      const found = this.#packages().filter(({ hash }) => wanted.has(hash));
      // The modification time of a folder is the time until which its package is protected.
      for (const { path } of found) if (usedUntil(path) < until) utimesSync(path, new Date(), new Date(until));
      return new Map(found.map(({ hash, path }) => [hash, path]));
    });
  }

  /**
   * Copies a package of a job into the cache, unless it is already there.
   * @param hashes allowed hashes
   * @throws Error if it is not a package with one of the hashes, or the cache is full
   */
  async add(folder: string, hashes: readonly string[], allowance: Allowance, signal: AbortSignal): Promise<void> {
    if (this.#packages().some(({ hash }) => hashes.includes(hash))) return;
    const incoming = this.#moving();
    try {
      const { hash, bytes } = await copyPackage(folder, incoming, allowance, signal);
      if (!hashes.includes(hash)) throw new Error('the hash of the package is not in the dependency lock file');
      await this.#locked(signal, () => this.#take(incoming, hash, bytes));
    } finally {
      rmSync(incoming, { recursive: true, force: true });
    }
  }

  /** Removes a package whose content does not match its name. */
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

  /** Evicts the least recently used packages. @throws Error if all remaining packages may be in use */
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

  /** Moves a package away before it is removed, so that other processes never find a part of it. */
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

  /**
   * Runs `work` while it holds the lock of the cache. Packages are copied without the lock, so it is held only briefly.
   */
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

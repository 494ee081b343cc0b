import { timeOrderedId } from '../../lib/ids.ts';
import { INITIAL_TUNING, type Mount } from '../model/mount.ts';
import { newMountAccessor } from './mount-accessor.ts';
import type { MountStore } from './mount-store.ts';

/** A mount and what follows it in a path. */
export interface Mounted {
  readonly mount: Mount;
  /** `certs/web` */
  readonly rest: string;
}

/**
 * Which mount a path lies under. Paths are kept in memory, and the mount that one leads to is read each time, one indexed row:
 * what another node has disabled, moved or tuned is seen at once. No mount lies inside another.
 */
export class MountTable {
  readonly #store: MountStore;
  #idByPath = new Map<string, string>();
  /** The change up to which the paths are known. */
  #changes = -1;
  #loading: Promise<void> | undefined;

  constructor(store: MountStore) {
    this.#store = store;
  }

  /** @param path below `auth/`: `cert/certs/web` */
  async find(path: string): Promise<Mounted | undefined> {
    const before = this.#changes;
    const known = await this.#lookUp(path);
    if (known) return known;
    // Somebody else may have read the paths anew since: then there is nothing left to read, and more to find.
    await this.refresh();
    return this.#changes === before ? undefined : this.#lookUp(path);
  }

  /** Undefined once it was disabled. */
  byId(id: string): Promise<Mount | undefined> {
    return this.#store.find(id);
  }

  /** Those that are there now. */
  all(): Promise<Mount[]> {
    return this.#store.all();
  }

  /** Makes the mount that every installation begins with, once: an administrator may disable it for good. */
  async ensure(type: string, path: string): Promise<void> {
    const mount = { id: timeOrderedId(), path, type, accessor: newMountAccessor(type), description: '' };
    await this.#store.insertFirst({ ...mount, tuning: INITIAL_TUNING });
  }

  /** Reads the paths again if any has changed, on whichever node. One row where nothing is new. */
  async refresh(): Promise<void> {
    const changes = await this.#store.changes();
    while (this.#changes < changes) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  /** The counter is read before the paths: these may be newer than it says, never older. */
  async #load(): Promise<void> {
    const changes = await this.#store.changes();
    const mounts = await this.#store.all();
    this.#idByPath = new Map(mounts.map(({ id, path }) => [path, id]));
    this.#changes = changes;
  }

  async #lookUp(path: string): Promise<Mounted | undefined> {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const prefix = path.slice(0, end);
      const id = this.#idByPath.get(prefix);
      if (id === undefined) continue;
      const mount = await this.#store.find(id);
      return mount?.path === prefix ? { mount, rest: path.slice(end + 1) } : undefined;
    }
    return undefined;
  }
}

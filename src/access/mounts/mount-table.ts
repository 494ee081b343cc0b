import { timeOrderedId } from '../../lib/ids.ts';
import { INITIAL_TUNING, type Mount } from '../model/mount.ts';
import { newMountAccessor } from './mount-accessor.ts';
import type { MountStore } from './mount-store.ts';

/** A mount and the rest of a path. */
export interface Mounted {
  readonly mount: Mount;
  /** Path below the mount, such as `certs/web`. */
  readonly rest: string;
}

/**
 * Read-through cache of mounts by path. Each lookup also reads the found mount's versions, one indexed row, so that
 * changes of another node are visible at once. Mounts are never nested.
 */
export class MountTable {
  readonly #store: MountStore;
  #byPath = new Map<string, Mount>();
  #mountById = new Map<string, Mount>();
  /** Change counter at the last load. */
  #changes = -1;
  #loading: Promise<void> | undefined;

  constructor(store: MountStore) {
    this.#store = store;
  }

  /**
   * Finds the mount of a path.
   * @param path path below `auth/`, such as `cert/certs/web`
   */
  async mountAt(path: string): Promise<Mounted | undefined> {
    const before = this.#changes;
    const known = await this.#lookUp(path);
    if (known) return known;
    // Another request may have reloaded the paths meanwhile. Then nothing is left to load, but the path may be found
    // now.
    await this.refresh();
    return this.#changes === before ? undefined : this.#lookUp(path);
  }

  /** Finds the mount of a path in the cache, without checking the database. */
  recall(path: string): Mounted | undefined {
    for (const prefix of prefixes(path)) {
      const mount = this.#byPath.get(prefix);
      if (mount) return { mount, rest: path.slice(prefix.length + 1) };
    }
    return undefined;
  }

  /** Returns undefined if the mount is disabled. */
  async byId(id: string): Promise<Mount | undefined> {
    const known = this.#mountById.get(id);
    const mount = await (known ? this.#store.latest(known) : this.#store.find(id));
    if (mount && mount.version >= (this.#mountById.get(id)?.version ?? 0)) this.#keep(mount);
    return mount;
  }

  /** Returns the mounts from the database. */
  all(): Promise<Mount[]> {
    return this.#store.all();
  }

  /** Creates the first mount of a new server, once. It is not created again after an administrator has disabled it. */
  async ensure(type: string, path: string): Promise<void> {
    const mount = { id: timeOrderedId(), path, type, accessor: newMountAccessor(type), description: '' };
    await this.#store.insertFirst({ ...mount, tuning: INITIAL_TUNING });
  }

  /** Reloads the paths if any mount has changed on any node. Reads one row if not. */
  async refresh(): Promise<void> {
    const changes = await this.#store.changes();
    while (this.#changes < changes) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  /** Reads the counter before the paths: these may then be newer than the counter, never older. */
  async #load(): Promise<void> {
    const changes = await this.#store.changes();
    const mounts = await this.#store.all();
    this.#byPath = new Map(mounts.map((mount) => [mount.path, mount]));
    this.#mountById = new Map(mounts.map((mount) => [mount.id, mount]));
    this.#changes = changes;
  }

  async #lookUp(path: string): Promise<Mounted | undefined> {
    const known = this.recall(path);
    if (!known) return undefined;
    const mount = await this.byId(known.mount.id);
    return mount?.path === known.mount.path ? { mount, rest: known.rest } : undefined;
  }

  /** Updates a cached mount. If its path has changed, the next reload adds the new one. */
  #keep(mount: Mount): void {
    const { id, path } = mount;
    if (!this.#mountById.has(id)) return;
    this.#mountById.set(id, mount);
    if (this.#byPath.get(path)?.id === id) this.#byPath.set(path, mount);
  }
}

/** Yields the path and all its prefixes: `a/b/c`, `a/b`, `a`. */
function* prefixes(path: string): Generator<string> {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

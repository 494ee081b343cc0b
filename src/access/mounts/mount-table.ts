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
 * Which mount a path lies under. Mounts are kept in memory by their paths, and the one that a path leads to is read each time, one
 * indexed row: what another node has disabled, moved or tuned is seen at once. No mount lies inside another.
 */
export class MountTable {
  readonly #store: MountStore;
  #byPath = new Map<string, Mount>();
  #mountById = new Map<string, Mount>();
  /** The change up to which the paths are known. */
  #changes = -1;
  #loading: Promise<void> | undefined;

  constructor(store: MountStore) {
    this.#store = store;
  }

  /** @param path below `auth/`: `cert/certs/web` */
  async mountAt(path: string): Promise<Mounted | undefined> {
    const before = this.#changes;
    const known = await this.#lookUp(path);
    if (known) return known;
    // Somebody else may have read the paths anew since: then there is nothing left to read, and more to find.
    await this.refresh();
    return this.#changes === before ? undefined : this.#lookUp(path);
  }

  /** As it was when it was last read; undefined for a path that led nowhere then. */
  recall(path: string): Mounted | undefined {
    for (const prefix of prefixes(path)) {
      const mount = this.#byPath.get(prefix);
      if (mount) return { mount, rest: path.slice(prefix.length + 1) };
    }
    return undefined;
  }

  /** Undefined once it was disabled. */
  async byId(id: string): Promise<Mount | undefined> {
    const known = this.#mountById.get(id);
    const mount = await (known ? this.#store.latest(known) : this.#store.find(id));
    if (mount && mount.version >= (this.#mountById.get(id)?.version ?? 0)) this.#keep(mount);
    return mount;
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

  /** At a path that it has moved to since the paths were read it is found when they are read again. */
  #keep(mount: Mount): void {
    const { id, path } = mount;
    if (!this.#mountById.has(id)) return;
    this.#mountById.set(id, mount);
    if (this.#byPath.get(path)?.id === id) this.#byPath.set(path, mount);
  }
}

/** `a/b/c`, `a/b`, `a` */
function* prefixes(path: string): Generator<string> {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

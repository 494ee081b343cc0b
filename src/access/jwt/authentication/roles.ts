import { LRUCache } from 'lru-cache';
import type { RoleStore } from '../../method/index.ts';
import type { Mount } from '../../model/mount.ts';
import { type JwtConfig, storedConfig } from '../settings/jwt-config.ts';
import type { JwtRoleSettings } from '../settings/jwt-role.ts';

export type JwtRoleStore = RoleStore<JwtRoleSettings, JwtConfig | undefined>;

/** @limit roles of a JWT mount in memory (estimated), bytes -> the least recently used one is read again */
const MOST_BYTES = 8 * 1024 * 1024;
const ENTRY_BYTES = 2_000;

interface Kept {
  readonly mountVersion: number;
  readonly settings: JwtRoleSettings;
}

/**
 * Read-through cache of the configuration and roles for logins. A login names its role, which is read by its key, so
 * the number of roles does not matter.
 */
export class JwtRoles {
  readonly #store: JwtRoleStore;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MOST_BYTES });
  #config: { readonly json: string; readonly config: JwtConfig | undefined } | undefined;

  constructor(store: JwtRoleStore) {
    this.#store = store;
  }

  /** Returns the configuration, as one object for each stored text. */
  config({ config: json }: Pick<Mount, 'config'>): JwtConfig | undefined {
    if (this.#config?.json !== json) this.#config = { json, config: storedConfig(json) };
    return this.#config.config;
  }

  /** Returns a role at this version of the mount or later. */
  async find(name: string, { version }: Pick<Mount, 'version'>): Promise<JwtRoleSettings | undefined> {
    const known = this.#kept.get(name);
    if (known?.mountVersion === version) return known.settings;
    const stored = await this.#store.find(name);
    if (!stored) return undefined;
    const size = ENTRY_BYTES + 2 * JSON.stringify(stored.settings).length;
    this.#kept.set(name, { mountVersion: version, settings: stored.settings }, { size });
    return stored.settings;
  }
}

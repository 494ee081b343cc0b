import { LRUCache } from 'lru-cache';
import { AnchorSet, type Certificate } from '../../x509/index.ts';
import type { CertConfig } from './config.ts';
import { type Constraint, compileConstraints } from './constraints.ts';
import { anchorsOf, readCertificates, readResponders } from './role-certificates.ts';
import type { RoleSettings } from './role-fields.ts';
import type { RoleStore, RoleVersion, StoredRole } from './role-store.ts';

/** What is always kept of a role: which certificates lead to it. */
export interface RoleEntry extends RoleVersion {
  readonly certificates: readonly Certificate[];
}

/** The rest of a role, ready for a login. */
export interface LoadedRole extends RoleVersion {
  readonly settings: RoleSettings;
  readonly constraints: readonly Constraint[];
  /** Those of `ocsp_ca_certificates`; undefined when they cannot be read. */
  readonly responderCertificates: readonly Certificate[] | undefined;
}

/** All roles of a mount at one moment. Immutable. */
export interface RoleSnapshot {
  readonly version: number;
  readonly config: CertConfig;
  readonly byName: ReadonlyMap<string, RoleEntry>;
  /** Of all roles, each anchor with the roles that it belongs to in name order. */
  readonly anchors: AnchorSet<RoleEntry>;
}

/** The anchors of some roles, each with the roles that it belongs to in the order given. */
export function anchorsOfRoles(roles: Iterable<RoleEntry>): AnchorSet<RoleEntry> {
  const entries: [Certificate, RoleEntry][] = [];
  for (const role of roles) for (const certificate of role.certificates) entries.push([certificate, role]);
  return new AnchorSet(entries);
}

/**
 * Keeps the anchors of all roles of a mount, and as many whole roles as the configuration says. Every login reads the
 * mount's version, one indexed row: what another node has written is seen at once, and only what has changed is read and
 * parsed again.
 */
export class RoleRegistry {
  readonly #store: RoleStore;
  readonly #onConfig: (config: CertConfig) => void;
  #snapshot: RoleSnapshot | undefined;
  #loading: Promise<void> | undefined;
  #loaded: LRUCache<string, LoadedRole> | undefined;

  /** @param onConfig told of the configuration when it is first read, and of each change to anything in the mount */
  constructor(store: RoleStore, onConfig: (config: CertConfig) => void = () => {}) {
    this.#store = store;
    this.#onConfig = onConfig;
  }

  /** The roles as they are at this moment or later; never as they were before the call. */
  async current(): Promise<RoleSnapshot> {
    const { version } = await this.#store.state();
    for (;;) {
      if (this.#snapshot && this.#snapshot.version >= version) return this.#snapshot;
      this.#loading ??= this.#refresh().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  /** The whole of a role; undefined when it has been written or removed since the snapshot. */
  async load({ name, version }: RoleVersion): Promise<LoadedRole | undefined> {
    const known = this.#loaded?.get(name);
    if (known?.version === version) return known;
    const stored = await this.#store.find(name);
    if (stored?.version !== version) return undefined;
    const loaded = loadRole(stored);
    this.#loaded?.set(name, loaded);
    return loaded;
  }

  /** The version is read before the roles: a snapshot may hold newer roles than it says, never older ones. */
  async #refresh(): Promise<void> {
    const { version, config } = await this.#store.state();
    const before = this.#snapshot;
    const written = new Map<string, RoleEntry>();
    for await (const role of this.#store.writtenSince(before?.version ?? -1)) written.set(role.name, entryOf(role));
    const byName = new Map<string, RoleEntry>();
    for (const { name } of await this.#store.versions()) {
      const entry = written.get(name) ?? before?.byName.get(name);
      if (entry) byName.set(name, entry);
    }
    if (config.role_cache_size !== before?.config.role_cache_size) this.#loaded = cacheOf(config.role_cache_size);
    this.#onConfig(config);
    this.#snapshot = { version, config, byName, anchors: anchorsOfRoles(byName.values()) };
  }
}

/** -1 keeps none. */
function cacheOf(size: number): LRUCache<string, LoadedRole> | undefined {
  return size > 0 ? new LRUCache({ max: size }) : undefined;
}

function entryOf({ name, version, settings }: StoredRole): RoleEntry {
  return { name, version, certificates: anchorsOf(readCertificates(settings.certificate)) };
}

function loadRole({ name, version, settings }: StoredRole): LoadedRole {
  return {
    name,
    version,
    settings,
    constraints: compileConstraints(settings),
    responderCertificates: readResponders(settings.ocsp_ca_certificates),
  };
}

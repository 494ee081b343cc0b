import { LRUCache } from 'lru-cache';
import { runInSlices, type Steps, yieldIfDue } from '../../../lib/slices.ts';
import type { AnchorCertificate, AnchorSet, Certificate } from '../../../x509/index.ts';
import { KEPT_REMOVALS, type RoleVersion } from '../../method/index.ts';
import { type Constraint, compileConstraints } from '../constraint/constraints.ts';
import { type CertConfig, INITIAL_CONFIG } from '../settings/cert-config.ts';
import type { RoleSettings } from '../settings/role-settings.ts';
import type { CertRoleStore, StoredCertRole } from './cert-role-store.ts';
import { type AnchorExpiries, RoleAnchors } from './role-anchors.ts';
import { readResponders } from './role-certificates.ts';
import { type RoleEntry, RoleIndex } from './role-index.ts';

/** The rest of a role, ready for a login. */
export interface LoadedRole extends RoleVersion {
  readonly settings: RoleSettings;
  readonly constraints: readonly Constraint[];
  /** Those of `ocsp_ca_certificates`; undefined when they cannot be read. */
  readonly responderCertificates: readonly Certificate[] | undefined;
}

/** All roles of a mount. They are never older than the version says; they grow newer in place. */
export interface RoleSnapshot {
  readonly version: number;
  readonly config: CertConfig;
  readonly byName: ReadonlyMap<string, RoleEntry>;
  /** Of all roles, each anchor with the roles that it belongs to. */
  readonly anchors: AnchorSet<RoleEntry>;
}

/**
 * Keeps the anchors of all roles of a mount, and as many whole roles as the configuration says. Every login reads the
 * mount's version, one indexed row: what another node has written is seen at once, and only what has changed is read and
 * parsed again.
 */
export class RoleRegistry {
  readonly #store: CertRoleStore;
  readonly #onConfig: (config: CertConfig) => void;
  readonly #report: (error: unknown) => void;
  #anchors = new RoleAnchors();
  #roles = new RoleIndex();
  #snapshot: RoleSnapshot | undefined;
  #loading: Promise<void> | undefined;
  #loaded: LRUCache<string, LoadedRole> | undefined;

  /**
   * @param onConfig called with the configuration when it is first read, and after each change to anything in the mount
   * @param report called with an error for each role of which a certificate cannot be read, when it is loaded
   */
  constructor(
    store: CertRoleStore,
    onConfig: (config: CertConfig) => void = () => {},
    report: (error: unknown) => void = () => {},
  ) {
    this.#store = store;
    this.#onConfig = onConfig;
    this.#report = report;
  }

  /**
   * The roles as they are at this moment or later; never as they were before the call.
   * @param known the version of the mount, where the caller has just read it
   */
  async current(known?: number): Promise<RoleSnapshot> {
    const version = known ?? (await this.#store.state()).version;
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
    // Where the configuration changes meanwhile, another cache takes the place of this one.
    const cache = this.#loaded;
    const loaded = await runInSlices(loadRole(stored, this.#snapshot?.config ?? INITIAL_CONFIG));
    cache?.set(name, loaded);
    return loaded;
  }

  /** How the certificates of all roles stand. @param soon milliseconds from now on */
  async caExpiries(now: number, soon: number): Promise<AnchorExpiries> {
    await this.current();
    return runInSlices(this.#anchors.expiries(now, now + soon));
  }

  /** The names of the first so many, in order. */
  firstNames(most: number): Promise<string[]> {
    return this.#store.names('', most);
  }

  /**
   * Reads what has changed, and everything at first or after very many changes: in slices, as there may be many thousands.
   * The version is read before the roles: a snapshot may hold newer roles than it says, never older ones.
   */
  async #refresh(): Promise<void> {
    const { version, config } = await this.#store.state();
    const before = this.#snapshot;
    const known = before && version - before.version < KEPT_REMOVALS / 2 ? before : undefined;
    const roles = known ? this.#roles : new RoleIndex();
    if (!known) this.#anchors = new RoleAnchors();
    for await (const removed of known ? this.#store.removedSince(known.version) : []) {
      this.#forget(roles.remove(removed));
      await yieldIfDue();
    }
    for await (const { name, version, settings } of this.#store.writtenSince(known?.version ?? -1)) {
      const { certificates, faults } = await runInSlices(this.#anchors.read(settings.certificate));
      if (faults.length > 0) this.#report(unreadable(name, faults));
      this.#forget(roles.put({ name, version, certificates }));
      await yieldIfDue();
    }
    if (!before || readsRolesAnew(config, before.config)) this.#loaded = cacheOf(config.role_cache_size);
    this.#onConfig(config);
    this.#roles = roles;
    this.#snapshot = { version, config, byName: roles.byName, anchors: roles.anchors };
  }

  #forget(certificates: readonly AnchorCertificate[]): void {
    for (const certificate of certificates) this.#anchors.forget(certificate);
  }
}

/** @limit certificates that cannot be read, of one role, in the log, certificates -> the others are left out */
const MAX_FAULTS = 5;

function unreadable(role: string, faults: readonly string[]): Error {
  const more = faults.length > MAX_FAULTS ? `; and ${faults.length - MAX_FAULTS} more` : '';
  return new Error(
    `role ${role}: ${faults.slice(0, MAX_FAULTS).join('; ')}${more}. Write the role again without them.`,
  );
}

/** A loaded role holds its constraints as the configuration wants them. */
function readsRolesAnew(now: CertConfig, before: CertConfig): boolean {
  const held = ['role_cache_size', 'strict_dns_names', 'strict_dns_patterns'] as const;
  return held.some((name) => now[name] !== before[name]);
}

/** -1 keeps none. */
function cacheOf(size: number): LRUCache<string, LoadedRole> | undefined {
  return size > 0 ? new LRUCache({ max: size }) : undefined;
}

function* loadRole({ name, version, settings }: StoredCertRole, config: CertConfig): Steps<LoadedRole> {
  const responderCertificates = yield* readResponders(settings.ocsp_ca_certificates);
  const constraints = yield* compileConstraints(settings, config);
  return { name, version, settings, constraints, responderCertificates };
}

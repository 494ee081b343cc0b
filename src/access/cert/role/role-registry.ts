import { LRUCache } from 'lru-cache';
import { runInSlices, type Steps, yieldIfDue } from '../../../lib/slices.ts';
import type { AcceptedPurposes, AnchorCertificate, AnchorSet, Certificate } from '../../../x509/index.ts';
import { KEPT_REMOVALS, type RoleVersion } from '../../method/index.ts';
import { type Constraint, compileConstraints } from '../constraint/constraints.ts';
import { compileGroupSources, type GroupsOf } from '../constraint/group-sources.ts';
import { type CertConfig, INITIAL_CONFIG } from '../settings/cert-config.ts';
import { acceptedPurposes } from '../settings/key-purposes.ts';
import type { RoleSettings } from '../settings/role-settings.ts';
import type { CertRoleStore, StoredCertRole } from './cert-role-store.ts';
import { type AnchorExpiries, RoleAnchors } from './role-anchors.ts';
import { readResponders } from './role-certificates.ts';
import { type RoleEntry, RoleIndex } from './role-index.ts';

/** A role with everything that a login needs. */
export interface LoadedRole extends RoleVersion {
  readonly settings: RoleSettings;
  readonly constraints: readonly Constraint[];
  readonly groupsOf: GroupsOf;
  /** Certificates of `ocsp_ca_certificates`. Undefined if they cannot be parsed. */
  readonly responderCertificates: readonly Certificate[] | undefined;
}

/** All roles of a mount. They are never older than the version, and are updated in place. */
export interface RoleSnapshot {
  readonly version: number;
  readonly config: CertConfig;
  readonly byName: ReadonlyMap<string, RoleEntry>;
  /** Anchors of all roles, each with the roles that contain it. */
  readonly anchors: AnchorSet<RoleEntry>;
  /** Key purposes that any role accepts. */
  readonly purposes: AcceptedPurposes;
}

/**
 * Read-through cache: the anchors of all roles of a mount, and as many complete roles as the configuration allows.
 * Every login checks the mount's version in the database, at the latest when it writes its token. Changes of another
 * node take effect at once, and only changed roles are read again.
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
   * @param onConfig called with the configuration after the first read, and after each change in the mount
   * @param report called with an error for each loaded role with a certificate that cannot be parsed
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
   * Returns the roles at a version of the mount or later, never an older state.
   * @param known version of the mount; default: the current one
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

  /** Loads a complete role. Returns undefined if it was written or removed since the snapshot. */
  async load({ name, version }: RoleVersion): Promise<LoadedRole | undefined> {
    const known = this.#loaded?.get(name);
    if (known?.version === version) return known;
    const stored = await this.#store.find(name);
    if (stored?.version !== version) return undefined;
    // A configuration change may replace the cache while the role loads.
    const cache = this.#loaded;
    const loaded = await runInSlices(loadRole(stored, this.#snapshot?.config ?? INITIAL_CONFIG));
    cache?.set(name, loaded);
    return loaded;
  }

  /**
   * Returns the expiry of all roles' certificates.
   * @param soon milliseconds from `now`
   */
  async caExpiries(now: number, soon: number): Promise<AnchorExpiries> {
    await this.current();
    return runInSlices(this.#anchors.expiries(now, now + soon));
  }

  /** Returns the first `most` names, in order. */
  firstNames(most: number): Promise<string[]> {
    return this.#store.names('', most);
  }

  /**
   * Reads all changes, or all roles at first and after very many changes. Works in slices, because there may be many
   * thousands. Reads the version before the roles: a snapshot may contain newer roles than its version, never older
   * ones.
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
      this.#forget(roles.put({ name, version, certificates, purposes: acceptedPurposes(settings.extended_key_usage) }));
      await yieldIfDue();
    }
    if (!before || readsRolesAnew(config, before.config)) this.#loaded = cacheOf(config.role_cache_size);
    this.#onConfig(config);
    this.#roles = roles;
    const { byName, anchors, purposes } = roles;
    this.#snapshot = { version, config, byName, anchors, purposes };
  }

  #forget(certificates: readonly AnchorCertificate[]): void {
    for (const certificate of certificates) this.#anchors.forget(certificate);
  }
}

/** @limit unreadable certificates of one role in the log, certificates -> the others are left out */
const MAX_FAULTS = 5;

function unreadable(role: string, faults: readonly string[]): Error {
  const more = faults.length > MAX_FAULTS ? `; and ${faults.length - MAX_FAULTS} more` : '';
  return new Error(
    `role ${role}: ${faults.slice(0, MAX_FAULTS).join('; ')}${more}. Write the role again without them.`,
  );
}

/** Returns whether cached roles are outdated: their constraints depend on the configuration. */
function readsRolesAnew(now: CertConfig, before: CertConfig): boolean {
  const held = ['role_cache_size', 'strict_dns_names', 'strict_dns_patterns'] as const;
  return held.some((name) => now[name] !== before[name]);
}

/** Returns no cache for -1. */
function cacheOf(size: number): LRUCache<string, LoadedRole> | undefined {
  return size > 0 ? new LRUCache({ max: size }) : undefined;
}

function* loadRole({ name, version, settings }: StoredCertRole, config: CertConfig): Steps<LoadedRole> {
  const responderCertificates = yield* readResponders(settings.ocsp_ca_certificates);
  const constraints = yield* compileConstraints(settings, config);
  const groupsOf = compileGroupSources(settings.group_sources);
  return { name, version, settings, constraints, groupsOf, responderCertificates };
}

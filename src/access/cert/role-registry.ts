import { AnchorSet, type Certificate } from '../../x509/index.ts';
import { type Constraint, compileConstraints } from './constraints.ts';
import { anchorsOf, readCertificates } from './role-certificates.ts';
import type { RoleSettings } from './role-fields.ts';
import type { RoleStore, StoredRole } from './role-store.ts';

/** A role with everything parsed that a login needs. */
export interface LoadedRole {
  readonly name: string;
  readonly version: number;
  readonly settings: RoleSettings;
  readonly constraints: readonly Constraint[];
  readonly certificates: readonly Certificate[];
}

/** All roles of a mount at one moment. Immutable. */
export interface RoleSnapshot {
  readonly version: number;
  readonly byName: ReadonlyMap<string, LoadedRole>;
  /** Of all roles, each anchor with the roles that it belongs to in name order. */
  readonly anchors: AnchorSet<LoadedRole>;
}

/** The anchors of some roles, each with the roles that it belongs to in the order given. */
export function anchorsOfRoles(roles: readonly LoadedRole[]): AnchorSet<LoadedRole> {
  return new AnchorSet(roles.flatMap((role) => role.certificates.map((certificate) => [certificate, role] as const)));
}

/**
 * Keeps the roles of a mount parsed. Every login asks the database for the mount's version, one indexed read: what another
 * node has written is seen at once, and a role that did not change is not parsed again.
 */
export class RoleRegistry {
  readonly #store: RoleStore;
  #snapshot: RoleSnapshot | undefined;
  #loading: Promise<void> | undefined;

  constructor(store: RoleStore) {
    this.#store = store;
  }

  /** The roles as they are at this moment or later; never as they were before the call. */
  async current(): Promise<RoleSnapshot> {
    const version = await this.#store.version();
    for (;;) {
      if (this.#snapshot && this.#snapshot.version >= version) return this.#snapshot;
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  /** The version is read before the roles: a snapshot may hold newer roles than it says, never older ones. */
  async #load(): Promise<void> {
    const version = await this.#store.version();
    const before = this.#snapshot?.byName;
    const roles = (await this.#store.all()).map((stored) => {
      const known = before?.get(stored.name);
      return known?.version === stored.version ? known : loadRole(stored);
    });
    const byName = new Map(roles.map((role) => [role.name, role]));
    this.#snapshot = { version, byName, anchors: anchorsOfRoles(roles) };
  }
}

function loadRole({ name, version, settings }: StoredRole): LoadedRole {
  const certificates = anchorsOf(readCertificates(settings.certificate));
  return { name, version, settings, constraints: compileConstraints(settings), certificates };
}

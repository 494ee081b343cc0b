import {
  type AcceptedPurposes,
  type AnchorCertificate,
  AnchorSet,
  type Certificate,
  type Oid,
} from '../../../x509/index.ts';
import type { RoleVersion } from '../../method/index.ts';
import { CLIENT_AUTH } from '../settings/key-purposes.ts';

/** The part of a role that is always in memory, because the search of paths needs it. */
export interface RoleEntry extends RoleVersion {
  readonly certificates: readonly AnchorCertificate[];
  readonly purposes: AcceptedPurposes;
}

/** Counts the key purposes of roles, so that one search can find the paths for all of them. */
class PurposeCounts {
  readonly #counts = new Map<Oid, number>();
  #unrestricted = 0;

  /** Purposes that any role accepts. Without roles, the default. */
  get accepted(): AcceptedPurposes {
    if (this.#unrestricted > 0) return undefined;
    return this.#counts.size === 0 ? CLIENT_AUTH : this.#counts;
  }

  count({ purposes }: RoleEntry, by: 1 | -1): void {
    if (purposes === undefined) this.#unrestricted += by;
    for (const purpose of purposes?.keys() ?? []) {
      const count = (this.#counts.get(purpose) ?? 0) + by;
      if (count > 0) this.#counts.set(purpose, count);
      else this.#counts.delete(purpose);
    }
  }
}

/** Builds the anchors of some roles, each with the roles that contain it. */
export function anchorsOfRoles(roles: Iterable<RoleEntry>): AnchorSet<RoleEntry> {
  const anchors = new AnchorSet<RoleEntry>([]);
  for (const role of roles) for (const certificate of role.certificates) anchors.add(certificate, role);
  return anchors;
}

/** Returns the first certificates of some roles, without duplicates. */
export function firstCertificates(roles: Iterable<RoleEntry>, most: number): readonly Certificate[] {
  const found = new Map<string, AnchorCertificate>();
  for (const { certificates } of roles) {
    for (const one of certificates) if (found.size < most) found.set(one.fingerprint, one);
    if (found.size === most) break;
  }
  return [...found.values()].map(({ certificate }) => certificate);
}

/**
 * Index of a mount's roles by name and by certificate. Each update handles one role at a cost that does not depend on
 * the number of roles, and is synchronous, so that no reader sees half of it.
 */
export class RoleIndex {
  readonly #byName = new Map<string, RoleEntry>();
  readonly anchors = new AnchorSet<RoleEntry>([]);
  readonly #purposes = new PurposeCounts();

  /** Purposes that any role accepts. */
  get purposes(): AcceptedPurposes {
    return this.#purposes.accepted;
  }

  get byName(): ReadonlyMap<string, RoleEntry> {
    return this.#byName;
  }

  /** @returns the certificates that no role contains any more */
  put(role: RoleEntry): AnchorCertificate[] {
    const before = this.#byName.get(role.name);
    if (before) this.#unlink(before);
    this.#byName.set(role.name, role);
    this.#purposes.count(role, 1);
    for (const certificate of role.certificates) this.anchors.add(certificate, role);
    return this.#unused(before);
  }

  /**
   * Removes a role up to this version. A newer version of the role stays.
   * @returns the certificates that no role contains any more
   */
  remove({ name, version }: RoleVersion): AnchorCertificate[] {
    const role = this.#byName.get(name);
    if (!role || role.version > version) return [];
    this.#unlink(role);
    this.#byName.delete(name);
    return this.#unused(role);
  }

  #unlink(role: RoleEntry): void {
    this.#purposes.count(role, -1);
    for (const certificate of role.certificates) this.anchors.remove(certificate, role);
  }

  #unused(role: RoleEntry | undefined): AnchorCertificate[] {
    return (role?.certificates ?? []).filter((certificate) => !this.anchors.get(certificate));
  }
}

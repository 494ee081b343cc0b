import { type AnchorCertificate, AnchorSet, type Certificate } from '../../../x509/index.ts';
import type { RoleVersion } from '../../method/index.ts';

/** What is always kept of a role: which certificates lead to it. */
export interface RoleEntry extends RoleVersion {
  readonly certificates: readonly AnchorCertificate[];
}

/** The anchors of some roles, each with the roles that it belongs to. */
export function anchorsOfRoles(roles: Iterable<RoleEntry>): AnchorSet<RoleEntry> {
  const anchors = new AnchorSet<RoleEntry>([]);
  for (const role of roles) for (const certificate of role.certificates) anchors.add(certificate, role);
  return anchors;
}

/** Returns the first certificates of some roles, each once. */
export function firstCertificates(roles: Iterable<RoleEntry>, most: number): readonly Certificate[] {
  const found = new Map<string, AnchorCertificate>();
  for (const { certificates } of roles) {
    for (const one of certificates) if (found.size < most) found.set(one.fingerprint, one);
    if (found.size === most) break;
  }
  return [...found.values()].map(({ certificate }) => certificate);
}

/**
 * The roles of a mount, by name and by the certificates that lead to them. One role at a time is written or removed, at a
 * cost that does not grow with the number of all, and within one turn: nobody sees half of it.
 */
export class RoleIndex {
  readonly #byName = new Map<string, RoleEntry>();
  readonly anchors = new AnchorSet<RoleEntry>([]);

  get byName(): ReadonlyMap<string, RoleEntry> {
    return this.#byName;
  }

  /** @returns the certificates that lead to no role any more */
  put(role: RoleEntry): AnchorCertificate[] {
    const before = this.#byName.get(role.name);
    if (before) this.#unlink(before);
    this.#byName.set(role.name, role);
    for (const certificate of role.certificates) this.anchors.add(certificate, role);
    return this.#unused(before);
  }

  /**
   * Removes a role as it was before this version: one that was written again later stays.
   * @returns the certificates that lead to no role any more
   */
  remove({ name, version }: RoleVersion): AnchorCertificate[] {
    const role = this.#byName.get(name);
    if (!role || role.version > version) return [];
    this.#unlink(role);
    this.#byName.delete(name);
    return this.#unused(role);
  }

  #unlink(role: RoleEntry): void {
    for (const certificate of role.certificates) this.anchors.remove(certificate, role);
  }

  #unused(role: RoleEntry | undefined): AnchorCertificate[] {
    return (role?.certificates ?? []).filter((certificate) => !this.anchors.get(certificate));
  }
}

import type { Certificate } from '../certificate/certificate.ts';
import type { Name } from '../certificate/name.ts';

/** A certificate that is trusted as it is. Need not be self-signed: an intermediate, even a leaf, can be an anchor. */
export interface Anchor<Owner> {
  readonly certificate: Certificate;
  /** Who trusts it: whatever the caller gave along, in the order given. */
  readonly owners: readonly Owner[];
}

/**
 * Trust anchors, looked up by subject or as a whole in constant time however many there are. Never changes: build a new one, which
 * costs little, as the certificates are parsed already.
 */
export class AnchorSet<Owner = undefined> {
  readonly #byFingerprint = new Map<string, { certificate: Certificate; owners: Owner[] }>();
  readonly #bySubject = new Map<string, Anchor<Owner>[]>();

  /** Each certificate with one who trusts it; the same certificate may come again with another. */
  constructor(entries: Iterable<readonly [Certificate, Owner]>) {
    for (const [certificate, owner] of entries) this.#add(certificate, owner);
  }

  /** Of certificates that all belong to one owner, the caller. */
  static of(certificates: readonly Certificate[]): AnchorSet {
    return new AnchorSet(certificates.map((certificate) => [certificate, undefined] as const));
  }

  /** Different certificates. */
  get size(): number {
    return this.#byFingerprint.size;
  }

  /** The anchor that is this very certificate, byte for byte. */
  get(certificate: Certificate): Anchor<Owner> | undefined {
    return this.#byFingerprint.get(certificate.fingerprint);
  }

  /** Anchors with this subject, compared as RFC 5280 §7.1 says. */
  named(subject: Name): readonly Anchor<Owner>[] {
    return this.#bySubject.get(subject.key) ?? [];
  }

  #add(certificate: Certificate, owner: Owner): void {
    const known = this.#byFingerprint.get(certificate.fingerprint);
    if (known !== undefined) {
      known.owners.push(owner);
      return;
    }
    const anchor = { certificate, owners: [owner] };
    this.#byFingerprint.set(certificate.fingerprint, anchor);
    const { key } = certificate.subject;
    const namesakes = this.#bySubject.get(key);
    if (namesakes === undefined) this.#bySubject.set(key, [anchor]);
    else namesakes.push(anchor);
  }
}

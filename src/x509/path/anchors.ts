import { Certificate } from '../certificate/certificate.ts';
import type { Name } from '../certificate/name.ts';

/** What a set of anchors keeps of a certificate. The whole may be read from its bytes only when a path leads to it. */
export interface AnchorCertificate {
  readonly fingerprint: string;
  /** `Name#key` of the subject. */
  readonly subjectKey: string;
  readonly subjectKeyId: string | undefined;
  readonly certificate: Certificate;
}

/** A certificate that is trusted as it is. Need not be self-signed: an intermediate, even a leaf, can be an anchor. */
export interface Anchor<Owner> extends AnchorCertificate {
  /** Who trusts it: whatever the caller gave along, in the order given. */
  readonly owners: readonly Owner[];
}

/**
 * Trust anchors, looked up by subject or as a whole in constant time however many there are.
 */
export class AnchorSet<Owner = undefined> {
  readonly #byFingerprint = new Map<string, OwnedAnchor<Owner>>();
  readonly #bySubject = new Map<string, Anchor<Owner>[]>();

  /** Each certificate with one who trusts it; the same certificate may come again with another. */
  constructor(entries: Iterable<readonly [Certificate | AnchorCertificate, Owner]>) {
    for (const [certificate, owner] of entries) this.add(certificate, owner);
  }

  /** Of certificates that all belong to one owner, the caller. */
  static fromCertificates(certificates: readonly Certificate[]): AnchorSet {
    return new AnchorSet(certificates.map((certificate) => [certificate, undefined] as const));
  }

  /** Different certificates. */
  get size(): number {
    return this.#byFingerprint.size;
  }

  /** The anchor that is this very certificate, byte for byte. */
  get({ fingerprint }: Pick<Certificate, 'fingerprint'>): Anchor<Owner> | undefined {
    return this.#byFingerprint.get(fingerprint);
  }

  /** Anchors with this subject, compared as RFC 5280 §7.1 says. */
  named(subject: Name): readonly Anchor<Owner>[] {
    return this.#bySubject.get(subject.key) ?? [];
  }

  add(certificate: Certificate | AnchorCertificate, owner: Owner): void {
    const known = this.#byFingerprint.get(certificate.fingerprint);
    if (known !== undefined) {
      known.owners.push(owner);
      return;
    }
    const anchor = new OwnedAnchor(certificate instanceof Certificate ? whole(certificate) : certificate, owner);
    this.#byFingerprint.set(anchor.fingerprint, anchor);
    const namesakes = this.#bySubject.get(anchor.subjectKey);
    if (namesakes === undefined) this.#bySubject.set(anchor.subjectKey, [anchor]);
    else namesakes.push(anchor);
  }

  /** Takes one owner away; the last one with the anchor. */
  remove({ fingerprint }: Pick<Certificate, 'fingerprint'>, owner: Owner): void {
    const anchor = this.#byFingerprint.get(fingerprint);
    if (!anchor) return;
    without(anchor.owners, owner);
    if (anchor.owners.length > 0) return;
    this.#byFingerprint.delete(fingerprint);
    const namesakes = this.#bySubject.get(anchor.subjectKey) ?? [];
    without(namesakes, anchor);
    if (namesakes.length === 0) this.#bySubject.delete(anchor.subjectKey);
  }
}

function without<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

class OwnedAnchor<Owner> implements Anchor<Owner> {
  readonly #kept: AnchorCertificate;
  readonly owners: Owner[];

  constructor(kept: AnchorCertificate, owner: Owner) {
    this.#kept = kept;
    this.owners = [owner];
  }

  get fingerprint(): string {
    return this.#kept.fingerprint;
  }

  get subjectKey(): string {
    return this.#kept.subjectKey;
  }

  get subjectKeyId(): string | undefined {
    return this.#kept.subjectKeyId;
  }

  get certificate(): Certificate {
    return this.#kept.certificate;
  }
}

function whole(certificate: Certificate): AnchorCertificate {
  const { fingerprint, subject, subjectKeyId } = certificate;
  return { fingerprint, subjectKey: subject.key, subjectKeyId, certificate };
}

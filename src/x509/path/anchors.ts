import { Certificate } from '../certificate/certificate.ts';
import type { Name } from '../certificate/name.ts';

/** Data of a certificate in a set of anchors. The whole certificate is parsed only when a path leads to it. */
export interface AnchorCertificate {
  readonly fingerprint: string;
  /** `Name#key` of the subject. */
  readonly subjectKey: string;
  readonly subjectKeyId: string | undefined;
  readonly certificate: Certificate;
}

/** A trusted certificate. It need not be self-signed: an intermediate, even a leaf, can be an anchor. */
export interface Anchor<Owner> extends AnchorCertificate {
  /** Owners who trust the certificate: the values of the caller, in their order. */
  readonly owners: readonly Owner[];
}

/** Trust anchors with look-up by subject or by certificate in constant time. */
export class AnchorSet<Owner = undefined> {
  readonly #byFingerprint = new Map<string, OwnedAnchor<Owner>>();
  readonly #bySubject = new Map<string, Anchor<Owner>[]>();

  /** Each certificate with one owner; the same certificate may appear again with another owner. */
  constructor(entries: Iterable<readonly [Certificate | AnchorCertificate, Owner]>) {
    for (const [certificate, owner] of entries) this.add(certificate, owner);
  }

  /** Creates a set of certificates without owners. */
  static fromCertificates(certificates: readonly Certificate[]): AnchorSet {
    return new AnchorSet(certificates.map((certificate) => [certificate, undefined] as const));
  }

  /** Number of different certificates. */
  get size(): number {
    return this.#byFingerprint.size;
  }

  /** Returns the anchor with the same bytes. */
  get({ fingerprint }: Pick<Certificate, 'fingerprint'>): Anchor<Owner> | undefined {
    return this.#byFingerprint.get(fingerprint);
  }

  /** Returns anchors with this subject, compared as in RFC 5280 §7.1. */
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

  /** Removes one owner, and with the last one the anchor. */
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

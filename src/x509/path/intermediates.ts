import type { Certificate } from '../certificate/certificate.ts';
import type { Name } from '../certificate/name.ts';
import type { Position } from './verdict.ts';

/** Untrusted certificates for building paths, by subject and without duplicates. */
export class Intermediates {
  readonly #bySubject = new Map<string, Certificate[]>();

  constructor(certificates: readonly Certificate[]) {
    for (const certificate of certificates) {
      const { key } = certificate.subject;
      const namesakes = this.#bySubject.get(key);
      if (namesakes === undefined) this.#bySubject.set(key, [certificate]);
      else if (!namesakes.some((other) => other.equals(certificate))) namesakes.push(certificate);
    }
  }

  /** Returns those with this subject that do not create a loop in the path. */
  named(subject: Name, path: readonly Position[]): Certificate[] {
    return (this.#bySubject.get(subject.key) ?? []).filter((certificate) => !isLoop(certificate, path));
  }
}

/** Returns whether the certificate with this fingerprint is in the path. */
export function isInPath(fingerprint: string, path: readonly Position[]): boolean {
  return path.some((position) => position.certificate.fingerprint === fingerprint);
}

/**
 * Returns true also if a CA with the same name and key is in the path: the path above would be the same, and shortening
 * it can only remove constraints.
 */
function isLoop(certificate: Certificate, path: readonly Position[]): boolean {
  return path.some((position) => {
    if (position.certificate.equals(certificate)) return true;
    return position.index > 0 && isSameAuthority(position.certificate, certificate);
  });
}

function isSameAuthority(one: Certificate, other: Certificate): boolean {
  return one.subject.key === other.subject.key && one.publicKey.der.equals(other.publicKey.der);
}

/** Sorts the likely issuers first: those with the key that the certificate's authority key identifier names. */
export function likelyIssuersFirst<T>(
  candidates: readonly T[],
  certificate: Certificate,
  keyIdOf: (candidate: T) => string | undefined,
): readonly T[] {
  const keyId = certificate.authorityKeyId;
  if (keyId === undefined || candidates.length < 2) return candidates;
  const isLikely = (candidate: T): boolean => keyIdOf(candidate) === keyId;
  return [...candidates.filter(isLikely), ...candidates.filter((candidate) => !isLikely(candidate))];
}

import type { Certificate } from '../certificate/certificate.ts';
import type { Name } from '../certificate/name.ts';
import type { Position } from './verdict.ts';

/** Untrusted certificates to build paths with, by subject; each once. */
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

  /** Those with this subject that the path does not go round in a circle with. */
  named(subject: Name, path: readonly Position[]): Certificate[] {
    return (this.#bySubject.get(subject.key) ?? []).filter((certificate) => !isLoop(certificate, path));
  }
}

/** True when the certificate with this fingerprint is in the path. */
export function isInPath(fingerprint: string, path: readonly Position[]): boolean {
  return path.some((position) => position.certificate.fingerprint === fingerprint);
}

/**
 * True also when an authority with this name and this key is in the path: the way up from there is the same, and leaving out what
 * lies between can only lift constraints.
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

/** Those whose key the certificate says it was signed with come first. */
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

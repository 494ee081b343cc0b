import { type Peer, PRESENTED_LIMITS } from '../../../lib/request.ts';
import type { CertificateAuthenticatorOptions } from '../authentication/certificate-authenticator.ts';
import type { RevocationChecks } from '../authentication/revocation-checks.ts';

/** Decides as a login does, and writes nothing. */
export function withoutEffects(options: CertificateAuthenticatorOptions): CertificateAuthenticatorOptions {
  const { proven, revocation } = options;
  return {
    ...options,
    revocation: askedOnce(revocation),
    proven: {
      current: (version) => proven.current(version),
      above: (certificates) => proven.above(certificates),
      has: (certificate) => proven.has(certificate),
      prove: async () => {},
      used: async () => {},
    },
  };
}

/** A connection that presents these certificates, the leaf first. Intermediates count as far as those of a real one do. */
export function presenting(ders: readonly Uint8Array[], address: string): Peer {
  const [leaf, ...others] = ders;
  const bytes = others.reduce((sum, { length }) => sum + length, 0);
  const isTooMuch = others.length > PRESENTED_LIMITS.certificates || bytes > PRESENTED_LIMITS.bytes;
  return {
    address,
    tls: true,
    leaf: () => leaf,
    intermediates: () => (isTooMuch ? undefined : others),
    proved() {},
    admitted() {},
  };
}

/** A role is explained path by path besides: no responder is asked twice about one path. */
function askedOnce(checks: RevocationChecks): RevocationChecks {
  const asked = new Map<string, ReturnType<RevocationChecks['verdicts']>>();
  return {
    verdicts(path, role, mountVersion) {
      const key = [role.name, role.version, ...path.map(({ fingerprint }) => fingerprint)].join();
      const known = asked.get(key) ?? checks.verdicts(path, role, mountVersion);
      asked.set(key, known);
      return known;
    },
  };
}

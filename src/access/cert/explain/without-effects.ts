import { type Peer, PRESENTED_LIMITS } from '../../../lib/request.ts';
import type { CertificateAuthenticatorOptions } from '../authentication/certificate-authenticator.ts';
import type { RevocationChecks } from '../authentication/revocation-checks.ts';

/** Returns options for a login that decides as usual but writes nothing. */
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

/**
 * Returns a simulated connection that presents these certificates, leaf first. Limits for intermediates apply as for
 * a real connection.
 */
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

/** Caches revocation checks: each path is evaluated twice, by the simulated login and by the explanation. */
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

import type { Clock } from '../lib/clock.ts';
import type { Service } from '../lib/service.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import type { OcspStats } from '../revocation/ocsp-client.ts';
import type { Database, Keyring } from '../storage/index.ts';
import type { CertMethod } from './cert/cert-method.ts';
import type { CrlFigures } from './cert/crl/index.ts';
import type { Surface } from './openapi/openapi-document.ts';
import type { AuditRecord } from './sys/audit-operations.ts';
import type { Readiness } from './sys/health.ts';
import type { TokenService } from './tokens/token-service.ts';
import type { TtlLimits } from './tokens/ttl.ts';

export interface AccessDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly limits: TtlLimits;
  /** Takes signatures over SHA-1 in chains of clients: an operator's workaround, off by default (spec §9). */
  readonly allowSha1: boolean;
  /** The way out to OCSP responders and CRL distribution points. */
  readonly fetch: GuardedFetch;
  /** Of this program, as `sys/health` shows it. */
  readonly version: string;
  /** Without it nothing is on record. */
  readonly audit?: AuditRecord;
  /** Without it the server counts as ready. */
  readonly readiness?: Readiness;
  /** Told of what fails in the background. */
  readonly report: (error: unknown) => void;
}

/** A login by certificate, as others may rely on it. */
export interface CertificateLogin {
  /** The path of the mount: `cert`. */
  readonly mount: string;
  readonly role: string;
  readonly commonName: string;
  /** RFC 4514 */
  readonly subject: string;
  /** Decimal. */
  readonly serialNumber: string;
  readonly accessor: string;
  /** Milliseconds. */
  readonly expiresAt: number;
  /** Names the login without being its token, for `certificateStanding`: letters, digits, `-` and `_`. */
  readonly reference: string;
}

/** How the revocation of one mount's certificates is doing. */
export interface RevocationFigures {
  /** The path of the mount. */
  readonly mount: string;
  readonly crls: readonly CrlFigures[];
  /** Since the start, by what came of them: `fetched`, `unchanged`, `failed`. */
  readonly crlFetches: Readonly<Record<string, number>>;
  readonly ocsp: OcspStats;
}

/** Who may come in: the access API and what stands behind it. */
export interface Access {
  readonly tokens: TokenService;
  readonly service: Service;
  /** Begins what goes on in the background: expired tokens are swept, revocation lists fetched again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The certificate behind a live token of ours; undefined for any other text. */
  certificateLogin(tokenText: string, address: string): Promise<CertificateLogin | undefined>;
  /** The login behind a reference, as long as its token was not revoked and has not ended long ago (LINK_GRACE_MS). */
  certificateStanding(reference: string, address: string): Promise<CertificateLogin | undefined>;
  /** The certificate method mounted at a path; undefined when there is none. */
  certMethod(path: string): Promise<CertMethod | undefined>;
  /** Every operation that there is, by where it lives. */
  readonly surfaces: readonly Surface[];
  /** Of every mount. */
  revocationFigures(): Promise<readonly RevocationFigures[]>;
}

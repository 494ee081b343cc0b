import type { FastifyRequest } from 'fastify';
import type { BackgroundWork } from '../lib/background/background-work.ts';
import type { Clock } from '../lib/clock.ts';
import type { Service } from '../lib/service.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import type { Database, Keyring } from '../storage/index.ts';
import type { CaExpiries, CertificateLogin, CertMethod, RevocationMetrics } from './cert/index.ts';
import type { MountKeyMetrics } from './jwt/index.ts';
import type { TtlLimits } from './model/ttl-limits.ts';
import type { OperationGroup } from './openapi/index.ts';
import type { Reply } from './operation/operation.ts';
import type { AskedWithin } from './pipeline/index.ts';
import type { AuditRecord, Readiness, RecentActivity } from './sys/index.ts';
import type { TokenService } from './tokens/index.ts';

export interface AccessDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly limits: TtlLimits;
  /** Accepts SHA-1 signatures in client chains. A workaround that an operator can enable; off by default (spec §9). */
  readonly allowSha1: boolean;
  /** Sends requests to OCSP responders, CRL distribution points and issuers of JWTs. */
  readonly fetch: GuardedFetch;
  /** Version of the server, which `sys/health` returns. */
  readonly version: string;
  /** Audit log. Absent if there is none. */
  readonly audit?: AuditRecord;
  /** Metrics. Absent if there are none. */
  readonly recentActivity?: RecentActivity;
  /** Readiness check. If absent, the server always counts as ready. */
  readonly readiness?: Readiness;
  /** Called for errors in the background. */
  readonly report: (error: unknown) => void;
}

/** Public API of the access module. */
export interface Access {
  readonly tokens: TokenService;
  readonly service: Service;
  /** In this order: the sweep of expired data, and the work of mounts (methods, refresh of CRLs). */
  readonly background: readonly BackgroundWork[];
  /** Returns the certificate login of a live token, or undefined. */
  certificateLogin(tokenText: string, address: string): Promise<CertificateLogin | undefined>;
  /** Returns the login of a reference, unless its token was revoked or expired longer than LINK_GRACE_MS ago. */
  certificateLoginByReference(reference: string, address: string): Promise<CertificateLogin | undefined>;
  /** Returns the cert method mounted at a path, or undefined. */
  certMethod(path: string): Promise<CertMethod | undefined>;
  /**
   * Runs an operation on behalf of a client of another API, with the permissions of the client's token.
   * @throws AppError
   */
  ask(request: FastifyRequest, asked: AskedWithin): Promise<Reply>;
  /** All operations, grouped by path prefix. */
  readonly operationGroups: readonly OperationGroup[];
  /** Returns metrics of the revocation checks of every mount. */
  revocationMetrics(): Promise<readonly RevocationMetrics[]>;
  /**
   * Returns the expiry of the CA certificates of every cert mount with roles.
   * @param soon milliseconds from now
   */
  caExpiries(soon: number): Promise<readonly CaExpiries[]>;
  /** Returns the state of the issuer keys of every JWT mount. */
  issuerKeyMetrics(): Promise<readonly MountKeyMetrics[]>;
}

import type { FastifyRequest } from 'fastify';
import type { BackgroundWork } from '../lib/background-work.ts';
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
  /** Takes signatures over SHA-1 in chains of clients: an operator's workaround, off by default (spec §9). */
  readonly allowSha1: boolean;
  /** The way out to OCSP responders and CRL distribution points. */
  readonly fetch: GuardedFetch;
  /** Of this program, as `sys/health` shows it. */
  readonly version: string;
  /** Without it nothing is on record. */
  readonly audit?: AuditRecord;
  /** Without it nothing is counted. */
  readonly recentActivity?: RecentActivity;
  /** Without it the server counts as ready. */
  readonly readiness?: Readiness;
  /** Told of what fails in the background. */
  readonly report: (error: unknown) => void;
}

/** Who may come in: the access API and what stands behind it. */
export interface Access {
  readonly tokens: TokenService;
  readonly service: Service;
  /** In this order: what has ended is swept, methods are started at their mounts, revocation lists fetched again. */
  readonly background: readonly BackgroundWork[];
  /** The certificate behind a live token of ours; undefined for any other text. */
  certificateLogin(tokenText: string, address: string): Promise<CertificateLogin | undefined>;
  /** The login behind a reference, as long as its token was not revoked and has not ended long ago (LINK_GRACE_MS). */
  certificateLoginByReference(reference: string, address: string): Promise<CertificateLogin | undefined>;
  /** The certificate method mounted at a path; undefined when there is none. */
  certMethod(path: string): Promise<CertMethod | undefined>;
  /**
   * One operation for whoever sent another service of this server a request, with what their token lets them do.
   * @throws AppError
   */
  ask(request: FastifyRequest, asked: AskedWithin): Promise<Reply>;
  /** Every operation that there is, by where it lives. */
  readonly operationGroups: readonly OperationGroup[];
  /** Of every mount. */
  revocationMetrics(): Promise<readonly RevocationMetrics[]>;
  /** Of the roles of every mount of certificates that has some. @param soon milliseconds from now on */
  caExpiries(soon: number): Promise<readonly CaExpiries[]>;
  /** Of every mount of tokens. */
  issuerKeyMetrics(): Promise<readonly MountKeyMetrics[]>;
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { parseJsonBody } from '../lib/json.ts';
import type { Service } from '../lib/service.ts';
import type { GuardedFetch } from '../revocation/guarded-fetch.ts';
import type { Database, Keyring } from '../storage/index.ts';
import { crlRoutes } from './cert/crl/index.ts';
import { CertMethod } from './cert/method.ts';
import { certRoutes } from './cert/routes.ts';
import { accessErrors } from './envelope.ts';
import { ensureCertMount } from './mounts/mount.ts';
import { sysRoutes } from './sys/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { TokenService } from './tokens/token-service.ts';
import type { TtlLimits } from './tokens/ttl.ts';

const SWEEP_INTERVAL_MS = 60_000;

export type { CrlFigures } from './cert/crl/index.ts';
export { accessMigrations } from './migrations.ts';

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
}

/** Who may come in: the access API and what stands behind it. */
export interface Access {
  readonly tokens: TokenService;
  readonly cert: CertMethod;
  readonly service: Service;
  /** Begins what goes on in the background: expired tokens are swept, revocation lists fetched again. */
  start(): void;
  stop(): Promise<void>;
  /** The certificate behind a live token of ours; undefined for any other text. */
  certificateLogin(tokenText: string, address: string): Promise<CertificateLogin | undefined>;
}

export async function createAccess(dependencies: AccessDependencies): Promise<Access> {
  const { database, keyring, clock, limits, allowSha1, fetch, version, report } = dependencies;
  const tokens = new TokenService(database, keyring, clock);
  const mount = await ensureCertMount(database);
  const cert = new CertMethod({ mount, limits, allowSha1, database, tokens, fetch, clock, report });

  return {
    tokens,
    cert,
    service: accessService(cert, tokens, clock, version),
    ...background(tokens, cert, report),
    async certificateLogin(tokenText, address) {
      const token = await tokens.authenticate(tokenText, address);
      if (!token?.certificate || token.expiresAt === null || token.mountId !== mount.id) return undefined;
      const { role, commonName, subject, serialNumber } = token.certificate;
      const { accessor, expiresAt } = token;
      return { mount: mount.path, role, commonName, subject, serialNumber, accessor, expiresAt };
    },
  };
}

function background(tokens: TokenService, { crls }: CertMethod, report: (error: unknown) => void) {
  let sweeping: NodeJS.Timeout | undefined;
  return {
    start() {
      sweeping = setInterval(() => void tokens.sweep().catch(report), SWEEP_INTERVAL_MS).unref();
      void crls.refresher.start();
    },
    async stop() {
      clearInterval(sweeping);
      await crls.refresher.stop();
    },
  };
}

function accessService(cert: CertMethod, tokens: TokenService, clock: Clock, version: string): Service {
  return {
    name: 'access',
    prefix: '/v1',
    errors: accessErrors,
    routes(app) {
      acceptAnyJson(app);
      const path = `auth/${cert.mount.path}`;
      app.register(
        async (scope) => {
          certRoutes(scope, cert, tokens);
          crlRoutes(scope, { path, crls: cert.crls.service, tokens, clock });
        },
        { prefix: `/${path}` },
      );
      const renew = cert.renew.bind(cert);
      app.register(async (scope) => tokenRoutes(scope, tokens, renew, clock), { prefix: '/auth/token' });
      app.register(async (scope) => sysRoutes(scope, version, clock), { prefix: '/sys' });
    },
    notFound,
  };
}

/** Clients of the field send JSON under any content type, or none. */
function acceptAnyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, parseJsonBody);
}

function notFound(request: FastifyRequest): AppError {
  const path = request.url.split('?', 1)[0]?.replace(/^\/v1\//, '') ?? '';
  const known = /^(auth\/(token|cert)|sys)(\/|$)/.test(path);
  const text = known
    ? '1 error occurred:\n\t* unsupported path\n\n'
    : `no handler for route "${path.slice(0, 200)}". route entry not found.`;
  return new AppError('not-found', text);
}

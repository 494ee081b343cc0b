import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import {
  type Access,
  accessMigrations,
  accessSealedColumns,
  type CrlFigures,
  createAccess,
  type RevocationFigures,
} from './access/index.ts';
import { openBlobs } from './blobs.ts';
import { type Config, ConfigError, type ListenerConfig, type ServiceName, type StorageConfig } from './config/index.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import type { Service } from './lib/service.ts';
import { createGuardedFetch } from './outbound/guarded-fetch.ts';
import {
  Audit,
  createServer,
  DEFAULT_LIMITS,
  type HealthCheck,
  type HttpServer,
  Metrics,
  Readiness,
} from './server/index.ts';
import {
  type BlobStore,
  bindKeyring,
  type Database,
  type FileKeyring,
  type Keyring,
  migrate,
  openKeyring,
  openPostgres,
  openSqlite,
  postgresMigrations,
  Resealing,
  type SealedDatabase,
} from './storage/index.ts';
import { version } from './version.ts';
import {
  createWorkspaces,
  discoveryService,
  oauthService,
  pageService,
  type Workspaces,
  workspacesMigrations,
  workspacesSealedColumns,
  workspacesService,
} from './workspaces/index.ts';

/** One for each API; on PostgreSQL both are the same database. */
export interface Databases {
  readonly access: Database;
  readonly workspaces: Database;
}

/** What the two APIs do, without a network. */
export interface Domains {
  readonly databases: Databases;
  readonly access: Access;
  readonly workspaces: Workspaces;
  /** Where states are. */
  readonly blobStore: BlobStore;
}

/** Opens the databases that the configuration names. */
export async function openDatabases(storage: StorageConfig, logger: Logger): Promise<Databases> {
  const report = (error: unknown) => logger.error({ err: error }, 'database');
  if (storage.type === 'postgres') {
    const { url, schema, poolSize } = storage;
    const database = await openPostgres({ url, schema, poolSize, report });
    return { access: database, workspaces: database };
  }
  const { directory } = storage;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const access = await openSqlite({ file: join(directory, 'access.db'), report });
  const workspaces = await openSqlite({ file: join(directory, 'workspaces.db'), report });
  return { access, workspaces };
}

export async function closeDatabases({ access, workspaces }: Databases): Promise<void> {
  await access.close();
  if (workspaces !== access) await workspaces.close();
}

/** Brings the schemas up to date. @throws StorageError when they belong to another keyring */
export async function prepareDatabases({ access, workspaces }: Databases, keyring: Keyring): Promise<void> {
  if (access.dialect === 'postgres') await migrate(access, 'storage', postgresMigrations);
  await migrate(access, 'access', accessMigrations);
  await migrate(workspaces, 'workspaces', workspacesMigrations);
  await bindKeyring(access, keyring);
  if (workspaces !== access) await bindKeyring(workspaces, keyring);
}

/** All that the keyring has sealed, where it is. */
export function sealedDatabases({ access, workspaces }: Databases): SealedDatabase[] {
  return [
    { database: access, columns: accessSealedColumns },
    { database: workspaces, columns: workspacesSealedColumns },
  ];
}

/** How the server is doing, for the one who asks the access API. */
export interface Watch {
  readonly audit: Audit;
  readonly readiness: Readiness;
}

/** Brings the schemas up to date and puts the domains on top of them. */
export async function composeDomains(
  config: Config,
  databases: Databases,
  keyring: Keyring,
  clock: Clock,
  logger: Logger,
  watch?: Watch,
): Promise<Domains> {
  await prepareDatabases(databases, keyring);
  const limits = { defaultTtl: config.access.defaultTokenTtl, maxTtl: config.access.maxTokenTtl };
  const report = (err: unknown) => logger.error({ err }, 'in the background');
  const { allowSha1 } = config.access;
  if (allowSha1)
    logger.warn('access.allow_sha1_signatures is on: certificates that can be forged are taken; turn it off again');
  const fetch = createGuardedFetch({ deniedBlocks: config.deniedAddresses, allowed: config.allowedAddresses });
  const access = await createAccess({
    database: databases.access,
    keyring,
    clock,
    limits,
    allowSha1,
    fetch,
    version,
    ...watch,
    report,
  });
  const blobStore = await openBlobs(config.storage);
  const { allowedAddresses = [], authoritiesFile } = config.notifications ?? {};
  const workspaces = createWorkspaces({
    database: databases.workspaces,
    keyring,
    blobStore,
    snapshotInterval: config.stateSnapshotInterval ?? 0,
    clock,
    ...(config.workspaces && {
      policies: {
        engineVersions: config.workspaces.engineVersions,
        recoverableFor: config.workspaces.recoverableFor * 1000,
      },
    }),
    notifications: {
      allowedAddresses,
      authorities: authoritiesFile ? await readAuthorities(authoritiesFile) : [],
      note: (event, message) => logger.warn(event, message),
    },
    report,
    // The bridge: a login by certificate is all that the workspaces learn of the access API.
    machines: {
      authenticate: (token, address) => access.certificateLogin(token, address),
      standing: (reference, address) => access.certificateStanding(reference, address),
    },
  });
  return { databases, access, workspaces, blobStore };
}

export interface ApplicationOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** In place of those that the configuration names; whoever passes them closes them. */
  readonly databases?: Databases;
  readonly keyring?: FileKeyring;
  readonly clock?: Clock;
}

export interface Application extends Domains {
  /** Of each listener, in the order of the configuration: `https://127.0.0.1:8200`. */
  readonly addresses: readonly string[];
  readonly audit: Audit;
  /** Its file is read anew when it changes. */
  readonly keyring: FileKeyring;
  /** Moves what older keys have sealed to the one that seals now. */
  readonly resealing: Resealing;
  /** Not ready from now on, and each answer is the last on its connection; everything is served as before. */
  drain(): void;
  /** Requests in flight finish, then everything closes. */
  stop(): Promise<void>;
}

/**
 * Everything between the network and the disk, up and answering.
 * @throws ConfigError for files and addresses that cannot be used; nothing is left open then
 */
export async function startApplication(options: ApplicationOptions): Promise<Application> {
  // What was opened is closed in the opposite order, whether the start fails half-way or the application stops.
  const opened = new AsyncDisposableStack();
  try {
    const started = await start(options, opened);
    return { ...started, stop: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function start(options: ApplicationOptions, opened: AsyncDisposableStack): Promise<Omit<Application, 'stop'>> {
  const { config, logger, clock = systemClock } = options;
  const keyring = options.keyring ?? (await openKeyring(config.keyringFile));
  const metrics = new Metrics();
  const audit = await openAudit(config, keyring, metrics, logger);
  opened.defer(() => audit.close());
  const databases = options.databases ?? opened.adopt(await openDatabases(config.storage, logger), closeDatabases);
  const readiness = new Readiness();
  const domains = await composeDomains(config, databases, keyring, clock, logger, { audit, readiness });
  readiness.add(...healthChecks(domains, audit));
  const server = await composeServer(config, domains, { audit, readiness, metrics, logger });
  opened.defer(() => server.close(config.limits.shutdownGraceSeconds * 1000));
  const addresses = await server.start().catch(refuseAddress);
  const report = (err: unknown) => logger.error({ err }, 'keyring');
  keyring.follow(report);
  opened.defer(() => keyring.unfollow());
  const resealing = new Resealing(sealedDatabases(databases), keyring, report);
  resealing.start();
  opened.defer(() => resealing.stop());
  for (const work of domains.access.background) {
    await work.start();
    opened.defer(() => work.stop());
  }
  domains.workspaces.purge.start();
  opened.defer(() => domains.workspaces.purge.stop());
  domains.workspaces.states.housekeeping.start();
  opened.defer(() => domains.workspaces.states.housekeeping.stop());
  domains.workspaces.organizationRemoval.start();
  opened.defer(() => domains.workspaces.organizationRemoval.stop());
  domains.workspaces.retentionSweep.start();
  opened.defer(() => domains.workspaces.retentionSweep.stop());
  domains.workspaces.runClaims.start();
  opened.defer(() => domains.workspaces.runClaims.stop());
  domains.workspaces.notificationDeliveries.start();
  opened.defer(() => domains.workspaces.notificationDeliveries.stop());
  return {
    ...domains,
    audit,
    keyring,
    resealing,
    drain: () => server.drain(),
    addresses: addresses.map(({ address }, index) => url(config.listeners[index], address)),
  };
}

/** Before anything is changed: a server that cannot keep its record does nothing. */
async function openAudit(config: Config, keyring: Keyring, metrics: Metrics, logger: Logger): Promise<Audit> {
  const { auditFile, auditSinks = [] } = config;
  const sinks = [...(auditFile ? [{ type: 'file', path: auditFile } as const] : []), ...auditSinks];
  const failures = metrics.counter('audit_failures_total', 'Audit lines that a sink did not take.', ['sink']);
  return Audit.open({ sinks, keyring, logger, failures }).catch((error: Error) => {
    throw new ConfigError(`audit: ${error.message}`);
  });
}

function refuseAddress(error: NodeJS.ErrnoException & { address?: string; port?: number }): never {
  const where = `${error.address}:${error.port}`;
  if (error.code === 'EADDRINUSE')
    throw new ConfigError(`${where} is taken: another program listens there; choose another address`);
  if (error.code === 'EACCES') throw new ConfigError(`${where} may not be used by this user; choose a port above 1023`);
  if (error.code === 'EADDRNOTAVAIL') throw new ConfigError(`${where} is no address of this machine`);
  throw error;
}

async function composeServer(
  config: Config,
  { access, workspaces }: Domains,
  { metrics, ...parts }: Watch & { readonly metrics: Metrics; readonly logger: Logger },
): Promise<HttpServer> {
  registerFigures(metrics, access);
  metrics.total(
    'notification_deliveries_total',
    'Notifications by what became of them, since the start.',
    ['destination', 'outcome'],
    async () => workspaces.notificationFigures.all().map(({ value, ...labels }) => ({ labels, value })),
  );
  const services: Record<ServiceName, readonly Service[]> = {
    access: [access.service],
    workspaces: [
      workspacesService(workspaces),
      discoveryService(),
      pageService(workspaces.logins, workspaces.invitations),
      oauthService(workspaces.logins),
    ],
    metrics: [metrics.service()],
  };
  const { bodyBytes, connections, connectionsPerAddress, requestsInFlight } = config.limits;
  const listeners = await Promise.all(
    config.listeners.map(async (listener, index) => ({
      name: `${listener.host}:${listener.port}`,
      address: { host: listener.host, port: listener.port },
      ...(listener.tls && { tls: await readTls(`listeners[${index}].tls`, listener.tls) }),
      requestClientCertificate: listener.requestClientCertificate,
      ...(listener.forwarded && { forwarded: listener.forwarded }),
      limits: { ...DEFAULT_LIMITS, bodyBytes, connections, ...(connectionsPerAddress && { connectionsPerAddress }) },
      services: listener.services.flatMap((name) => services[name]),
    })),
  );
  const limits = requestsInFlight === undefined ? {} : { requests: requestsInFlight };
  const { chainMemory } = config.limits;
  return createServer({ listeners, limits, metrics, ...(chainMemory && { chainMemory }), ...parts });
}

/** Without any of these requests are refused. */
function healthChecks({ databases, blobStore }: Domains, audit: Audit): HealthCheck[] {
  const checks = Object.entries(databases).map(([name, database]) => ({
    name: `database-${name}`,
    run: () => database.check(),
  }));
  return [
    // On PostgreSQL both are one.
    ...checks.slice(0, databases.access === databases.workspaces ? 1 : 2),
    ...(blobStore.check ? [{ name: 'blobs', run: async () => blobStore.check?.() }] : []),
    ...(audit.isEnabled ? [audit.healthCheck()] : []),
  ];
}

/** How the revocation lists are doing, and how often responders are asked. */
function registerFigures(metrics: Metrics, access: Access): void {
  const ofLists = (figure: (list: CrlFigures) => number) => async () =>
    (await access.revocationFigures()).flatMap(({ mount, crls }) =>
      crls.map((list) => ({ labels: { mount, name: list.name }, value: figure(list) })),
    );
  const labels = ['mount', 'name'];
  metrics.gauge(
    'crl_entries',
    'Entries of a revocation list.',
    labels,
    ofLists(({ entries }) => entries),
  );
  metrics.gauge(
    'crl_age_seconds',
    'Since a list was uploaded or fetched.',
    labels,
    ofLists(({ age }) => age),
  );
  metrics.gauge(
    'crl_stale',
    '1 when a list is past its next update.',
    labels,
    ofLists(({ stale }) => Number(stale)),
  );
  metrics.gauge(
    'crl_fetch_failures',
    'Fetches that failed since the last good one.',
    labels,
    ofLists(({ failures }) => failures),
  );
  const counted = (figures: (of: RevocationFigures) => object) => async () =>
    (await access.revocationFigures()).flatMap((of) =>
      Object.entries(figures(of)).map(([kind, value]) => ({ labels: { mount: of.mount, kind }, value })),
    );
  const kinds = ['mount', 'kind'];
  metrics.total(
    'crl_fetches_total',
    'Fetches of revocation lists, by outcome.',
    kinds,
    counted((of) => of.crlFetches),
  );
  metrics.total(
    'ocsp_requests_total',
    'Asked and answered, since the start.',
    kinds,
    counted((of) => of.ocsp),
  );
}

async function readTls(
  key: string,
  { certificateFile, privateKeyFile, minVersion }: NonNullable<ListenerConfig['tls']>,
) {
  const tls = {
    certificate: await readPem(`${key}.certificate_file`, certificateFile),
    privateKey: await readPem(`${key}.private_key_file`, privateKeyFile),
    minVersion,
  };
  try {
    createSecureContext({ cert: tls.certificate, key: tls.privateKey });
  } catch (error) {
    throw new ConfigError(
      `${key}: the certificate and the private key do not fit together: ${(error as Error).message}`,
    );
  }
  return tls;
}

/** The certificates in it. @throws ConfigError when there is none, or one cannot be read */
async function readAuthorities(file: string): Promise<string[]> {
  const key = 'notifications.authorities_file';
  const pem = await readPem(key, file);
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) throw new ConfigError(`${key}: there is no certificate in ${file}`);
  try {
    createSecureContext({ ca: certificates });
  } catch (error) {
    throw new ConfigError(`${key}: a certificate in ${file} cannot be read: ${(error as Error).message}`);
  }
  return certificates;
}

function readPem(key: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${key}: cannot read ${file}: ${error.message}`);
  });
}

function url(listener: ListenerConfig | undefined, { address, port, family }: AddressInfo): string {
  return `${listener?.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

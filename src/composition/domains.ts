import type { Logger } from 'pino';
import { type Access, createAccess, type RecentActivity } from '../access/index.ts';
import type { Config, SignInConfig } from '../config/index.ts';
import type { BackgroundWork } from '../lib/background/background-work.ts';
import type { Clock } from '../lib/clock.ts';
import type { Resolve } from '../outbound/address-guard.ts';
import { createGuardedFetch } from '../outbound/guarded-fetch.ts';
import type { Audit, Readiness } from '../server/index.ts';
import { type BlobStore, HeldBlobs, type Keyring } from '../storage/index.ts';
import { version } from '../version.ts';
import { createWorkspaces, type MachineAuthenticator, type Workspaces } from '../workspaces/index.ts';
import { openBlobs } from './blob-storage.ts';
import type { Databases } from './databases.ts';
import { mailSettings } from './mail-settings.ts';
import { readAuthorities } from './pem-files.ts';
import { prepareDatabases, type SchemaUse } from './schemas.ts';

/** Dependencies of both APIs. */
export interface DomainDependencies {
  readonly config: Config;
  readonly databases: Databases;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: `migrate`. */
  readonly schema?: SchemaUse;
  /** Resolver of the names of VCS providers, for tests. */
  readonly resolveVcs?: Resolve;
}

/** Health of the server for the access API. */
export interface Observability {
  readonly audit: Audit;
  readonly readiness: Readiness;
  readonly recentActivity: RecentActivity;
}

/** Domain services of both APIs, without listeners. */
export interface Domains {
  readonly databases: Databases;
  readonly access: Access;
  readonly workspaces: Workspaces;
  /** Store of states. */
  readonly blobStore: BlobStore;
  /** Background tasks, in starting order. */
  readonly background: readonly BackgroundWork[];
}

/** Migrates the databases and creates the domain services. Starts no background tasks. */
export async function composeDomains(foundation: DomainDependencies, watch?: Observability): Promise<Domains> {
  const { config, databases } = foundation;
  await prepare(foundation);
  const access = await composeAccess(foundation, watch);
  const blobStore = new HeldBlobs(await openBlobs(config.storage), databases.workspaces, foundation.clock);
  const workspaces = await composeWorkspaces(foundation, blobStore, bridgeTo(access));
  const background = [...access.background, ...workspaces.background];
  return { databases, access, workspaces, blobStore, background };
}

async function prepare({ databases, keyring, schema, logger }: DomainDependencies): Promise<void> {
  const migrations: string[] = [];
  const from = performance.now();
  const applied = (set: string, name: string) => migrations.push(`${set} ${name}`);
  const ahead = await prepareDatabases(databases, keyring, schema, { applied });
  const milliseconds = Math.round(performance.now() - from);
  if (migrations.length > 0) logger.info({ migrations, milliseconds }, 'the database was migrated');
  if (ahead.length > 0)
    logger.warn({ ahead }, 'a newer version has migrated the database; this version is compatible with it');
}

function composeAccess(
  { config, databases, keyring, clock, logger }: DomainDependencies,
  watch?: Observability,
): Promise<Access> {
  const { allowSha1, defaultTokenTtl: defaultTtl, maxTokenTtl: maxTtl } = config.access;
  if (allowSha1)
    logger.warn(
      'access.allow_sha1_signatures is on: the server accepts certificates that can be forged; turn it off again',
    );
  return createAccess({
    database: databases.access,
    keyring,
    clock,
    limits: { defaultTtl, maxTtl },
    allowSha1,
    fetch: createGuardedFetch({ deniedBlocks: config.deniedAddresses, allowed: config.allowedAddresses }),
    version,
    ...watch,
    report: reportTo(logger),
  });
}

/** The certificate login is the only part of the access API that the workspace API sees. */
function bridgeTo(access: Access): MachineAuthenticator {
  return {
    authenticate: (token, address) => access.certificateLogin(token, address),
    standing: (reference, address) => access.certificateLoginByReference(reference, address),
  };
}

/** Logs a notice for operators when runs are enabled for the first time. */
async function turnOn({ execution }: Workspaces, logger: Logger): Promise<void> {
  const turned = await execution.executionRollout.start();
  if (turned === undefined) return;
  const { organizations, remote } = turned;
  logger.warn(
    { organizations, remote_workspaces: remote },
    'workspaces.execution is on for the first time. Workspaces of these organizations still run locally. Set ' +
      'default-execution-mode of an organization or execution-mode of a workspace to remote. Agents now execute the runs of ' +
      'workspaces that are already set to remote or agent',
  );
}

async function composeWorkspaces(
  { config, databases, keyring, clock, logger, resolveVcs }: DomainDependencies,
  blobStore: BlobStore,
  machines: MachineAuthenticator,
): Promise<Workspaces> {
  const workspaces = createWorkspaces({
    database: databases.workspaces,
    signals: databases.signals,
    keyring,
    blobStore,
    snapshotInterval: config.stateSnapshotInterval ?? 0,
    clock,
    address: config.workspaces?.address,
    ...(config.workspaces && {
      policies: {
        engineVersions: config.workspaces.engineVersions,
        globalRemoteState: config.workspaces.globalRemoteState ?? false,
        recoverableFor: config.workspaces.recoverableFor * 1000,
      },
      timeouts: { plan: config.workspaces.planTimeout * 1000, apply: config.workspaces.applyTimeout * 1000 },
      ...(config.workspaces.execution && { execution: config.workspaces.execution }),
    }),
    vcs: { ...(await outgoing(config, 'vcs')), ...(resolveVcs && { resolve: resolveVcs }) },
    notifications: {
      ...(await outgoing(config, 'notifications')),
      ...(config.smtp && { mail: await mailSettings(config.smtp) }),
      note: (event, message) => logger.warn(event, message),
    },
    ...(config.signIn && {
      sessionTimes: sessionTimes(config.signIn),
      organizationProviders: config.signIn.organizationProviders,
    }),
    invitedAccounts: invitedAccounts(config),
    invitationLimits: {
      emailsPerDay: config.smtp?.invitationsPerDay,
      accountsPerDay: config.signIn?.invitedAccountsPerDay,
    },
    report: reportTo(logger),
    machines,
  });
  await turnOn(workspaces, logger);
  return workspaces;
}

/** @throws ConfigError for an unusable file */
async function outgoing(config: Config, section: 'notifications' | 'vcs') {
  const { allowedAddresses = [], authoritiesFile: file } = config[section] ?? {};
  return { allowedAddresses, authorities: file ? await readAuthorities(`${section}.authorities_file`, file) : [] };
}

/** Without an identity provider, a person can get an account by an invitation. The provider decides otherwise. */
function invitedAccounts({ signIn = {} }: { readonly signIn?: Partial<SignInConfig> }): boolean {
  return (signIn.passkeys ?? true) && (signIn.invitedAccounts ?? signIn.oidc === undefined);
}

const sessionTimes = ({ sessionIdle, sessionLifetime, reauthenticateAfter }: SignInConfig) => ({
  idleMs: sessionIdle * 1000,
  lifetimeMs: sessionLifetime * 1000,
  recentMs: reauthenticateAfter > 0 ? reauthenticateAfter * 1000 : Number.POSITIVE_INFINITY,
});

const reportTo = (logger: Logger) => (err: unknown, task?: string) => logger.error({ err, task }, 'in the background');

import { resolve } from 'node:path';
import { DurationError, parseSeconds } from '../lib/duration.ts';
import { type EmbeddedAgentConfig, toEmbeddedAgent } from './agent/embedded-agent-config.ts';
import { type AuditSinkConfig, toAuditSinks } from './audit-sink-config.ts';
import { type BackupConfig, toBackup } from './backup-config.ts';
import { type BlobStorageConfig, toBlobStorage } from './blob-storage-config.ts';
import { ConfigError } from './config-error.ts';
import type { ConfigTree, GivenTree } from './config-schema.ts';
import { readConfig, type Sources } from './config-sources.ts';
import { validateConfig } from './config-validation.ts';
import { addressBlocks, hostsAndBlocks, publicAddress, splitAddress } from './host-address.ts';
import { type KeyringConfig, toKeyring } from './keyring-config.ts';
import { type RateLimitsConfig, toRateLimits } from './rate-limits-config.ts';
import { type SignInConfig, toSignIn } from './sign-in-config.ts';
import { type SmtpConfig, toSmtp } from './smtp/smtp-config.ts';
import { type TracingConfig, toTracing } from './tracing-config.ts';
import { toPoolSize, toWorkers } from './workers.ts';

export type ServiceName = 'access' | 'workspaces' | 'console' | 'metrics';

export interface ListenerConfig {
  readonly host: string;
  readonly port: number;
  readonly services: readonly ServiceName[];
  /** TLS settings. Absent for plain HTTP. */
  readonly tls?: {
    readonly certificateFile: string;
    readonly privateKeyFile: string;
    readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  };
  readonly requestClientCertificate: boolean;
  /** Trusted proxies. If absent, forwarded certificates are ignored. */
  readonly forwarded?: {
    readonly trustedProxies: readonly string[];
    readonly format: NonNullable<ListenerTree['forwarded_client_certificates']>['format'];
    /** In lower case. */
    readonly header?: string;
    /** In lower case. */
    readonly chainHeader?: string;
  };
}

const MIB = 1024 * 1024;

type ListenerTree = ConfigTree['listeners'][number];

/** Either `blobDirectory` or `blobs`. On SQLite both may be absent: the default is a directory beside the databases. */
interface BlobPlace {
  readonly blobDirectory?: string;
  readonly blobs?: BlobStorageConfig;
}

export type StorageConfig =
  | ({ readonly type: 'sqlite'; readonly directory: string } & BlobPlace)
  | ({
      readonly type: 'postgres';
      readonly url: string;
      readonly schema: string;
      /** Connections of each worker. */
      readonly poolSize: number;
    } & BlobPlace);

/** Settings of a kind of outgoing requests. */
export interface OutgoingConfig {
  readonly allowedAddresses?: readonly string[];
  readonly authoritiesFile?: string;
}

/** Validated configuration of a server. Paths are absolute, durations are in seconds. */
export interface Config {
  readonly listeners: readonly ListenerConfig[];
  readonly storage: StorageConfig;
  /** Scheduled backups. Absent if there are none. */
  readonly backup?: BackupConfig;
  /** Number of worker processes. Absent: one. */
  readonly workers?: number;
  readonly keyring: KeyringConfig;
  readonly access: { readonly defaultTokenTtl: number; readonly maxTokenTtl: number; readonly allowSha1: boolean };
  /** Settings of workspaces. Durations are in seconds. An absent setting has its built-in default. */
  readonly workspaces?: {
    readonly engineVersions: readonly string[];
    /** Public URL, such as `https://lockkeeper.example.com`. Absent: not configured. */
    readonly address?: string;
    /** Whether all workspaces of an organization may read each other's state by default. If absent, they may not. */
    readonly globalRemoteState?: boolean;
    readonly recoverableFor: number;
    readonly planTimeout: number;
    readonly applyTimeout: number;
    /** Execution of runs. If absent, the server executes no runs. */
    readonly execution?: 'none' | 'embedded' | 'agents';
  };
  /** Agent of `workspaces.execution: embedded`. */
  readonly embeddedAgent?: EmbeddedAgentConfig;
  /** IP address blocks to which the server sends no requests. If absent, the default blocks. */
  readonly deniedAddresses?: readonly string[];
  /** Exceptions to the denied addresses: host names, IP addresses and CIDR blocks. */
  readonly allowedAddresses?: readonly string[];
  /** Sign-in of users in a browser. Absent: the built-in default. */
  readonly signIn?: SignInConfig;
  /** Exceptions for outgoing requests, and CA certificates that verify receivers. */
  readonly notifications?: OutgoingConfig;
  /** SMTP server. Absent: the server sends no email. */
  readonly smtp?: SmtpConfig;
  /** Exceptions for requests to VCS providers, and CA certificates that verify them. */
  readonly vcs?: OutgoingConfig;
  readonly limits: {
    readonly bodyBytes: number;
    readonly connections: number;
    /** Maximum number of connections of one IP address. If absent, the built-in default. */
    readonly connectionsPerAddress?: number;
    readonly requestsInFlight?: number;
    readonly lameDuckSeconds: number;
    /** Memory for certificate chains, bytes. If absent, the built-in default. */
    readonly chainMemory?: { readonly ofAll: number; readonly ofAddress: number };
    readonly shutdownGraceSeconds: number;
    /** Maximum memory of one of several workers, bytes. Absent: no limit. */
    readonly workerMemory?: number;
  };
  /** Collector of traces. Absent: no tracing. */
  readonly tracing?: TracingConfig;
  /** Rate limits. Absent: none. */
  readonly rateLimits?: RateLimitsConfig;
  /** Interval of state snapshots, seconds. Disabled if absent or 0. */
  readonly stateSnapshotInterval?: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** The short form adds one sink of type file. */
  readonly auditFile?: string;
  readonly auditSinks?: readonly AuditSinkConfig[];
}

/**
 * Reads, validates and resolves the configuration. Relative paths are relative to `directory`, the folder of the file.
 * @throws ConfigError with a message for the operator.
 */
export function loadConfig(sources: Sources, directory: string): Config {
  const { tree, given } = validateConfig(readConfig(sources));
  return toConfig(tree, given, directory);
}

/** Step 3 of 3: resolves units and paths, and checks keys that depend on each other. */
function toConfig(tree: ConfigTree, given: GivenTree, directory: string): Config {
  const at = (path: string) => resolve(directory, path);
  const access = {
    defaultTokenTtl: positiveSeconds('access.default_token_ttl', tree.access.default_token_ttl),
    maxTokenTtl: positiveSeconds('access.max_token_ttl', tree.access.max_token_ttl),
    allowSha1: tree.access.allow_sha1_signatures,
  };
  if (access.defaultTokenTtl > access.maxTokenTtl) {
    throw new ConfigError(
      'access.default_token_ttl: found more than access.max_token_ttl; allowed: at most access.max_token_ttl',
    );
  }
  const workers = toWorkers(tree.workers, tree.storage.type);
  return {
    listeners: tree.listeners.map((listener, index) => toListener(listener, `listeners[${index}]`, at)),
    storage: toStorage(tree.storage, workers, at),
    ...(tree.backup && { backup: toBackup(tree.backup, at) }),
    workers,
    keyring: toKeyring(tree, given.keyring_wrap, at, seconds),
    access,
    ...(tree.workspaces && {
      workspaces: {
        engineVersions: tree.workspaces.engine_versions,
        ...(tree.workspaces.address && { address: publicAddress('workspaces.address', tree.workspaces.address) }),
        globalRemoteState: tree.workspaces.global_remote_state,
        recoverableFor: seconds('workspaces.recoverable_for', tree.workspaces.recoverable_for),
        planTimeout: positiveSeconds('workspaces.plan_timeout', tree.workspaces.plan_timeout),
        applyTimeout: positiveSeconds('workspaces.apply_timeout', tree.workspaces.apply_timeout),
        execution: tree.workspaces.execution,
      },
    }),
    ...(tree.workspaces?.execution === 'embedded' && {
      embeddedAgent: toEmbeddedAgent(tree.workspaces.embedded_agent, at),
    }),
    ...(tree.revocation.denied_addresses && {
      deniedAddresses: addressBlocks('revocation.denied_addresses', tree.revocation.denied_addresses),
    }),
    ...(tree.revocation.allowed_addresses && {
      allowedAddresses: hostsAndBlocks('revocation.allowed_addresses', tree.revocation.allowed_addresses),
    }),
    ...(tree.sign_in && { signIn: toSignIn(tree.sign_in, given.sign_in?.session_idle === undefined, at) }),
    ...(tree.notifications && { notifications: toOutgoing('notifications', tree.notifications, at) }),
    ...(tree.smtp && { smtp: toSmtp(tree.smtp, at, seconds) }),
    ...(tree.vcs && { vcs: toOutgoing('vcs', tree.vcs, at) }),
    limits: {
      bodyBytes: tree.limits.body_bytes,
      connections: tree.limits.connections,
      connectionsPerAddress: tree.limits.connections_per_address,
      requestsInFlight: tree.limits.requests_in_flight,
      lameDuckSeconds: seconds('limits.lame_duck', tree.limits.lame_duck),
      chainMemory: {
        ofAll: tree.limits.chain_memory * MIB,
        ofAddress: tree.limits.chain_memory_per_address * MIB,
      },
      shutdownGraceSeconds: positiveSeconds('limits.shutdown_grace', tree.limits.shutdown_grace),
      workerMemory: tree.limits.worker_memory * MIB,
    },
    ...(tree.tracing && { tracing: toTracing(tree.tracing, at) }),
    ...(tree.rate_limits && { rateLimits: toRateLimits(tree.rate_limits) }),
    stateSnapshotInterval: tree.workspaces?.state_snapshot_interval ?? 0,
    logLevel: tree.log.level,
    ...(tree.audit.file && { auditFile: at(tree.audit.file) }),
    ...(tree.audit.sinks && { auditSinks: toAuditSinks(tree.audit.sinks, given.audit?.sinks ?? [], at) }),
  };
}

function toOutgoing(
  section: 'notifications' | 'vcs',
  { allowed_addresses: allowed, authorities_file: file }: NonNullable<ConfigTree[typeof section]>,
  at: (path: string) => string,
): OutgoingConfig {
  return {
    ...(allowed && { allowedAddresses: hostsAndBlocks(`${section}.allowed_addresses`, allowed) }),
    ...(file && { authoritiesFile: at(file) }),
  };
}

function toListener(listener: ListenerTree, key: string, at: (path: string) => string): ListenerConfig {
  const { host, port } = splitAddress(listener.address, `${key}.address`);
  const { plain_http: plain } = listener;
  if (listener.tls && plain) throw new ConfigError(`${key}.plain_http: found true beside tls; allowed: one of the two`);
  if (!listener.tls && !plain) {
    throw new ConfigError(
      `${key}.tls: missing; allowed: certificate_file and private_key_file, or plain_http: true behind a proxy`,
    );
  }
  return {
    host,
    port,
    services: toServices(listener, key),
    ...(listener.tls && {
      tls: {
        certificateFile: at(listener.tls.certificate_file),
        privateKeyFile: at(listener.tls.private_key_file),
        minVersion: listener.tls.min_version === '1.3' ? 'TLSv1.3' : 'TLSv1.2',
      },
    }),
    requestClientCertificate: !plain && listener.client_certificates !== 'off',
    ...(listener.forwarded_client_certificates && {
      forwarded: toForwarded(listener.forwarded_client_certificates, `${key}.forwarded_client_certificates`),
    }),
  };
}

/** Adds the console to listeners of an API. */
function toServices({ services, console }: ListenerTree, key: string): readonly ServiceName[] {
  const isNamed = services.includes('console');
  const hasApi = services.includes('access') || services.includes('workspaces');
  if (isNamed && !hasApi)
    throw new ConfigError(`${key}.services: found only console; allowed: console beside access or workspaces`);
  if (isNamed && !console)
    throw new ConfigError(`${key}.console: found false beside console in services; allowed: one of the two`);
  return hasApi && !isNamed && console ? [...services, 'console'] : services;
}

function toForwarded(
  tree: NonNullable<ListenerTree['forwarded_client_certificates']>,
  key: string,
): NonNullable<ListenerConfig['forwarded']> {
  const { trusted_proxies: proxies, format } = tree;
  const header = tree.header?.toLowerCase();
  const chainHeader = tree.chain_header?.toLowerCase();
  if (chainHeader !== undefined && !FORMATS_WITH_CHAIN.has(format)) {
    throw new ConfigError(
      `${key}.chain_header: found with format ${format}; allowed: only ${[...FORMATS_WITH_CHAIN].join(', ')}`,
    );
  }
  if (chainHeader !== undefined && chainHeader === header) {
    throw new ConfigError(`${key}.chain_header: found the name of header; allowed: another name`);
  }
  return {
    trustedProxies: addressBlocks(`${key}.trusted_proxies`, proxies),
    format,
    ...(header !== undefined && { header }),
    ...(chainHeader !== undefined && { chainHeader }),
  };
}

/** Formats with a second header for the intermediates. */
const FORMATS_WITH_CHAIN: ReadonlySet<string> = new Set(['rfc9440', 'google', 'haproxy']);

function toStorage(storage: ConfigTree['storage'], workers: number, at: (path: string) => string): StorageConfig {
  const place = toBlobPlace(storage, at);
  if (storage.type === 'sqlite') {
    if (!storage.directory) throw new ConfigError('storage.directory: missing; allowed: a directory on a local disk');
    return { type: 'sqlite', directory: at(storage.directory), ...place };
  }
  if (!storage.url) throw new ConfigError('storage.url: missing; allowed: postgres://USER:PASSWORD@HOST:PORT/DATABASE');
  if (!place.blobDirectory && !place.blobs)
    throw new ConfigError(
      'storage.blob_directory: missing; allowed: a directory that all nodes share, or storage.blobs',
    );
  return {
    type: 'postgres',
    ...place,
    url: storage.url,
    schema: storage.schema,
    poolSize: toPoolSize(storage.pool_size, workers),
  };
}

function toBlobPlace({ blob_directory: directory, blobs: tree }: ConfigTree['storage'], at: (path: string) => string) {
  if (tree === undefined) return directory === undefined ? {} : { blobDirectory: at(directory) };
  if (directory !== undefined)
    throw new ConfigError('storage.blob_directory: found beside storage.blobs; allowed: one of the two');
  return { blobs: toBlobStorage(tree, at) };
}

function positiveSeconds(key: string, text: string): number {
  return seconds(key, text, 1);
}

function seconds(key: string, text: string, least = 0): number {
  try {
    const found = parseSeconds(text);
    if (found >= least) return found;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
  }
  throw new ConfigError(`${key}: found ${JSON.stringify(text)}; allowed: a duration such as 90s, 30m or 768h`);
}

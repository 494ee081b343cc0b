import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { DurationError, parseSeconds } from '../../lib/duration.ts';
import { homeFolder } from '../../lib/home/home-folder.ts';
import type { JobBounds } from '../../lib/job/bounds.ts';
import { ConfigError } from '../config-error.ts';
import { parseFile, scalar, splitList } from '../config-sources.ts';
import { problemsIn, type SchemaNode } from '../config-validation.ts';
import { addressBlocks, hostsAndBlocks } from '../host-address.ts';
import { type AgentTree, agentSchema, type EmbeddedTree, embeddedSchema } from './agent-schema.ts';
import { type EngineSettings, toEngineSettings } from './engine-settings.ts';
import { jobBounds, toJobBounds } from './job-bounds.ts';
import { type KubernetesConfig, kubernetesConfig } from './kubernetes-config.ts';

/** Configuration of an agent. Paths are absolute. Settings without a value are null. */
export interface AgentSettings extends EngineSettings {
  readonly address: string;
  readonly name: string;
  readonly slots: number;
  readonly isolation: 'bubblewrap' | 'none';
  /** Network of runs in a sandbox. */
  readonly network: 'isolated' | 'host';
  /** IP addresses and CIDR blocks. */
  readonly deniedAddresses: readonly string[];
  readonly bounds: JobBounds;
  /** Whether runs can connect to a server on this machine. */
  readonly reachServer: boolean;
  readonly providers: string | null;
  readonly providerCache: string | null;
  /** Maximum size of the provider cache, MiB. */
  readonly providerCacheSize: number;
  /** Folder of the jobs. Null for the system's default folder for such files. */
  readonly folder: string | null;
  /** Time that running jobs have to finish when the agent stops, seconds. */
  readonly stopTimeout: number | null;
}

/** Settings of a long-lived agent. */
export interface AgentConfig extends AgentSettings {
  readonly caFile: string | null;
  /** Host names, IP addresses and CIDR blocks to which the agent forwards requests. Empty: it forwards none. */
  readonly forwardHosts: readonly string[];
  /** Kubernetes settings. Null if the agent executes jobs itself. */
  readonly kubernetes: KubernetesConfig | null;
  /** Login of the agent. Null if it needs none. */
  readonly credential:
    | { readonly cert: string; readonly key: string; readonly role: string | null; readonly mount: string }
    | { readonly tokenFile: string }
    | null;
}

/** First line that an embedded agent reads from its parent. */
export interface EmbeddedConfig extends AgentSettings {
  readonly trust: { readonly ca: string; readonly serverName: string | null } | null;
  readonly token: string;
}

/** Sources of settings, in ascending precedence: file, environment, flags. */
export interface AgentSources {
  /** Configuration file. Null without one. Paths in the file are relative to its folder. */
  readonly file: { readonly text: string; readonly folder: string } | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Flags by key. Paths are relative to the working directory, as in the environment. */
  readonly flags: Readonly<Record<string, string | undefined>>;
}

/** Maps environment variables to settings. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  LOCKKEEPER_ADDR: 'address',
  LOCKKEEPER_CACERT: 'ca_cert',
  LOCKKEEPER_CERT: 'cert',
  LOCKKEEPER_KEY: 'key',
  LOCKKEEPER_ROLE: 'role',
  LOCKKEEPER_MOUNT: 'mount',
  LOCKKEEPER_ENGINE: 'engine',
};
/** Settings whose value is a number or a boolean. */
const SCALARS = ['slots', 'engine_downloads', 'provider_cache_size', 'reach_server', ...Object.keys(jobBounds)];
/** Keys whose value is a list separated by commas. */
const LISTS = ['denied_addresses', 'forward_hosts'];
const PATHS = [
  'cert',
  'key',
  'ca_cert',
  'token_file',
  'engines',
  'engine',
  'engine_keys',
  'providers',
  'provider_cache',
  'folder',
];

/**
 * Settings of `lockkeeper agent`.
 * @param needsCredential whether a certificate or a token is required
 * @throws ConfigError that lists each key, what was found and what is allowed
 */
export function loadAgentConfig({ file, environment, flags }: AgentSources, needsCredential: boolean): AgentConfig {
  const tree: Record<string, unknown> = file === null ? {} : within(file.folder, parseFile(file.text));
  const origins = new Map<string, string>();
  const overlay = (key: string, text: string | undefined, origin: string): void => {
    if (text === undefined || text === '') return;
    Object.assign(tree, within(process.cwd(), { [key]: settingOf(key, text) }));
    origins.set(key, origin);
  };
  for (const [name, key] of Object.entries(ENVIRONMENT)) overlay(key, environment[name], name);
  for (const [key, text] of Object.entries(flags)) overlay(key, text, `--${key.replaceAll('_', '-')}`);
  const checked = check<AgentTree>(agentSchema, tree, origins);
  return {
    ...settings(checked),
    caFile: checked.ca_cert ?? null,
    forwardHosts: hostsAndBlocks('forward_hosts', checked.forward_hosts),
    kubernetes: kubernetesOf(checked, file?.folder ?? process.cwd()),
    credential: needsCredential ? credential(checked) : null,
  };
}

/** Parses the text of an environment variable or a flag into the value of the setting. */
const settingOf = (key: string, text: string): unknown =>
  LISTS.includes(key) ? splitList(text) : SCALARS.includes(key) ? scalar(text) : text;

/** Leaves out settings that are null. @throws ConfigError */
export function readEmbeddedConfig(line: unknown): EmbeddedConfig {
  const told = typeof line === 'object' && line !== null ? Object.entries(line) : [];
  const given = Object.fromEntries(told.filter(([, value]) => value !== null));
  const tree = check<EmbeddedTree>(embeddedSchema, within(process.cwd(), given), new Map());
  const { ca, server_name: serverName, token } = tree;
  return { ...settings(tree), trust: ca === undefined ? null : { ca, serverName: serverName ?? null }, token };
}

/** Returns the default folder for the files of an agent; undefined for a user without a home folder. */
export function defaultFolder(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { STATE_DIRECTORY: ofService, XDG_STATE_HOME: ofUser } = environment;
  const home = homeFolder();
  const states = ofUser || (home && join(home, '.local/state'));
  return ofService || (states && join(states, 'lockkeeper/agent'));
}

function check<T>(schema: TSchema, tree: unknown, origins: ReadonlyMap<string, string>): T {
  const compiled = Compile(schema);
  if (compiled.Check(tree)) return compiled.Default(tree) as T;
  throw problemsIn(tree, [...compiled.Errors(tree)], schema as SchemaNode, origins);
}

/** Returns the settings with absolute paths. */
function within<T extends object>(folder: string, tree: T): T {
  const paths = Object.entries(tree).filter(([key]) => PATHS.includes(key));
  return { ...tree, ...Object.fromEntries(paths.map(([key, value]) => [key, absolute(folder, value)])) };
}

/** Resolves a path, or a mapping of paths. Validation refuses other values later. */
function absolute(folder: string, value: unknown): unknown {
  if (typeof value === 'string') return resolve(folder, value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, path]) => [name, absolute(folder, path)]));
}

function settings(tree: AgentTree | EmbeddedTree): AgentSettings {
  return {
    address: tree.address,
    name: tree.name ?? hostname(),
    slots: tree.slots,
    isolation: tree.isolation,
    network: tree.network,
    deniedAddresses: addressBlocks('denied_addresses', tree.denied_addresses),
    bounds: toJobBounds(tree),
    reachServer: tree.reach_server,
    ...toEngineSettings(tree),
    providers: tree.providers ?? null,
    providerCache: tree.provider_cache ?? null,
    providerCacheSize: tree.provider_cache_size,
    folder: tree.folder ?? null,
    stopTimeout: tree.stop_timeout === undefined ? null : seconds('stop_timeout', tree.stop_timeout),
  };
}

function kubernetesOf({ executor, kubernetes }: AgentTree, folder: string): KubernetesConfig | null {
  if (executor === 'kubernetes' && kubernetes === undefined) {
    throw new ConfigError(
      'kubernetes: missing beside executor: kubernetes; allowed: a mapping with namespace and image',
    );
  }
  if (kubernetes === undefined) return null;
  if (executor === 'process') {
    throw new ConfigError('kubernetes: found beside executor: process; allowed: with executor: kubernetes');
  }
  const { kubeconfig } = kubernetes;
  return kubernetesConfig(
    { ...kubernetes, ...(kubeconfig !== undefined && { kubeconfig: resolve(folder, kubeconfig) }) },
    seconds,
  );
}

function credential({ address, cert, key, role, mount, token_file: tokenFile }: AgentTree): AgentConfig['credential'] {
  if (cert !== undefined && tokenFile !== undefined) {
    throw new ConfigError('token_file: found beside cert; allowed: one of the two');
  }
  if (tokenFile !== undefined) return { tokenFile };
  if (cert === undefined) throw new ConfigError('cert: missing; allowed: a PEM file, or token_file instead');
  if (address.startsWith('http:')) {
    throw new ConfigError(
      `cert: found beside ${address}, which sends no client certificate; allowed: a URL with https://`,
    );
  }
  return { cert, key: key ?? cert, role: role ?? null, mount };
}

function seconds(key: string, text: string): number {
  try {
    return parseSeconds(text);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new ConfigError(`${key}: found ${JSON.stringify(text)}; allowed: a duration such as 90s or 30m`);
  }
}

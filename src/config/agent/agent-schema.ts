import Type, { type Static } from 'typebox';
import { HOSTS_AND_BLOCKS } from '../host-address.ts';
import { defaulted, optional, optionalPath, setting } from '../setting.ts';
import { engineSettings } from './engine-settings.ts';
import { jobBounds } from './job-bounds.ts';
import { kubernetesSchema } from './kubernetes-config.ts';

const address = setting(
  Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 2048 }),
  'https://HOST or https://HOST:PORT; http:// only to this machine',
  'URL of the server whose jobs the agent executes.',
);

/** @limit concurrent jobs of an agent, jobs -> the agent does not start */
const MAX_SLOTS = 64;

/**
 * MiB.
 * @limit provider cache of an agent, MiB -> the least recently used providers are removed
 * @setting provider_cache_size
 */
const PROVIDER_CACHE_SIZE = 10_240;

/** Settings of every kind of agent. */
const common = {
  name: optional(
    Type.String({ minLength: 1, maxLength: 80, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
    'up to 80 characters',
    'Name of the agent in lists. Default: the host name. With several slots, the slot number is appended.',
  ),
  slots: defaulted(
    Type.Integer({ minimum: 1, maximum: MAX_SLOTS, default: 1 }),
    `1 to ${MAX_SLOTS}`,
    'Maximum number of concurrent jobs.',
  ),
  isolation: defaulted(
    Type.Enum(['bubblewrap', 'none'], { default: 'bubblewrap' }),
    'bubblewrap, none',
    'Isolation of runs from this machine. bubblewrap: a sandbox, which needs bwrap on the PATH. none: no isolation.',
  ),
  network: defaulted(
    Type.Enum(['isolated', 'host'], { default: 'isolated' }),
    'isolated, host',
    'Network of runs in a sandbox. isolated: each run has its own network, which needs pasta and nft; it cannot reach this machine, link-local addresses or metadata services of clouds. host: the network of this machine, with every service on its loopback.',
  ),
  denied_addresses: defaulted(
    Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { maxItems: 100, default: [] }),
    'IP addresses and CIDR blocks',
    'Additional addresses that runs cannot connect to. Needs network: isolated.',
  ),
  ...jobBounds,
  reach_server: defaulted(
    Type.Boolean({ default: true }),
    'true, false',
    'With network: isolated, whether runs can connect to the port of a server on this machine, to read states of other workspaces. Set it to false if that server trusts proxies on this machine, because runs could impersonate a proxy.',
  ),
  providers: optionalPath(
    'a folder',
    'Folder of provider packages in the layout of `terraform providers mirror`. Providers in it are never downloaded from elsewhere.',
  ),
  provider_cache: optionalPath(
    'a folder',
    'Folder that caches fetched providers, for all jobs whose dependency lock file has their `h1:` hashes.',
  ),
  provider_cache_size: defaulted(
    Type.Integer({ minimum: 1024, maximum: 1_048_576, default: PROVIDER_CACHE_SIZE }),
    '1024 to 1048576 MiB',
    'Maximum size of the provider cache. The least recently used providers are removed; one run adds at most a quarter.',
  ),
  folder: optionalPath(
    'a folder that no other agent uses',
    'Folder for files of jobs, and for states that could not be uploaded. Default: `$STATE_DIRECTORY`, or `lockkeeper/agent` in `$XDG_STATE_HOME` or `~/.local/state`.',
  ),
  stop_timeout: optional(
    Type.String({ maxLength: 20 }),
    'a duration such as 90s or 30m',
    'Time that jobs have to finish after SIGTERM; then the agent interrupts them. Default: no limit.',
  ),
};

/** Settings of `lockkeeper agent` in its configuration file. */
export const agentSchema = Type.Object(
  {
    address,
    cert: optionalPath(
      'a PEM file',
      'Client certificate for the login, followed by its intermediates. The file is read at each login.',
    ),
    key: optionalPath('a PEM file', 'Private key of the certificate. Default: the key in the certificate file.'),
    ca_cert: optionalPath(
      'a PEM file',
      'CA certificates that verify the server. Default: the CAs that Node.js trusts.',
    ),
    role: optional(
      Type.String({ minLength: 1, maxLength: 256 }),
      'a name',
      'Role to log in with. Default: any role that accepts the certificate.',
    ),
    mount: defaulted(
      Type.String({ minLength: 1, maxLength: 256, default: 'cert' }),
      'a path',
      'Mount path of the certificate auth method.',
    ),
    executor: defaulted(
      Type.Enum(['process', 'kubernetes'], { default: 'process' }),
      'process, kubernetes',
      'Executor of jobs. process: the agent itself. kubernetes: one Kubernetes Job for each job.',
    ),
    kubernetes: Type.Optional(kubernetesSchema),
    forward_hosts: defaulted(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100, default: [] }),
      HOSTS_AND_BLOCKS,
      'Servers of VCS providers to which the agent forwards requests of the server, for connections with its agent pool. The server, and everyone who may manage VCS settings of the organization, can then reach these servers. Default: none.',
    ),
    token_file: optionalPath(
      'a file',
      'File with the token of an agent pool, instead of a certificate. The agent reads it again when the server refuses the token.',
    ),
    ...common,
    ...engineSettings(true),
  },
  { additionalProperties: false },
);

/** Settings that the parent process sends to an embedded agent in its first line. */
export const embeddedSchema = Type.Object(
  {
    address,
    ca: optional(
      Type.String({ maxLength: 262_144 }),
      'PEM',
      "CA certificates that verify the server, or the server's own certificate.",
    ),
    server_name: optional(
      Type.String({ maxLength: 253 }),
      'a host',
      "Name that the server's certificate must contain.",
    ),
    token: {
      ...setting(Type.String({ minLength: 1, maxLength: 4096 }), 'a token', 'Credential of the agent.'),
      secret: true,
    },
    ...common,
    ...engineSettings(false),
  },
  { additionalProperties: false },
);

export type AgentTree = Static<typeof agentSchema>;
export type EmbeddedTree = Static<typeof embeddedSchema>;

import Type, { type Static } from 'typebox';
import { engineSettings } from './engine-settings.ts';
import { jobBounds } from './job-bounds.ts';
import { kubernetesSchema } from './kubernetes-schema.ts';
import { optional, path, setting } from './setting.ts';

const address = setting(
  Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 2048 }),
  'https://HOST or https://HOST:PORT; http:// only to this machine',
  'The server whose jobs are carried out.',
);

/** @limit jobs of an agent at a time, jobs -> it does not start */
const MAX_SLOTS = 64;

/**
 * MiB.
 * @limit providers that an agent keeps for all jobs, MiB -> those that were not used for the longest time are removed
 * @setting provider_cache_size
 */
export const PROVIDER_CACHE_SIZE = 10_240;

/** What every agent has, however it is told. */
const common = {
  name: optional(
    Type.String({ minLength: 1, maxLength: 80, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
    'up to 80 characters',
    'What it is called where agents are listed; else the name of the machine. Of several slots, each has its number behind it.',
  ),
  slots: optional(
    Type.Integer({ minimum: 1, maximum: MAX_SLOTS, default: 1 }),
    `1 to ${MAX_SLOTS}`,
    'How many jobs it carries out at a time.',
  ),
  isolation: optional(
    Type.Enum(['bubblewrap', 'none'], { default: 'bubblewrap' }),
    'bubblewrap, none',
    'What keeps configurations away from this machine: a sandbox, which needs bwrap on the PATH; or nothing.',
  ),
  network: optional(
    Type.Enum(['isolated', 'host'], { default: 'isolated' }),
    'isolated, host',
    'Network of runs in a sandbox. isolated: each run has its own network, which needs pasta and nft; it cannot reach this machine, link-local addresses or metadata services of clouds. host: the network of this machine, with every service on its loopback.',
  ),
  denied_addresses: optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { maxItems: 100 }),
    'IP addresses and CIDR blocks',
    'More addresses that runs cannot connect to, with network: isolated.',
  ),
  ...jobBounds,
  reach_server: optional(
    Type.Boolean({ default: true }),
    'true, false',
    'With network: isolated, whether runs can connect to the port of a server on this machine, to read states of other workspaces. Set it to false if that server trusts proxies on this machine, because runs could impersonate a proxy.',
  ),
  ...engineSettings,
  providers: path(
    'a folder',
    'Providers, as `terraform providers mirror` lays them out: those are fetched from nowhere else.',
  ),
  provider_cache: path(
    'a folder',
    'Folder that caches fetched providers, for all jobs whose dependency lock file has their `h1:` hashes.',
  ),
  provider_cache_size: optional(
    Type.Integer({ minimum: 1024, maximum: 1_048_576, default: PROVIDER_CACHE_SIZE }),
    '1024 to 1048576 MiB',
    'Maximum size of the provider cache. The least recently used providers are removed; one run adds at most a quarter.',
  ),
  folder: path(
    'a folder of this agent alone',
    'Files of jobs, and states that no server took. Else `$STATE_DIRECTORY`, else `lockkeeper/agent` in `$XDG_STATE_HOME` or `~/.local/state`.',
  ),
  stop_timeout: optional(
    Type.String({ maxLength: 20 }),
    'a duration such as 90s or 30m',
    'How long jobs may go on after SIGTERM; then they are interrupted. Else until they end.',
  ),
};

/** Settings of `lockkeeper agent`, as they are written in its file. */
export const agentSchema = Type.Object(
  {
    address,
    cert: path('a PEM file', 'The certificate to log in with, then its intermediates. Read at each login.'),
    key: path('a PEM file', 'Its private key; else in the file of the certificate.'),
    ca_cert: path('a PEM file', 'Whom the server is trusted by; else those that Node.js trusts.'),
    role: optional(
      Type.String({ minLength: 1, maxLength: 256 }),
      'a name',
      'The role to log in with; else any that admits the certificate.',
    ),
    mount: optional(
      Type.String({ minLength: 1, maxLength: 256, default: 'cert' }),
      'a path',
      'Where the certificate method is.',
    ),
    executor: optional(
      Type.Enum(['process', 'kubernetes'], { default: 'process' }),
      'process, kubernetes',
      'Who carries jobs out: the agent itself, or a Kubernetes Job for each.',
    ),
    kubernetes: Type.Optional(kubernetesSchema),
    token_file: path('a file', 'In place of a certificate: the token of an agent pool. Read again when it is refused.'),
    ...common,
  },
  { additionalProperties: false },
);

/** What an embedded agent is told by whoever started it, in its first line. */
export const embeddedSchema = Type.Object(
  {
    address,
    ca: optional(Type.String({ maxLength: 262_144 }), 'PEM', 'Whom the server is trusted by, or the server itself.'),
    server_name: optional(Type.String({ maxLength: 253 }), 'a host', 'What the certificate of the server is for.'),
    token: { ...setting(Type.String({ minLength: 1, maxLength: 4096 }), 'a token', 'Who it is.'), secret: true },
    ...common,
  },
  { additionalProperties: false },
);

export type AgentTree = Static<typeof agentSchema>;
export type EmbeddedTree = Static<typeof embeddedSchema>;

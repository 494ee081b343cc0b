import Type, { type Static } from 'typebox';
import { engineSettings } from './agent/engine-settings.ts';
import { jobBounds } from './agent/job-bounds.ts';
import { auditSink } from './audit-schema.ts';
import { backup } from './backup-schema.ts';
import { blobs } from './blob-storage-schema.ts';
import { HOSTS_AND_BLOCKS } from './host-address.ts';
import { keyringWrap } from './keyring-schema.ts';
import { rateLimits } from './rate-limits-config.ts';
import { duration, optional, path, secret, setting } from './setting.ts';
import { signIn } from './sign-in-schema.ts';
import { tracing } from './tracing-config.ts';
import { WORKER_MEMORY } from './workers.ts';

const listener = Type.Object(
  {
    address: setting(
      Type.String({ pattern: '^(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+):\\d{1,5}$' }),
      'HOST:PORT, for example 0.0.0.0:8200 or [::1]:8200; port 0 picks a free one',
      'Where to listen.',
    ),
    services: setting(
      Type.Array(Type.Enum(['access', 'workspaces', 'console', 'metrics']), { minItems: 1, uniqueItems: true }),
      'access, workspaces, console, metrics',
      'What is served there. Health is served everywhere, and the console with either API unless `console` is false.',
    ),
    console: optional(
      Type.Boolean({ default: true }),
      'true, false',
      'Whether the console is served at /app, where access or workspaces are.',
    ),
    tls: Type.Optional(
      Type.Object(
        {
          certificate_file: path('PEM: the server certificate, then its intermediates.'),
          private_key_file: path('PEM: the private key of the certificate.'),
          min_version: optional(
            Type.Enum(['1.2', '1.3'], { default: '1.2' }),
            "'1.2' or '1.3'",
            'The oldest TLS version that is spoken.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    client_certificates: optional(
      Type.Enum(['request', 'off'], { default: 'request' }),
      'request, off',
      'Whether clients are asked for a certificate in the handshake. Logins need it.',
    ),
    forwarded_client_certificates: Type.Optional(
      Type.Object(
        {
          trusted_proxies: setting(
            Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { minItems: 1, maxItems: 100 }),
            'IP addresses and CIDR blocks',
            'Who may forward the certificate of a client in a header. From anybody else the header is taken out.',
          ),
          format: setting(
            Type.Enum(['rfc9440', 'nginx', 'envoy']),
            'rfc9440 (Client-Cert, Client-Cert-Chain), nginx (X-SSL-Client-Cert with $ssl_client_escaped_cert), envoy (X-Forwarded-Client-Cert)',
            'How the proxy writes it down.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    plain_http: optional(
      Type.Boolean({ default: false }),
      'true, false',
      'Serve without TLS: only for a proxy in front, on a network that nobody else can reach.',
    ),
  },
  { additionalProperties: false },
);

/** Every setting of `lockkeeper serve`, as it is written in the file. The reference page is generated from it. */
export const configSchema = Type.Object(
  {
    listeners: Type.Array(listener, { minItems: 1, maxItems: 16 }),
    storage: Type.Object(
      {
        type: setting(
          Type.Enum(['sqlite', 'postgres']),
          'sqlite, postgres',
          'Embedded, or a server shared by several nodes.',
        ),
        directory: optional(
          Type.String({ minLength: 1, maxLength: 4096 }),
          'a directory on a local disk',
          'sqlite: where the database files are.',
        ),
        blob_directory: optional(
          Type.String({ minLength: 1, maxLength: 4096 }),
          'a directory',
          'Where states are, encrypted, unless storage.blobs says otherwise. sqlite: `blobs` below storage.directory by default. postgres: needed; all nodes share it.',
        ),
        blobs: Type.Optional(blobs),
        url: secret(
          Type.String({ pattern: '^postgres(ql)?://', maxLength: 2048 }),
          'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
          'postgres: how to reach it. Better given as LOCKKEEPER_STORAGE_URL than written in a file.',
        ),
        schema: optional(
          Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$', default: 'lockkeeper' }),
          'a lower-case name',
          'postgres: the schema that holds the tables; made when it is absent.',
        ),
        pool_size: optional(
          Type.Integer({ minimum: 1, maximum: 200, default: 10 }),
          '1 to 200',
          'postgres: connections kept by this node, shared by its workers: each has its part, and no fewer than four of them.',
        ),
      },
      { additionalProperties: false },
    ),
    keyring_file: path(
      'The keys that encrypt secrets and hash tokens; `lockkeeper init` makes it. Every node needs the same.',
    ),
    keyring_wrap: Type.Optional(keyringWrap),
    backup: Type.Optional(backup),
    workers: optional(
      Type.Union([Type.Literal('auto'), Type.Integer({ minimum: 1, maximum: 128 })], { default: 'auto' }),
      'auto, 1 to 128; with sqlite: auto, 1',
      'Processes that answer requests side by side: auto is one for each core on PostgreSQL, and one on SQLite.',
    ),
    access: Type.Optional(
      Type.Object(
        {
          default_token_ttl: duration('768h', 'How long a token lives when its role does not say.'),
          max_token_ttl: duration('768h', 'How long any token can live, renewals included.'),
          allow_sha1_signatures: optional(
            Type.Boolean({ default: false }),
            'true, false',
            'Take client certificates and intermediates that are signed with SHA-1, which can be forged. A workaround for a while.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    workspaces: Type.Optional(
      Type.Object(
        {
          engine_versions: optional(
            Type.Array(
              Type.String({
                pattern: '^((opentofu|terraform) )?\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}(-[0-9A-Za-z.-]{1,50})?$',
              }),
              {
                maxItems: 1000,
              },
            ),
            'an engine and a version, such as terraform 1.17.0',
            'Releases of OpenTofu and Terraform beyond those that are built in: what latest, and constraints such as ~> 1.17, are resolved to. A version without an engine counts for both.',
          ),
          state_snapshot_interval: optional(
            Type.Integer({ minimum: 0, maximum: 3600, default: 0 }),
            '0 to 3600 seconds',
            'How often command lines send a snapshot of the state while they apply; 0 for not at all.',
          ),
          address: optional(
            Type.String({ minLength: 9, maxLength: 255 }),
            'https://HOST or https://HOST:PORT',
            'Where the workspace API is found from everywhere, clouds included: who vouches for the identity of runs. Without it they have none.',
          ),
          global_remote_state: optional(
            Type.Boolean({ default: false }),
            'true, false',
            'Whether every workspace of the organization may read the state of a new workspace that does not say. Existing workspaces stay as they are.',
          ),
          recoverable_for: duration('168h', 'How long a deleted workspace can be brought back; 0 for not at all.'),
          plan_timeout: duration('2h', 'How long the plan of a run may take, before the server cancels it.'),
          apply_timeout: duration('24h', 'How long the apply of a run may take, before the server cancels it.'),
          execution: optional(
            Type.Enum(['none', 'embedded', 'agents'], { default: 'none' }),
            'none, embedded, agents',
            'Who carries out runs. none: command lines run everything where they are started. embedded: this server starts an agent of its own, for workspaces whose execution mode is remote. agents: those of agent pools alone.',
          ),
          embedded_agent: Type.Optional(
            Type.Object(
              {
                slots: optional(
                  Type.Integer({ minimum: 1, maximum: 64, default: 2 }),
                  '1 to 64',
                  'How many runs the embedded agent carries out at a time.',
                ),
                isolation: optional(
                  Type.Enum(['bubblewrap', 'none'], { default: 'bubblewrap' }),
                  'bubblewrap, none',
                  'What keeps runs from this machine. none: whoever may start a run here may read all that the server may, its keys included.',
                ),
                network: optional(
                  Type.Enum(['isolated', 'host'], { default: 'isolated' }),
                  'isolated, host',
                  'Network of runs. isolated: each run has its own network, which needs pasta and nft; it cannot reach this machine, link-local addresses or metadata services of clouds. host: the network of this machine; refused if trusted_proxies cover this machine.',
                ),
                denied_addresses: optional(
                  Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { maxItems: 100 }),
                  'IP addresses and CIDR blocks',
                  'More addresses that runs cannot connect to, with network: isolated.',
                ),
                ...jobBounds,
                directory: Type.Optional(path('Where the embedded agent works, and keeps engines and providers.')),
                ...engineSettings,
                engine_downloads: Type.Optional({ ...engineSettings.engine_downloads, default: false }),
                providers: Type.Optional(
                  path(
                    'A folder with providers, as `terraform providers mirror` lays them out: those are fetched from nowhere else.',
                  ),
                ),
              },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    revocation: Type.Optional(
      Type.Object(
        {
          denied_addresses: optional(
            Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { maxItems: 100 }),
            'IP addresses and CIDR blocks',
            'Where OCSP responders and CRL distribution points may not be, in place of the blocks below. The metadata services of clouds stay denied.',
          ),
          allowed_addresses: optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100 }),
            HOSTS_AND_BLOCKS,
            'Where they may be although it is denied. A host name stands for itself alone, wherever it leads; an address or a block for every name that leads there. A metadata service is opened by its very address alone.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    sign_in: Type.Optional(signIn),
    notifications: Type.Optional(
      Type.Object(
        {
          allowed_addresses: optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100 }),
            HOSTS_AND_BLOCKS,
            'Where notifications and requests of run tasks may be sent, and keys of issuers of pipelines be fetched, although it is closed, and over plain HTTP too. A host name stands for itself alone, wherever it leads; an address or a block for every name that leads there. A metadata service is opened by its very address alone.',
          ),
          authorities_file: Type.Optional(
            path(
              'PEM: certificate authorities that vouch for receivers, and for issuers of pipelines, beside those of the system. Read at the start.',
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          body_bytes: optional(
            Type.Integer({ minimum: 1024, maximum: 33_554_432, default: 1_048_576 }),
            '1024 to 33554432',
            'The largest request body, where an operation does not allow more.',
          ),
          connections: optional(
            Type.Integer({ minimum: 1, maximum: 100_000, default: 10_000 }),
            '1 to 100000',
            'Open connections a listener holds; more are closed at once.',
          ),
          connections_per_address: optional(
            Type.Integer({ minimum: 1, maximum: 100_000, default: 2_000 }),
            '1 to 100000',
            'Of these, how many one address (of IPv6: one /64) may have. Trusted proxies of the listener are not counted; where many clients come through another proxy or a gateway, as many as it has connections.',
          ),
          requests_in_flight: optional(
            Type.Integer({ minimum: 10, maximum: 100_000, default: 4_000 }),
            '10 to 100000',
            'Requests that are answered at a time on all listeners by all workers, half of them for one address that is no trusted proxy. Others get 503 with Retry-After; health is answered.',
          ),
          chain_memory: optional(
            Type.Integer({ minimum: 8, maximum: 65_536, default: 64 }),
            '8 to 65536 MiB',
            'Memory of each worker that certificate chains of clients may take for good, at once and again in each hour, when they lead to no role; half of it is kept for addresses with a good login in the last day. Chains of new intermediates that do lead to a role may take as much again. Beyond it: 429.',
          ),
          chain_memory_per_address: optional(
            Type.Integer({ minimum: 4, maximum: 65_536, default: 8 }),
            '4 to 65536 MiB',
            'What of limits.chain_memory one address may take, at once and again in each hour; for IPv6 one network of 64 bits.',
          ),
          worker_memory: optional(
            Type.Integer({ minimum: 64, maximum: 1_048_576, default: WORKER_MEMORY }),
            '64 to 1048576 MiB',
            'Memory that one of several workers may take. Another takes the place of one that has grown beyond it, at most one in a minute.',
          ),
          lame_duck: duration(
            '5s',
            'How long a server that is told to stop goes on taking requests while it says that it is not ready; 0s for not at all. As long as whoever sends requests here needs to notice.',
          ),
          shutdown_grace: duration('30s', 'How long requests in flight may take to finish after that.'),
        },
        { additionalProperties: false },
      ),
    ),
    rate_limits: Type.Optional(rateLimits),
    tracing: Type.Optional(tracing),
    log: Type.Optional(
      Type.Object(
        {
          level: optional(
            Type.Enum(['debug', 'info', 'warn', 'error'], { default: 'info' }),
            'debug, info, warn, error',
            'The least important line that is written. Logs are JSON lines on standard output.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    audit: Type.Optional(
      Type.Object(
        {
          file: Type.Optional(path('The audit record is appended here: short for one sink of type file.')),
          sinks: Type.Optional(Type.Array(auditSink, { maxItems: 8 })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export type ConfigTree = Static<typeof configSchema>;

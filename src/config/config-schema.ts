import Type, { type Static } from 'typebox';
import { engineSettings } from './agent/engine-settings.ts';
import { jobBounds } from './agent/job-bounds.ts';
import { auditSink } from './audit-sink-config.ts';
import { backup } from './backup-config.ts';
import { blobs } from './blob-storage-config.ts';
import { HOSTS_AND_BLOCKS } from './host-address.ts';
import { keyringWrap } from './keyring-config.ts';
import { rateLimits } from './rate-limits-config.ts';
import { defaulted, duration, type Given, optional, path, secret, section, setting } from './setting.ts';
import { signIn } from './sign-in-config.ts';
import { smtp } from './smtp/smtp-config.ts';
import { tracing } from './tracing-config.ts';
import { WORKER_MEMORY } from './workers.ts';

/** A name that no other header of a request has: every header name with `cert` carries a certificate. */
const CERTIFICATE_HEADER = '^[A-Za-z0-9-]*[Cc][Ee][Rr][Tt][A-Za-z0-9-]*$';

const listener = Type.Object(
  {
    address: setting(
      Type.String({ pattern: '^(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+):\\d{1,5}$' }),
      'HOST:PORT, for example 0.0.0.0:8200 or [::1]:8200; port 0 picks a free one',
      'Address and port to listen on.',
    ),
    services: setting(
      Type.Array(Type.Enum(['access', 'workspaces', 'console', 'metrics']), { minItems: 1, uniqueItems: true }),
      'access, workspaces, console, metrics',
      'APIs and pages that this listener serves. Every listener serves health checks. Listeners of either API also serve the console unless `console` is false.',
    ),
    console: defaulted(
      Type.Boolean({ default: true }),
      'true, false',
      'Whether a listener of access or workspaces serves the console at /app.',
    ),
    tls: Type.Optional(
      Type.Object(
        {
          certificate_file: path('PEM file: the server certificate, followed by its intermediates.'),
          private_key_file: path('PEM file: the private key of the certificate.'),
          min_version: defaulted(
            Type.Enum(['1.2', '1.3'], { default: '1.2' }),
            "'1.2' or '1.3'",
            'Minimum TLS version.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    client_certificates: defaulted(
      Type.Enum(['request', 'off'], { default: 'request' }),
      'request, off',
      'Whether the server requests a client certificate in the handshake. Certificate logins need it.',
    ),
    forwarded_client_certificates: Type.Optional(
      Type.Object(
        {
          trusted_proxies: setting(
            Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { minItems: 1, maxItems: 100 }),
            'IP addresses and CIDR blocks',
            'Proxies that may forward a client certificate in a header. The server removes the header from requests of other clients.',
          ),
          format: setting(
            Type.Enum([
              'rfc9440',
              'nginx',
              'envoy',
              'aws',
              'aws-verify',
              'traefik',
              'google',
              'cloudflare',
              'caddy',
              'haproxy',
            ]),
            'rfc9440 (Client-Cert, Client-Cert-Chain), nginx (X-SSL-Client-Cert with $ssl_client_escaped_cert), envoy (X-Forwarded-Client-Cert), aws (X-Amzn-Mtls-Clientcert), aws-verify (X-Amzn-Mtls-Clientcert-Leaf), traefik (X-Forwarded-Tls-Client-Cert), google (X-Client-Cert-Leaf, X-Client-Cert-Chain), cloudflare (Cf-Client-Cert-Der-Base64), caddy (X-Client-Cert-Der), haproxy (X-SSL-Client-Cert-Der, X-SSL-Client-Cert-Chain-Der)',
            'Header format of the forwarded certificate.',
          ),
          header: Type.Optional(
            setting(
              Type.String({ pattern: CERTIFICATE_HEADER, maxLength: 64 }),
              'a header name that contains cert, of letters, digits and hyphens',
              'Header with the client certificate, if the proxy uses another name than its format.',
            ),
          ),
          chain_header: Type.Optional(
            setting(
              Type.String({ pattern: CERTIFICATE_HEADER, maxLength: 64 }),
              'a header name that contains cert, of letters, digits and hyphens',
              'Header with the intermediates, if the proxy uses another name than its format. Only for rfc9440, google and haproxy.',
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    plain_http: defaulted(
      Type.Boolean({ default: false }),
      'true, false',
      'Whether to serve without TLS. Only for use behind a proxy, on a network that no other client can reach.',
    ),
  },
  { additionalProperties: false },
);

/** Every setting of `lockkeeper serve`. The reference page is generated from this schema. */
export const configSchema = Type.Object(
  {
    listeners: Type.Array(listener, { minItems: 1, maxItems: 16 }),
    storage: Type.Object(
      {
        type: setting(
          Type.Enum(['sqlite', 'postgres']),
          'sqlite, postgres',
          'Database: embedded (sqlite), or a server that several nodes share (postgres).',
        ),
        directory: optional(
          Type.String({ minLength: 1, maxLength: 4096 }),
          'a directory on a local disk',
          'sqlite: folder of the database files.',
        ),
        blob_directory: optional(
          Type.String({ minLength: 1, maxLength: 4096 }),
          'a directory',
          'Folder for encrypted states, unless storage.blobs is set. sqlite: default `blobs` in storage.directory. postgres: required; all nodes share it.',
        ),
        blobs: Type.Optional(blobs),
        url: secret(
          Type.String({ pattern: '^postgres(ql)?://', maxLength: 2048 }),
          'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
          'postgres: connection URL. Prefer the environment variable LOCKKEEPER_STORAGE_URL to writing it into the file.',
        ),
        schema: defaulted(
          Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$', default: 'lockkeeper' }),
          'a lower-case name',
          'postgres: schema of the tables. The server creates it if it does not exist.',
        ),
        pool_size: defaulted(
          Type.Integer({ minimum: 1, maximum: 200, default: 10 }),
          '1 to 200',
          "postgres: size of this node's connection pool. Its workers share the pool evenly; each gets at least four connections.",
        ),
      },
      { additionalProperties: false },
    ),
    keyring_file: path(
      'File with the keys that encrypt secrets and hash tokens. `lockkeeper init` creates it. All nodes need the same file.',
    ),
    keyring_wrap: Type.Optional(keyringWrap),
    backup: Type.Optional(backup),
    workers: defaulted(
      Type.Union([Type.Literal('auto'), Type.Integer({ minimum: 1, maximum: 128 })], { default: 'auto' }),
      'auto, 1 to 128; with sqlite: auto, 1',
      'Number of worker processes. auto: one for each core on PostgreSQL, one on SQLite.',
    ),
    access: section({
      default_token_ttl: duration('768h', 'Lifetime of tokens whose role sets none.'),
      max_token_ttl: duration('768h', 'Maximum lifetime of a token, including renewals.'),
      allow_sha1_signatures: defaulted(
        Type.Boolean({ default: false }),
        'true, false',
        'Whether to accept client certificates and intermediates with SHA-1 signatures. Such signatures can be forged: use this only temporarily.',
      ),
    }),
    workspaces: Type.Optional(
      Type.Object(
        {
          engine_versions: defaulted(
            Type.Array(
              Type.String({
                pattern: '^((opentofu|terraform) )?\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}(-[0-9A-Za-z.-]{1,50})?$',
              }),
              {
                maxItems: 1000,
                default: [],
              },
            ),
            'an engine and a version, such as terraform 1.17.0',
            'Additional releases of OpenTofu and Terraform that latest and constraints such as ~> 1.17 can resolve to, beside the built-in list. A version without an engine counts for both.',
          ),
          state_snapshot_interval: defaulted(
            Type.Integer({ minimum: 0, maximum: 3600, default: 0 }),
            '0 to 3600 seconds',
            'Interval at which command lines upload state snapshots during an apply. 0 disables snapshots.',
          ),
          address: optional(
            Type.String({ minLength: 9, maxLength: 255 }),
            'https://HOST or https://HOST:PORT',
            'Public URL of the workspace API. It is the issuer of workload identity tokens, so clouds must be able to reach it. Without it, runs have no identity tokens.',
          ),
          global_remote_state: defaulted(
            Type.Boolean({ default: false }),
            'true, false',
            'Default of `global-remote-state` for new workspaces: whether all workspaces of the organization may read their state. Existing workspaces do not change.',
          ),
          recoverable_for: duration(
            '168h',
            'Time during which a deleted workspace can be restored. 0 deletes workspaces at once.',
          ),
          plan_timeout: duration('2h', 'Maximum duration of a plan. Then the server cancels the run.'),
          apply_timeout: duration('24h', 'Maximum duration of an apply. Then the server cancels the run.'),
          execution: defaulted(
            Type.Enum(['none', 'embedded', 'agents'], { default: 'none' }),
            'none, embedded, agents',
            'Executor of runs. none: the command line runs everything locally. embedded: this server starts its own agent for workspaces with execution mode remote. agents: only agents of agent pools.',
          ),
          embedded_agent: section({
            slots: defaulted(
              Type.Integer({ minimum: 1, maximum: 64, default: 2 }),
              '1 to 64',
              'Maximum number of concurrent runs of the embedded agent.',
            ),
            isolation: defaulted(
              Type.Enum(['bubblewrap', 'none'], { default: 'bubblewrap' }),
              'bubblewrap, none',
              'Isolation of runs from this machine. none: users who may start a run can read everything that the server can, including its keys.',
            ),
            network: defaulted(
              Type.Enum(['isolated', 'host'], { default: 'isolated' }),
              'isolated, host',
              'Network of runs. isolated: each run has its own network, which needs pasta and nft; it cannot reach this machine, link-local addresses or metadata services of clouds. host: the network of this machine; refused if trusted_proxies cover this machine.',
            ),
            denied_addresses: defaulted(
              Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { maxItems: 100, default: [] }),
              'IP addresses and CIDR blocks',
              'More addresses that runs cannot connect to, with network: isolated.',
            ),
            ...jobBounds,
            directory: defaulted(
              Type.String({ minLength: 1, maxLength: 4096, default: 'agent' }),
              'a path',
              'Working folder of the embedded agent, with its engines and providers.',
            ),
            ...engineSettings(false),
            providers: Type.Optional(
              path(
                'Folder of provider packages in the layout of `terraform providers mirror`. Providers in it are never downloaded from elsewhere.',
              ),
            ),
          }),
        },
        { additionalProperties: false },
      ),
    ),
    revocation: section({
      denied_addresses: optional(
        Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { maxItems: 100 }),
        'IP addresses and CIDR blocks',
        'IP addresses that OCSP and CRL requests never connect to. Replaces the default list below. Cloud metadata services stay denied unless allowed_addresses lists their exact address.',
      ),
      allowed_addresses: optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100 }),
        HOSTS_AND_BLOCKS,
        'Exceptions to the denied addresses. A host name allows that name, regardless of its address. An address or block allows every name that resolves to it. A metadata service needs its exact address.',
      ),
    }),
    sign_in: Type.Optional(signIn),
    notifications: Type.Optional(
      Type.Object(
        {
          allowed_addresses: optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100 }),
            HOSTS_AND_BLOCKS,
            "Internal addresses that notifications, run tasks and fetches of pipeline issuers' keys may use, also over plain HTTP. A host name allows that name, regardless of its address. An address or block allows every name that resolves to it. A metadata service needs its exact address.",
          ),
          authorities_file: Type.Optional(
            path(
              "PEM file: CA certificates that verify receivers and pipeline issuers, in addition to the system's. Read at start.",
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    smtp: Type.Optional(smtp),
    vcs: Type.Optional(
      Type.Object(
        {
          allowed_addresses: optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100 }),
            HOSTS_AND_BLOCKS,
            'Internal addresses of VCS providers and Git servers that connections may use, also over plain HTTP. A host name allows that name, regardless of its address. An address or block allows every name that resolves to it. A metadata service needs its exact address.',
          ),
          authorities_file: Type.Optional(
            path("PEM file: CA certificates that verify VCS providers, in addition to the system's. Read at start."),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    limits: section({
      body_bytes: defaulted(
        Type.Integer({ minimum: 1024, maximum: 33_554_432, default: 1_048_576 }),
        '1024 to 33554432',
        'Maximum size of a request body, unless an operation allows more.',
      ),
      connections: defaulted(
        Type.Integer({ minimum: 1, maximum: 100_000, default: 10_000 }),
        '1 to 100000',
        'Maximum number of open connections of a listener. Further connections are closed at once.',
      ),
      connections_per_address: defaulted(
        Type.Integer({ minimum: 1, maximum: 100_000, default: 2_000 }),
        '1 to 100000',
        'Maximum number of open connections from one IP address (IPv6: one /64). Trusted proxies of the listener are exempt. Raise it if many clients share another proxy or gateway.',
      ),
      requests_in_flight: defaulted(
        Type.Integer({ minimum: 10, maximum: 100_000, default: 4_000 }),
        '10 to 100000',
        'Maximum number of requests in flight on all listeners and workers; half of it for one address that is not a trusted proxy. Further requests get 503 with Retry-After. Health checks are exempt.',
      ),
      chain_memory: defaulted(
        Type.Integer({ minimum: 8, maximum: 65_536, default: 64 }),
        '8 to 65536 MiB',
        'Memory of each worker for client certificate chains that match no role, at once and again in each hour, because Node.js frees it only when the process exits. Half is reserved for addresses with a successful login in the last day. Chains with new intermediates that match a role have a second budget of this size. Beyond it: 429.',
      ),
      chain_memory_per_address: defaulted(
        Type.Integer({ minimum: 4, maximum: 65_536, default: 8 }),
        '4 to 65536 MiB',
        'Share of limits.chain_memory for one IP address (IPv6: one /64), at once and again in each hour.',
      ),
      worker_memory: defaulted(
        Type.Integer({ minimum: 64, maximum: 1_048_576, default: WORKER_MEMORY }),
        '64 to 1048576 MiB',
        'Maximum memory of one of several workers. A worker above it is replaced, at most one in a minute.',
      ),
      lame_duck: duration(
        '5s',
        'Time that a stopping server still accepts requests while it reports not ready. Set it to the time that the load balancer needs to notice. 0s disables it.',
      ),
      shutdown_grace: duration('30s', 'Time that requests in flight have to finish after the drain.'),
    }),
    rate_limits: Type.Optional(rateLimits),
    tracing: Type.Optional(tracing),
    log: section({
      level: defaulted(
        Type.Enum(['debug', 'info', 'warn', 'error'], { default: 'info' }),
        'debug, info, warn, error',
        'Minimum log level. Logs are JSON lines on standard output.',
      ),
    }),
    audit: section({
      file: Type.Optional(path('File that audit entries are appended to. Short form of one sink of type file.')),
      sinks: Type.Optional(Type.Array(auditSink, { maxItems: 8 })),
    }),
  },
  { additionalProperties: false },
);

/** Valid settings with their defaults. */
export type ConfigTree = Static<typeof configSchema>;

/** Valid settings without defaults. */
export type GivenTree = Given<ConfigTree>;

import Type, { type Static } from 'typebox';
import { ConfigError } from './config-error.ts';
import { splitAddress } from './host-address.ts';
import { type SecretConfig, tokenFields, toSecret } from './secret-config.ts';
import { defaulted, type Given, optional, path, setting } from './setting.ts';

const FACILITIES = [
  'auth',
  'authpriv',
  'daemon',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const;

/** Schema of the entries of `audit.sinks`. */
export const auditSink = Type.Object(
  {
    type: setting(
      Type.Enum(['file', 'stdout', 'syslog', 'http']),
      'file, stdout, syslog, http',
      'Audit sinks. The server refuses requests while no sink accepts audit entries.',
    ),
    path: Type.Optional(path('file: path that audit entries are appended to. SIGHUP reopens it.')),
    address: optional(
      Type.String({ pattern: '^((udp|tcp|tls)://[^/]+:\\d{1,5}|unix:///.+)$', maxLength: 4096 }),
      'udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT (with a buffer), unix:///PATH (a stream socket)',
      'syslog: the collector (RFC 5424, over TLS RFC 5425).',
    ),
    facility: defaulted(
      Type.Enum([...FACILITIES], { default: 'auth' }),
      FACILITIES.join(', '),
      'syslog: facility of the entries.',
    ),
    url: optional(
      Type.String({ pattern: '^https?://[^\\s#@]+$', maxLength: 2048 }),
      'https://HOST/PATH',
      'http: URL that receives batches of JSON lines by POST. A 2xx status acknowledges a batch.',
    ),
    ...tokenFields('The file is read at start and on SIGHUP.'),
    gzip: defaulted(Type.Boolean({ default: false }), 'true, false', 'http: whether batches are compressed.'),
    authorities_file: Type.Optional(
      path(
        "syslog with tls, http: CA certificates (PEM) that verify the collector, instead of the system's. SIGHUP reloads the file.",
      ),
    ),
    certificate_file: Type.Optional(
      path('syslog with tls, http: client certificate (PEM), if the collector requires one. SIGHUP reloads the file.'),
    ),
    private_key_file: Type.Optional(path('The private key of that certificate.')),
    buffer_directory: Type.Optional(
      path(
        'syslog with tls, tcp or unix, http: a folder on a local disk that buffers entries until they are delivered. Required for tls and http. Each sink needs its own folder.',
      ),
    ),
    buffer_size: defaulted(
      Type.Integer({ minimum: 8, maximum: 1_048_576, default: 1_024 }),
      '8 to 1048576 MiB',
      'Maximum size of the buffer, shared by all workers. A full buffer accepts no entries.',
    ),
  },
  { additionalProperties: false },
);

/** Audit sinks. */
export type AuditSinkConfig =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'stdout' }
  | {
      readonly type: 'syslog';
      readonly address: SyslogAddress;
      readonly facility: Facility;
      /** Settings of the buffer on disk. If absent, entries are not buffered. */
      readonly collected?: CollectedConfig;
    }
  | {
      readonly type: 'http';
      readonly url: string;
      readonly tokenHeader: string;
      readonly gzip: boolean;
      readonly collected: CollectedConfig;
    };

/** Buffer and credentials for a collector. */
export interface CollectedConfig {
  readonly directory: string;
  /** Maximum total of all workers, bytes. */
  readonly mostBytes: number;
  readonly token?: SecretConfig;
  readonly authoritiesFile?: string;
  readonly certificate?: { readonly file: string; readonly keyFile: string };
}

type SyslogAddress =
  | { readonly transport: 'udp' | 'tcp' | 'tls'; readonly host: string; readonly port: number }
  | { readonly transport: 'unix'; readonly path: string };

type Tree = Static<typeof auditSink>;
type GivenTree = Given<Tree>;
type Facility = Tree['facility'];
type Member = Exclude<keyof Tree, 'type'>;
type At = (path: string) => string;

const MIB = 1_048_576;
const BUFFER = ['buffer_directory', 'buffer_size'] as const;
const TLS = ['authorities_file', 'certificate_file', 'private_key_file'] as const;
const HTTP = ['url', 'token_header', 'token_file', 'token', 'gzip'] as const;
/** Settings that belong to each type. */
const MEMBERS: Readonly<Record<Tree['type'], readonly Member[]>> = {
  file: ['path'],
  stdout: [],
  syslog: ['address', 'facility', ...BUFFER, ...TLS],
  http: [...HTTP, ...BUFFER, ...TLS],
};

/** @param given the same sinks without defaults, which may not suit their type @throws ConfigError */
export function toAuditSinks(trees: readonly Tree[], given: readonly GivenTree[], at: At): AuditSinkConfig[] {
  const sinks = trees.map((tree, index) => toAuditSink(tree, given[index] ?? {}, `audit.sinks[${index}]`, at));
  refuseSharedBuffers(sinks);
  return sinks;
}

/** Parses one sink and refuses settings of other types. */
function toAuditSink(sink: Tree, given: GivenTree, key: string, at: At): AuditSinkConfig {
  const { type, path } = sink;
  refuseStray(given, key, MEMBERS[type], `type ${type}`);
  if (type === 'stdout') return { type };
  if (type === 'syslog') return toSyslog(sink, given, key, at);
  if (type === 'http') return toHttp(sink, given, key, at);
  if (path === undefined) throw new ConfigError(`${key}.path: missing; allowed: a path`);
  return { type, path: at(path) };
}

/** Refuses a shared folder: each sink would overwrite the other's buffer. */
function refuseSharedBuffers(sinks: readonly AuditSinkConfig[]): void {
  const folders = sinks.flatMap((sink, index) =>
    'collected' in sink && sink.collected ? [[index, sink.collected.directory] as const] : [],
  );
  for (const [index, folder] of folders) {
    const first = folders.find(([, other]) => other === folder)?.[0];
    if (first !== index)
      throw new ConfigError(
        `audit.sinks[${index}].buffer_directory: found the folder of audit.sinks[${first}]; allowed: a folder of its own`,
      );
  }
}

function refuseStray(given: GivenTree, key: string, allowed: readonly Member[], beside: string): void {
  const stray = Object.keys(given).find((name) => name !== 'type' && !allowed.includes(name as Member));
  if (stray) throw new ConfigError(`${key}.${stray}: found beside ${beside}; allowed: ${allowed.join(', ') || 'none'}`);
}

function toSyslog(sink: Tree, given: GivenTree, key: string, at: At): AuditSinkConfig {
  const { address: text, facility } = sink;
  if (text === undefined) {
    throw new ConfigError(
      `${key}.address: missing; allowed: udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT, unix:///PATH`,
    );
  }
  const address = toSyslogAddress(text, `${key}.address`);
  const { transport } = address;
  if (transport === 'udp') refuseStray(given, key, ['address', 'facility'], 'udp');
  if (transport !== 'tls') refuseStray(given, key, ['address', 'facility', ...BUFFER], transport);
  if (transport !== 'tls' && sink.buffer_directory === undefined) {
    refuseStray(given, key, ['address', 'facility'], 'no buffer_directory');
    return { type: 'syslog', address, facility };
  }
  return { type: 'syslog', address, facility, collected: toCollected(sink, key, at) };
}

function toHttp(sink: Tree, given: GivenTree, key: string, at: At): AuditSinkConfig {
  const { url, token_header: tokenHeader, gzip } = sink;
  if (url === undefined || !URL.canParse(url))
    throw new ConfigError(`${key}.url: ${url === undefined ? 'missing' : 'found no URL'}; allowed: https://HOST/PATH`);
  if (url.startsWith('http:')) refuseStray(given, key, [...HTTP, ...BUFFER], 'a URL without TLS');
  return { type: 'http', url, tokenHeader, gzip, collected: toCollected(sink, key, at) };
}

function toCollected(sink: Tree, key: string, at: At): CollectedConfig {
  const { buffer_directory: directory, buffer_size: size, authorities_file: authorities } = sink;
  if (directory === undefined)
    throw new ConfigError(
      `${key}.buffer_directory: missing; allowed: a folder on a local disk that buffers audit entries`,
    );
  const { certificate_file: certificate, private_key_file: privateKey } = sink;
  if ((certificate === undefined) !== (privateKey === undefined)) {
    const missing = certificate === undefined ? 'certificate_file' : 'private_key_file';
    throw new ConfigError(`${key}.${missing}: missing; allowed: both, or neither`);
  }
  const token = toSecret(`${key}.token`, sink.token, sink.token_file, at);
  return {
    directory: at(directory),
    mostBytes: size * MIB,
    ...(token && { token }),
    ...(authorities !== undefined && { authoritiesFile: at(authorities) }),
    ...(certificate !== undefined &&
      privateKey !== undefined && { certificate: { file: at(certificate), keyFile: at(privateKey) } }),
  };
}

function toSyslogAddress(text: string, key: string): SyslogAddress {
  const [transport = '', rest = ''] = text.split('://');
  if (transport === 'unix') return { transport, path: rest };
  return { transport: transport as 'udp' | 'tcp' | 'tls', ...splitAddress(rest, key) };
}

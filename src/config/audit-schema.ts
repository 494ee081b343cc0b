import Type from 'typebox';
import { tokenFields } from './secret-config.ts';
import { defaulted, optional, path, setting } from './setting.ts';

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

import Type from 'typebox';
import { tokenFields } from './secret-config.ts';
import { optional, path, setting } from './setting.ts';

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

/** `audit.sinks[]` */
export const auditSink = Type.Object(
  {
    type: setting(
      Type.Enum(['file', 'stdout', 'syslog', 'http']),
      'file, stdout, syslog, http',
      'Where the audit record goes. While none of the sinks takes it, requests are refused.',
    ),
    path: Type.Optional(path('file: where the lines are appended. SIGHUP opens it anew.')),
    address: optional(
      Type.String({ pattern: '^((udp|tcp|tls)://[^/]+:\\d{1,5}|unix:///.+)$', maxLength: 4096 }),
      'udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT (with a buffer), unix:///PATH (a stream socket)',
      'syslog: the collector (RFC 5424, over TLS RFC 5425).',
    ),
    facility: optional(
      Type.Enum([...FACILITIES], { default: 'auth' }),
      FACILITIES.join(', '),
      'syslog: what the lines are filed under.',
    ),
    url: optional(
      Type.String({ pattern: '^https?://[^\\s#@]+$', maxLength: 2048 }),
      'https://HOST/PATH',
      'http: where batches of JSON lines are sent by POST; whatever is 2xx takes them.',
    ),
    ...tokenFields('Read at the start, and anew with SIGHUP.'),
    gzip: optional(Type.Boolean({ default: false }), 'true, false', 'http: whether batches are compressed.'),
    authorities_file: Type.Optional(
      path(
        'syslog with tls, http: PEM of who vouches for the collector, in place of those of the system. SIGHUP reads it anew.',
      ),
    ),
    certificate_file: Type.Optional(
      path(
        'syslog with tls, http: PEM of our own certificate, where the collector asks for one. SIGHUP reads it anew.',
      ),
    ),
    private_key_file: Type.Optional(path('The private key of that certificate.')),
    buffer_directory: Type.Optional(
      path(
        'syslog with tls, tcp or unix, http: a folder on a local disk where lines wait until they are delivered. Needed for tls and http. Each sink needs one of its own.',
      ),
    ),
    buffer_size: optional(
      Type.Integer({ minimum: 8, maximum: 1_048_576, default: 1_024 }),
      '8 to 1048576 MiB',
      'How much may wait there, shared by the workers. Beyond it the sink takes nothing.',
    ),
  },
  { additionalProperties: false },
);

import Type from 'typebox';
import { defaulted, duration, optional, path, secret, setting } from '../setting.ts';

/** Settings of the SMTP server for emails of notifications. */
export const smtp = Type.Object(
  {
    host: setting(
      Type.String({ pattern: '^[A-Za-z0-9.:-]{1,253}$' }),
      'a host name or an IP address',
      'SMTP server. Without `smtp` the server sends no email.',
    ),
    port: optional(
      Type.Integer({ minimum: 1, maximum: 65_535 }),
      'a port',
      'Port. Default: 465 for `tls: implicit`, 587 for `starttls`, 25 for `none`.',
    ),
    tls: defaulted(
      Type.Enum(['starttls', 'implicit', 'none'], { default: 'starttls' }),
      'starttls, implicit, none',
      'Encryption. `starttls` and `implicit` send nothing without TLS and a valid certificate. `none` is allowed only for a host on this machine: `localhost` or a loopback address.',
    ),
    authorities_file: Type.Optional(
      path("PEM file: CA certificates that verify the SMTP server, in addition to the system's. Read at start."),
    ),
    username: optional(
      Type.String({ minLength: 1, maxLength: 254 }),
      'up to 254 characters',
      'Name for the login. Needs `password_file` or `password`. Without it, the server does not log in.',
    ),
    password_file: Type.Optional(path('File with the password in one line. Read at start.')),
    password: secret(
      Type.String({ minLength: 1, maxLength: 4096 }),
      'text',
      'The password as text. Prefer `password_file` or the environment.',
    ),
    from: setting(
      Type.String({ minLength: 3, maxLength: 320 }),
      'an address such as lockkeeper@example.com or Lockkeeper <lockkeeper@example.com>',
      'Sender of the emails.',
    ),
    timeout: duration('20s', 'Maximum duration of one attempt to send an email: 1s to 40s.'),
    recipient_domains: defaulted(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100, default: [] }),
      'domains',
      'Domains to which users may send emails with `email-addresses`, besides to members of their organization. A subdomain is a domain of its own. Without it, only members get emails.',
    ),
    recipients_per_hour: defaulted(
      Type.Integer({ minimum: 100, maximum: 1_000_000, default: 2000 }),
      '100 to 1000000',
      'Recipients of the notifications of one organization by email in an hour. More emails wait for the next hour. Invitations have a limit of their own.',
    ),
  },
  { additionalProperties: false },
);

import { isIP } from 'node:net';
import Type, { type Static } from 'typebox';
import { canonicalHost } from '../../lib/host-name.ts';
import { ConfigError } from '../config-error.ts';
import { type SecretConfig, toSecret } from '../secret-config.ts';
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
    invitations_per_day: defaulted(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 1000 }),
      '1 to 10000',
      'Invitations that the server sends by email in 24 hours. Further ones have only the link.',
    ),
  },
  { additionalProperties: false },
);

/** SMTP server for emails with notifications and invitations. */
export interface SmtpConfig {
  readonly host: string;
  readonly port: number;
  readonly tls: 'starttls' | 'implicit' | 'none';
  readonly authoritiesFile?: string;
  readonly login?: { readonly username: string; readonly password: SecretConfig };
  readonly from: string;
  readonly timeoutSeconds: number;
  readonly recipientDomains: readonly string[];
  readonly recipientsPerHour: number;
  /** Invitations of all organizations by email in 24 hours. Default: 1000. */
  readonly invitationsPerDay?: number;
}

const PORTS = { starttls: 587, implicit: 465, none: 25 } as const;
/** Duration of one attempt in seconds. It is shorter than the claim of a message. */
const TIMEOUT = { least: 1, most: 40 };
const FROM = /^(?:[^<>\p{Cc}]*<[^\s<>@]+@[A-Za-z0-9.-]+>|[^\s<>@]+@[A-Za-z0-9.-]+)$/u;

/**
 * @param seconds parses a duration
 * @throws ConfigError
 */
export function toSmtp(
  tree: Static<typeof smtp>,
  at: (path: string) => string,
  seconds: (key: string, text: string) => number,
): SmtpConfig {
  const { authorities_file: authorities, from, host, tls, username } = tree;
  if (tls === 'none' && !isThisMachine(host)) {
    throw new ConfigError(
      `smtp.tls: found "none" for ${host}; allowed: starttls or implicit, because emails would leave this machine unencrypted`,
    );
  }
  if (!FROM.test(from)) {
    throw new ConfigError(
      `smtp.from: found ${JSON.stringify(from.slice(0, 100))}; allowed: an address, or a name and an address in angle brackets`,
    );
  }
  const timeoutSeconds = seconds('smtp.timeout', tree.timeout);
  if (timeoutSeconds < TIMEOUT.least || timeoutSeconds > TIMEOUT.most) {
    throw new ConfigError(`smtp.timeout: found ${timeoutSeconds}s; allowed: ${TIMEOUT.least}s to ${TIMEOUT.most}s`);
  }
  const password = toSecret('smtp.password', tree.password, tree.password_file, at);
  if ((username === undefined) !== (password === undefined)) {
    throw new ConfigError(
      'smtp.username: found without a password, or a password without it; allowed: both or neither',
    );
  }
  return {
    ...{ host, tls, from, timeoutSeconds },
    port: tree.port ?? PORTS[tls],
    ...(authorities !== undefined && { authoritiesFile: at(authorities) }),
    ...(username !== undefined && password !== undefined && { login: { username, password } }),
    recipientDomains: tree.recipient_domains.map(domain),
    recipientsPerHour: tree.recipients_per_hour,
    invitationsPerDay: tree.invitations_per_day,
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function domain(text: string): string {
  const found = canonicalHost(text);
  if (found !== undefined && isIP(found) === 0) return found;
  throw new ConfigError(`smtp.recipient_domains: found ${JSON.stringify(text.slice(0, 100))}; allowed: domains`);
}

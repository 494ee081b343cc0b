import { isIP } from 'node:net';
import { canonicalHost } from '../../lib/host-name.ts';
import { ConfigError } from '../config-error.ts';
import type { ConfigTree } from '../config-schema.ts';
import { type SecretConfig, toSecret } from '../secret-config.ts';

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
  tree: NonNullable<ConfigTree['smtp']>,
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

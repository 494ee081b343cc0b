import { readFile } from 'node:fs/promises';
import { ConfigError, type SmtpConfig } from '../config/index.ts';
import { secretText } from '../lib/secret/secret-text.ts';
import type { MailSettings } from '../mail/index.ts';
import { readAuthorities } from './pem-files.ts';

/** Reads the password and the CA certificates of the SMTP server. @throws ConfigError for an unusable file */
export async function mailSettings(config: SmtpConfig): Promise<MailSettings> {
  const {
    authoritiesFile: file,
    from,
    host,
    login,
    port,
    recipientDomains,
    recipientsPerHour,
    timeoutSeconds,
    tls,
  } = config;
  const password = login && ('text' in login.password ? login.password.text : await readPassword(login.password.file));
  return {
    ...{ host, port, tls, from, recipientDomains, recipientsPerHour, timeoutMs: timeoutSeconds * 1000 },
    ...(file !== undefined && { authorities: await readAuthorities('smtp.authorities_file', file) }),
    ...(login && password !== undefined && { login: { username: login.username, password } }),
  };
}

async function readPassword(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`smtp.password_file: cannot read ${file}: ${error.message}`);
  });
  const secret = secretText(text);
  if (secret === '') throw new ConfigError(`smtp.password_file: ${file} is empty`);
  return secret;
}

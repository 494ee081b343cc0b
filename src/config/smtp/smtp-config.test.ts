import { expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { ConfigError } from '../config-error.ts';
import { sensitiveSettings } from '../shown-settings.ts';

const FILE = `
listeners:
  - { address: 127.0.0.1:8200, services: [workspaces], plain_http: true }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
`;
const FROM = 'from: keeper@example.com';
const sources = (smtp: string, environment: Record<string, string> = {}) => ({
  ...{ file: `${FILE}smtp: { ${smtp} }`, environment, flags: [] },
});
const load = (smtp: string, environment: Record<string, string> = {}) =>
  loadConfig(sources(smtp, environment), '/etc/lockkeeper').smtp;

it('has safe defaults', () => {
  expect(load(`host: mail.example.com, ${FROM}`)).toEqual({
    ...{ host: 'mail.example.com', port: 587, tls: 'starttls', from: 'keeper@example.com' },
    ...{ timeoutSeconds: 20, recipientDomains: [], recipientsPerHour: 2000, invitationsPerDay: 1000 },
  });
  expect(load(`host: mail.example.com, tls: implicit, ${FROM}`)).toMatchObject({ port: 465, tls: 'implicit' });
  expect(load(`host: 127.0.0.1, tls: none, ${FROM}`)).toMatchObject({ port: 25, tls: 'none' });
});

it('takes a login from a file or the environment, and domains without regard to case', () => {
  const login = load(
    `host: mail.example.com, ${FROM}, username: me, password_file: smtp, recipient_domains: [Example.COM]`,
  );
  expect(login).toMatchObject({
    login: { username: 'me', password: { file: '/etc/lockkeeper/smtp' } },
    recipientDomains: ['example.com'],
  });
  const environment = { LOCKKEEPER_SMTP_USERNAME: 'me', LOCKKEEPER_SMTP_PASSWORD: '12345' };
  expect(load(`host: mail.example.com, ${FROM}`, environment)?.login?.password).toEqual({ text: '12345' });
});

it('its password is a secret', () => {
  const smtp = `host: mail.example.com, ${FROM}, username: me, password: between us`;
  expect(sensitiveSettings(sources(smtp), '/etc').texts).toContain('between us');
  const inFile = `host: mail.example.com, ${FROM}, username: me, password_file: smtp`;
  expect(sensitiveSettings(sources(inFile), '/etc').files).toContain('/etc/smtp');
});

it.each([
  [FROM, 'smtp.host'],
  ['host: mail.example.com', 'smtp.from'],
  [`host: mail.example.com, tls: none, ${FROM}`, 'smtp.tls: found "none" for mail.example.com'],
  [`host: 10.0.0.1, tls: none, ${FROM}`, 'smtp.tls: found "none" for 10.0.0.1'],
  [`host: 127.0.0.1.example.com, tls: none, ${FROM}`, 'smtp.tls: found "none"'],
  [`host: mail.example.com, tls: opportunistic, ${FROM}`, 'smtp.tls'],
  ['host: mail.example.com, from: "keeper"', 'smtp.from'],
  ['host: mail.example.com, from: "Keeper\\r\\nBcc: a@b.c <keeper@example.com>"', 'smtp.from'],
  [`host: mail.example.com, ${FROM}, timeout: 5m`, 'smtp.timeout: found 300s; allowed: 1s to 40s'],
  [`host: mail.example.com, ${FROM}, username: me`, 'smtp.username'],
  [`host: mail.example.com, ${FROM}, password: x`, 'smtp.username'],
  [`host: mail.example.com, ${FROM}, username: me, password: x, password_file: y`, 'smtp.password'],
  [`host: mail.example.com, ${FROM}, recipient_domains: ["*"]`, 'smtp.recipient_domains'],
  [`host: mail.example.com, ${FROM}, recipient_domains: ["a@b.c"]`, 'smtp.recipient_domains'],
])('refuses %s', (smtp, message) => {
  let refusal = '';
  try {
    load(smtp);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    refusal = error.message;
  }
  expect(refusal).toContain(message);
});

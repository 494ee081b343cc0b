import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import type { CertificateLogin } from './certificate-login.ts';
import { type CertificateSettings, type HostSettings, type PipelineSettings, settingsFor } from './host-settings.ts';
import { forgetToken, type KeptToken, keepToken, keptToken } from './token-cache.ts';

const USAGE = 'usage: terraform-credentials-lockkeeper [--config FILE] get|store|forget HOST';
const HOUR = 3_600_000;

/**
 * Implements the credentials helper protocol: OpenTofu and Terraform call it with a verb and a host, and read JSON.
 * @returns text for standard output
 * @throws CommandError with a message for the user, without secrets
 */
export async function helper(args: readonly string[]): Promise<string> {
  const { file, verb, host } = read(args);
  const settings = settingsFor(host, file, process.env);
  if (verb === 'store') throw storesNothing(host, settings);
  if (settings?.by === 'pipeline') return ofPipeline(settings, verb);
  const login = settings && readLogin(settings);
  if (verb === 'forget') {
    if (login) await forget(login);
    return '';
  }
  return `${JSON.stringify(login ? { token: await tokenFor(login) } : {})}\n`;
}

/** Pipeline tokens live for minutes and are not renewed, because the pipeline can always exchange a new one. */
async function ofPipeline(settings: PipelineSettings, verb: string): Promise<string> {
  const { exchange, idTokenSource, pipelineKey } = await import('./pipeline-login.ts');
  const { address, team, caCert } = settings;
  const ca = caCert === undefined ? undefined : readPem(caCert);
  const login = { address, ca, team, source: idTokenSource(settings, process.env) };
  const key = pipelineKey(login);
  if (verb === 'forget') {
    forgetToken(key);
    return '';
  }
  const kept = keptToken(key, Date.now());
  if (kept && isFresh(kept, Date.now())) return `${JSON.stringify({ token: kept.token })}\n`;
  const given = await exchange(login);
  keepToken(key, given);
  return `${JSON.stringify({ token: given.token })}\n`;
}

function read(args: readonly string[]) {
  try {
    const options = { config: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [verb = '', host, ...rest] = positionals;
    if (!['get', 'store', 'forget'].includes(verb) || !host || rest.length > 0) throw usageError(USAGE);
    return { file: values.config, verb, host };
  } catch (error) {
    throw error instanceof CommandError ? error : usageError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** A token from elsewhere would stay on this disk. */
function storesNothing(host: string, settings: HostSettings | undefined): CommandError {
  const source = settings && (settings.by === 'pipeline' ? 'the pipeline token' : `the certificate ${settings.cert}`);
  const instead = source
    ? `the token for ${host} comes from ${source} when it is needed; you do not have to log in`
    : `no certificate is configured for ${host}. To log in there, remove the credentials helper from the CLI configuration`;
  return new CommandError(`nothing was stored: ${instead}`);
}

function readLogin({ address, cert, key, role, mount, caCert }: CertificateSettings): CertificateLogin {
  const ca = caCert === undefined ? undefined : readPem(caCert);
  return { address, ca, cert: readPem(cert), key: readPem(key), role, mount };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${(error as Error).message}`, EXIT.usage);
  }
}

/** The cache key includes certificate, role and mount, because each combination gets its own token. */
function keyOf({ address, cert, role, mount }: CertificateLogin): readonly string[] {
  return ['helper', address, createHash('sha256').update(cert).digest('hex'), mount, role];
}

/** Returns the cached token while it is valid, otherwise renews it, otherwise logs in again. */
async function tokenFor(login: CertificateLogin): Promise<string> {
  const key = keyOf(login);
  const now = Date.now();
  const kept = keptToken(key, now);
  if (kept && isFresh(kept, now)) return kept.token;
  // Loaded on demand: the usual call needs no network.
  const { logIn, renew } = await import('./certificate-login.ts');
  // Renewal extends the token of a command that is already running.
  const renewed = kept?.renewable ? await renew(login, kept.token).catch(() => undefined) : undefined;
  const given = renewed && isFresh(renewed.kept, Date.now()) ? renewed : await logIn(login);
  if (given.kept.ttl > 0) keepToken(key, given.kept);
  return given.kept.token;
}

/** A command reads its token once. So the token must have a third of its lifetime or one hour left. */
function isFresh({ expiresAt, ttl }: KeptToken, now: number): boolean {
  return expiresAt - now > Math.min(ttl / 3, HOUR);
}

/** Removes the token from the cache and revokes it at the server. */
async function forget(login: CertificateLogin): Promise<void> {
  const key = keyOf(login);
  const kept = keptToken(key, Date.now());
  forgetToken(key);
  if (!kept) return;
  const { createClient } = await import('../client/client.ts');
  const { address, ca, cert, key: privateKey } = login;
  const client = createClient({ address, ca, token: kept.token, certificate: { cert, key: privateKey } });
  // An unreachable server does not block removal: the token expires anyway.
  await client('POST', '/v1/auth/token/revoke-self').catch(() => undefined);
}

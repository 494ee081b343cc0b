import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostVariable } from '../../lib/engines/host-variable.ts';
import type { JobFolders } from '../isolation/isolation.ts';

/** The server of a job. The configuration may read the states of other workspaces from it. */
export interface OwnServer {
  /** URL of the server, for example `https://lockkeeper.example.com`. */
  readonly address: string;
  /** Token of the run; null for none. */
  readonly token: string | null;
  /** CA certificates for verifying the server, PEM; null for those of this machine. */
  readonly ca: string | null;
}

/** Files with the system's CA certificates, on common distributions. */
const TRUSTED = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Lets an engine authenticate to the server of its job.
 * @returns environment variables for the engine
 */
export function writeServerSettings(server: OwnServer, here: JobFolders, seen: JobFolders): Record<string, string> {
  return { ...writeTrust(server, here, seen), ...writeToken(server, here, seen) };
}

/** Adds the server's CA certificates to those of the system. */
function writeTrust({ ca }: OwnServer, here: JobFolders, seen: JobFolders): Record<string, string> {
  if (ca === null) return {};
  const system = TRUSTED.find((file) => existsSync(file));
  const all = [...(system === undefined ? [] : [readFileSync(system, 'utf8')]), ca];
  writeFileSync(join(here.told, 'trusted.pem'), all.join('\n'));
  return { SSL_CERT_FILE: `${seen.told}/trusted.pem` };
}

/**
 * Passes the token in an environment variable; if the URL has a port, in a file, because shells drop variables with
 * such a name.
 */
function writeToken({ address, token }: OwnServer, here: JobFolders, seen: JobFolders): Record<string, string> {
  if (token === null) return {};
  const variable = hostVariable(address);
  if (variable !== undefined) return { [variable]: token };
  const block = `credentials "${new URL(address).host}" {\n  token = "${token}"\n}\n`;
  writeFileSync(join(here.told, 'engine.tfrc'), block, { mode: 0o600 });
  return { TF_CLI_CONFIG_FILE: `${seen.told}/engine.tfrc` };
}

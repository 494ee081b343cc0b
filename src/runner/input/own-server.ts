import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostVariable } from '../../lib/engines/host-variable.ts';
import type { JobFolders } from '../isolation/isolation.ts';

/** The server of a job, of which its configuration may ask the states of other workspaces. */
export interface OwnServer {
  /** `https://lockkeeper.example.com` */
  readonly address: string;
  /** Of the run; null where it has none. */
  readonly token: string | null;
  /** PEM: whom the server is trusted by; null for those whom this machine trusts. */
  readonly ca: string | null;
}

/** Whom a machine trusts, on the usual systems. */
const TRUSTED = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Lets an engine talk to the server that its job came from.
 * @returns what the environment needs for that
 */
export function writeServerSettings(server: OwnServer, here: JobFolders, seen: JobFolders): Record<string, string> {
  return { ...writeTrust(server, here, seen), ...writeToken(server, here, seen) };
}

/** Beside whom it trusts anyway. */
function writeTrust({ ca }: OwnServer, here: JobFolders, seen: JobFolders): Record<string, string> {
  if (ca === null) return {};
  const system = TRUSTED.find((file) => existsSync(file));
  const all = [...(system === undefined ? [] : [readFileSync(system, 'utf8')]), ca];
  writeFileSync(join(here.told, 'trusted.pem'), all.join('\n'));
  return { SSL_CERT_FILE: `${seen.told}/trusted.pem` };
}

/** In the environment; where the address has a port it cannot stand there, since shells drop such a name. */
function writeToken({ address, token }: OwnServer, here: JobFolders, seen: JobFolders): Record<string, string> {
  if (token === null) return {};
  const variable = hostVariable(address);
  if (variable !== undefined) return { [variable]: token };
  const block = `credentials "${new URL(address).host}" {\n  token = "${token}"\n}\n`;
  writeFileSync(join(here.told, 'engine.tfrc'), block, { mode: 0o600 });
  return { TF_CLI_CONFIG_FILE: `${seen.told}/engine.tfrc` };
}

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { usageError } from '../errors/command-error.ts';

/** How to log in at a host: files by their paths. */
export interface HostSettings {
  readonly address: string;
  readonly cert: string;
  readonly key: string;
  readonly role: string;
  readonly mount: string;
  /** PEM: whom the server is trusted by. */
  readonly caCert: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const KEYS = ['cert', 'key', 'role', 'mount', 'ca_cert', 'address'] as const;
type HostFile = Partial<Record<(typeof KEYS)[number], string>>;

export const DEFAULT_MOUNT = 'cert';

/**
 * What a configuration file or else the environment says of a host; undefined for any other host, where the certificate is
 * never shown: the command lines ask for every host that they talk to.
 * @param host as the command lines write it: `example.com`, `example.com:8443`
 */
export function settingsFor(
  host: string,
  file: string | undefined,
  environment: Environment,
): HostSettings | undefined {
  const wanted = hostOf(`https://${host}`);
  if (wanted === undefined) throw usageError(`${JSON.stringify(host)} is not the name of a host`);
  return file === undefined ? fromEnvironment(wanted, environment) : fromFile(wanted, file);
}

function fromEnvironment(wanted: string, environment: Environment): HostSettings | undefined {
  const of = (...names: readonly string[]) => names.map((name) => environment[name]).find((value) => value);
  const address = of('LOCKKEEPER_ADDR', 'VAULT_ADDR');
  const cert = of('LOCKKEEPER_CERT', 'VAULT_CLIENT_CERT');
  if (address === undefined || cert === undefined || hostOf(address) !== wanted) return undefined;
  return {
    address,
    cert,
    key: of('LOCKKEEPER_KEY', 'VAULT_CLIENT_KEY') ?? cert,
    role: of('LOCKKEEPER_ROLE') ?? '',
    mount: of('LOCKKEEPER_MOUNT') ?? DEFAULT_MOUNT,
    caCert: of('LOCKKEEPER_CACERT', 'VAULT_CACERT'),
  };
}

function fromFile(wanted: string, file: string): HostSettings | undefined {
  const path = (name: string) => resolve(dirname(file), name);
  for (const [host, of] of Object.entries(hostsIn(file))) {
    if (hostOf(`https://${host}`) !== wanted) continue;
    if (!of.cert) throw usageError(`${file}: hosts.${host}.cert is missing; it names the file of the certificate`);
    return {
      address: of.address ?? `https://${wanted}`,
      cert: path(of.cert),
      key: path(of.key ?? of.cert),
      role: of.role ?? '',
      mount: of.mount ?? DEFAULT_MOUNT,
      caCert: of.ca_cert === undefined ? undefined : path(of.ca_cert),
    };
  }
  return undefined;
}

function hostsIn(file: string): Readonly<Record<string, HostFile>> {
  const { hosts } = parseFile(file);
  if (typeof hosts !== 'object' || hosts === null) throw usageError(`${file}: hosts is missing, or no object`);
  for (const [host, of] of Object.entries(hosts)) {
    for (const [key, value] of Object.entries(of ?? {})) {
      if (!KEYS.some((known) => known === key)) throw usageError(`${file}: hosts.${host}.${key} is not known`);
      if (typeof value !== 'string') throw usageError(`${file}: hosts.${host}.${key} is no text`);
    }
  }
  return hosts as Record<string, HostFile>;
}

function parseFile(file: string): { readonly hosts?: unknown } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    throw usageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** In one spelling, without the port that needs no mention. */
function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || url.host === '' || url.pathname !== '/' || url.username !== '' || url.search !== '')
    return undefined;
  return url.host;
}

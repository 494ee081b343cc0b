import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { usageError } from '../errors/command-error.ts';

interface Host {
  readonly address: string;
  /** CA certificates (PEM) that verify the server. */
  readonly caCert: string | undefined;
}

/** Certificate login of a machine: paths of its files. */
export interface CertificateSettings extends Host {
  readonly by: 'certificate';
  readonly cert: string;
  readonly key: string;
  readonly role: string;
  readonly mount: string;
}

/** Login of a pipeline with a token of its CI system. */
export interface PipelineSettings extends Host {
  readonly by: 'pipeline';
  /** Team ID, or `organization/team`. */
  readonly team: string;
  /** The token or its file. If absent, a token is requested from the CI system. */
  readonly idToken: string | undefined;
  readonly idTokenFile: string | undefined;
  /** Audience of the requested token. */
  readonly idTokenAudience: string;
}

/** Login method for a host. */
export type HostSettings = CertificateSettings | PipelineSettings;

type Environment = Readonly<Record<string, string | undefined>>;

const OF_PIPELINE = ['team', 'id_token_file', 'id_token_env', 'id_token_audience'] as const;
const KEYS = ['cert', 'key', 'role', 'mount', 'ca_cert', 'address', ...OF_PIPELINE] as const;
type HostFile = Partial<Record<(typeof KEYS)[number], string>>;

export const DEFAULT_MOUNT = 'cert';

/**
 * Returns the login method for a host, from the configuration file or else the environment. Undefined for other hosts,
 * so that they never get a certificate or token: `tofu` and `terraform` request credentials for every host that they
 * contact.
 * @param host as `tofu` and `terraform` write it: `example.com`, `example.com:8443`
 */
export function settingsFor(
  host: string,
  file: string | undefined,
  environment: Environment,
): HostSettings | undefined {
  const wanted = hostOf(`https://${host}`);
  if (wanted === undefined) throw usageError(`${JSON.stringify(host)} is not a host name`);
  return file === undefined ? fromEnvironment(wanted, environment) : fromFile(wanted, file, environment);
}

function fromEnvironment(wanted: string, environment: Environment): HostSettings | undefined {
  const of = (...names: readonly string[]) => names.map((name) => environment[name]).find((value) => value);
  const address = of('LOCKKEEPER_ADDR', 'VAULT_ADDR');
  const cert = of('LOCKKEEPER_CERT', 'VAULT_CLIENT_CERT');
  const team = of('LOCKKEEPER_TEAM');
  if (address === undefined || hostOf(address) !== wanted) return undefined;
  const host = { address, caCert: of('LOCKKEEPER_CACERT', 'VAULT_CACERT') };
  if (team !== undefined) {
    const [idToken, idTokenFile] = [of('LOCKKEEPER_ID_TOKEN'), of('LOCKKEEPER_ID_TOKEN_FILE')];
    const idTokenAudience = of('LOCKKEEPER_ID_TOKEN_AUDIENCE') ?? `https://${wanted}`;
    return { ...host, by: 'pipeline', team, idToken, idTokenFile, idTokenAudience };
  }
  if (cert === undefined) return undefined;
  return {
    ...host,
    by: 'certificate',
    cert,
    key: of('LOCKKEEPER_KEY', 'VAULT_CLIENT_KEY') ?? cert,
    role: of('LOCKKEEPER_ROLE') ?? '',
    mount: of('LOCKKEEPER_MOUNT') ?? DEFAULT_MOUNT,
  };
}

function fromFile(wanted: string, file: string, environment: Environment): HostSettings | undefined {
  const path = (name: string) => resolve(dirname(file), name);
  for (const [host, of] of Object.entries(hostsIn(file))) {
    if (hostOf(`https://${host}`) !== wanted) continue;
    const known = {
      address: of.address ?? `https://${wanted}`,
      caCert: of.ca_cert === undefined ? undefined : path(of.ca_cert),
    };
    if (of.team) {
      if (of.cert) throw usageError(`${file}: hosts.${host} has both cert and team; remove one of them`);
      return {
        ...known,
        by: 'pipeline',
        team: of.team,
        idToken: of.id_token_env === undefined ? undefined : (environment[of.id_token_env] ?? ''),
        idTokenFile: of.id_token_file === undefined ? undefined : path(of.id_token_file),
        idTokenAudience: of.id_token_audience ?? `https://${wanted}`,
      };
    }
    if (!of.cert) {
      throw usageError(`${file}: hosts.${host} has neither a certificate file (cert) nor a pipeline team (team)`);
    }
    return {
      ...known,
      by: 'certificate',
      cert: path(of.cert),
      key: path(of.key ?? of.cert),
      role: of.role ?? '',
      mount: of.mount ?? DEFAULT_MOUNT,
    };
  }
  return undefined;
}

function hostsIn(file: string): Readonly<Record<string, HostFile>> {
  const { hosts } = parseFile(file);
  if (typeof hosts !== 'object' || hosts === null) throw usageError(`${file}: hosts is missing or not an object`);
  for (const [host, of] of Object.entries(hosts)) {
    for (const [key, value] of Object.entries(of ?? {})) {
      if (!KEYS.some((known) => known === key))
        throw usageError(`${file}: hosts.${host}.${key} is not a known setting`);
      if (typeof value !== 'string') throw usageError(`${file}: hosts.${host}.${key} is not text`);
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

/** Returns the canonical host name, without the default port. */
function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || url.host === '' || url.pathname !== '/' || url.username !== '' || url.search !== '')
    return undefined;
  return url.host;
}

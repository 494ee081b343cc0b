import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Folders with engines and the tools that configurations call. They contain no data of the agent. */
const SYSTEM = ['/usr', '/nix/store'];
/** Entries of the root folder: folders, or links into `/usr`. */
const AT_ROOT = /^(bin|sbin|lib\w*)$/;
/**
 * Entries of `/etc` that programs need to resolve hosts and to verify TLS certificates. Folders that also contain
 * private keys must not be added.
 */
const SETTINGS = [
  ...['alternatives', 'ca-certificates', 'ca-certificates.conf', 'crypto-policies', 'gai.conf', 'host.conf', 'hosts'],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'mime.types', 'nsswitch.conf', 'protocols'],
  ...['resolv.conf', 'services', 'timezone'],
  ...['ssl/certs', 'ssl/cert.pem', 'ssl/ca-bundle.pem', 'ssl/openssl.cnf'],
  ...['pki/tls/certs', 'pki/tls/cert.pem', 'pki/tls/openssl.cnf', 'pki/ca-trust/extracted'],
].map((name) => join('/etc', name));

/** Returns the bubblewrap options that make the system readable. */
export function systemMounts(): string[] {
  return [
    ...SYSTEM.flatMap((folder) => readable(folder, folder)),
    ...atRoot().flatMap((path) => asItIs(path)),
    ...SETTINGS.flatMap((path) => readable(path, path)),
  ];
}

/**
 * Finds the first path that every run could read.
 * @param paths files and folders of this machine. A path that does not exist yet counts as part of its nearest existing
 *   parent.
 */
export function mountedIn(paths: readonly string[]): { readonly path: string; readonly mount: string } | undefined {
  const mounts = [...SYSTEM, ...atRoot(), ...SETTINGS].map((path) => [path, resolved(path)] as const);
  for (const path of paths) {
    const real = resolved(path);
    const mount = mounts.find(([, folder]) => real === folder || real.startsWith(`${folder}/`));
    if (mount) return { path, mount: mount[0] };
  }
  return undefined;
}

const atRoot = (): string[] =>
  readdirSync('/')
    .filter((name) => AT_ROOT.test(name))
    .map((name) => join('/', name));

/** Resolves symbolic links, as far as the path exists. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(resolved(folder), basename(path));
  }
}

function asItIs(path: string): string[] {
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : readable(path, path);
}

/** Mounts the target of a link, because a link itself cannot be mounted. */
function readable(path: string, as: string): string[] {
  try {
    return ['--ro-bind', realpathSync(path), as];
  } catch {
    return [];
  }
}

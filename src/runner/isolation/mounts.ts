import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** What engines and the tools that configurations call are made of. Nothing that an agent has of its own lies there. */
const SYSTEM = ['/usr', '/nix/store'];
/** At the root: folders, or links to those in `/usr`. */
const AT_ROOT = /^(bin|sbin|lib\w*)$/;
/** Of `/etc`, what programs need to find hosts and to trust them. */
const SETTINGS = [
  ...['alternatives', 'ca-certificates', 'ca-certificates.conf', 'crypto-policies', 'gai.conf', 'host.conf', 'hosts'],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'mime.types', 'nsswitch.conf', 'pki', 'protocols'],
  ...['resolv.conf', 'services', 'ssl', 'timezone'],
];

/** Options of bubblewrap that make the system readable. */
export function systemMounts(): string[] {
  const atRoot = readdirSync('/').filter((name) => AT_ROOT.test(name));
  return [
    ...SYSTEM.flatMap((folder) => readable(folder, folder)),
    ...atRoot.flatMap((name) => asItIs(join('/', name))),
    ...SETTINGS.flatMap((name) => readable(join('/etc', name), join('/etc', name))),
  ];
}

function asItIs(path: string): string[] {
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : readable(path, path);
}

/** What a link leads to may not be mounted itself. */
function readable(path: string, as: string): string[] {
  try {
    return ['--ro-bind', realpathSync(path), as];
  } catch {
    return [];
  }
}

import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packImage } from '../../../build/release/archives.ts';

const SOURCES = fileURLToPath(new URL('../../../deploy/image', import.meta.url));
const execute = promisify(execFile);

/** Run settings in the configuration of an image. */
export interface ImageConfig {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env?: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

/** An image that was built, and unpacked from its archive. */
export interface Image {
  readonly config: ImageConfig;
  /** Folder with the files of the image. */
  readonly root: string;
}

type Kind = 'server' | 'agent';

/**
 * Collects the files of an image, as an operator does.
 * @param program folder of the package
 */
export async function makeRootfs(folder: string, program: string, kind: Kind = 'server'): Promise<string> {
  cpSync(SOURCES, folder, { recursive: true });
  const tarball = join(folder, 'lockkeeper.tgz');
  // Without files that other users of the folder keep there.
  await execute('tar', ['-czf', tarball, '--transform', 's,^,package/,', '-C', program, 'dist', 'package.json']);
  const make = () =>
    execute('sh', [join(folder, 'rootfs.sh'), tarball, kind], { env: { ...process.env, NODE: process.execPath } });
  // The package lists may be a year old or missing.
  await make().catch(() => execute('apt-get', ['update', '-qq']).then(make));
  return join(folder, kind === 'server' ? 'rootfs.tar' : 'rootfs-agent.tar');
}

/** Builds the Containerfile of a folder as a release does, and unpacks it. */
export async function buildImage(folder: string, containerfile = 'Containerfile'): Promise<Image> {
  const archive = join(folder, 'image.tar');
  await packImage(folder, containerfile, 'localhost/lockkeeper:test', archive);
  const { stdout } = await execute('skopeo', ['inspect', '--config', '--raw', `docker-archive:${archive}`]);
  const layout = join(folder, 'layout');
  await execute('skopeo', ['copy', '--quiet', `docker-archive:${archive}`, `oci:${layout}:latest`]);
  await execute('umoci', ['unpack', '--image', `${layout}:latest`, join(folder, 'unpacked')]);
  return { config: (JSON.parse(stdout) as { config: ImageConfig }).config, root: join(folder, 'unpacked/rootfs') };
}

/** Folders of this machine by their path in the container; a path that ends in `:ro` is read-only. */
export type Mounts = Readonly<Record<string, string>>;

/**
 * Runs an image as its own user, with read-only files and without capabilities. Creates the namespaces itself, since
 * container engines need process groups and limits that a test machine may not have.
 * @returns a program and its arguments
 */
export function within({ root, config }: Image, mounts: Mounts, command: readonly string[]): readonly string[] {
  const [user = '', group = user] = config.User.split(':');
  const lines = [
    'set -e',
    `mount --bind ${root} ${root}`,
    ...Object.entries({ ...mounts, '/dev': '/dev:ro' }).flatMap(([to, from]) => {
      const [source, mode] = from.split(':');
      const bind = `mount --bind ${source} ${root}${to}`;
      return mode === 'ro' ? [bind, `mount -o remount,bind,ro ${root}${to}`] : [bind];
    }),
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -o remount,bind,ro ${root}`,
    `exec setpriv --no-new-privs env -i ${(config.Env ?? []).join(' ')} $(command -v chroot) --userspec=${user}:${group} --groups= ${root} "$@"`,
  ];
  return [
    ...['unshare', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child=SIGKILL'],
    ...['sh', '-c', lines.join('\n'), 'sh', ...command],
  ];
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export function run([program = '', ...args]: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
}

/** Folder that the user of the image owns. */
export async function ownedBy(user: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await execute('chown', ['-R', user, folder]);
  return folder;
}

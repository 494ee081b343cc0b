import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { create } from 'tar';

const IMAGES = fileURLToPath(new URL('../../deploy/image', import.meta.url));
/** Files in archives have this time, so that builds are reproducible. */
const EPOCH = new Date(0);

/** Compresses a file. The result has no name and no time. */
export async function compress(file: string, into: string): Promise<void> {
  await pipeline(createReadStream(file), createGzip(), createWriteStream(into));
}

/** Packs a Helm chart, as `helm package` does, but reproducibly. */
export async function packChart(chart: string, into: string): Promise<void> {
  const parent = dirname(chart);
  const files = globSync(`${basename(chart)}/**`, { cwd: parent, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(parent.length + 1))
    .sort();
  await create(
    {
      cwd: parent,
      file: into,
      gzip: { level: 9 },
      portable: true,
      mtime: EPOCH,
      onWriteEntry: (entry) => {
        if (entry.stat) entry.stat.mode = 0o100644;
      },
    },
    files,
  );
}

/**
 * Builds the image of the server or of agents for this machine's processor, as an archive that container engines load.
 * Needs Debian and buildah.
 * @param name of the image, with its tag
 */
export async function buildImage(tarball: string, kind: 'server' | 'agent', name: string, into: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'lockkeeper-image-'));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, NODE: process.execPath },
    });
  try {
    run('cp', '-R', `${IMAGES}/.`, work);
    run('sh', join(work, 'rootfs.sh'), tarball, kind);
    const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs'];
    const file = join(work, kind === 'server' ? 'Containerfile' : 'agent.Containerfile');
    // The OCI format has no health check.
    const format = ['--isolation', 'chroot', '--format', 'docker', '--timestamp', '0'];
    run('buildah', ...storage, 'build', '--quiet', ...format, '--tag', name, '--file', file, work);
    run('buildah', ...storage, 'push', '--quiet', name, `docker-archive:${join(work, 'image.tar')}:${name}`);
    await compress(join(work, 'image.tar'), into);
  } finally {
    rmSync(work, { recursive: true });
  }
}

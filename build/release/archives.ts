import { execFile } from 'node:child_process';
import { cpSync, createReadStream, createWriteStream, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { create } from 'tar';

const IMAGES = fileURLToPath(new URL('../../deploy/image', import.meta.url));
const run = promisify(execFile);
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
 * Builds the image of the server or of agents for this machine's processor, as a compressed archive that container
 * engines load. Needs Debian and buildah.
 * @param name of the image, with its tag
 */
export async function buildImage(tarball: string, kind: 'server' | 'agent', name: string, into: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'lockkeeper-image-'));
  try {
    cpSync(IMAGES, work, { recursive: true });
    const env = { ...process.env, NODE: process.execPath };
    await run('sh', [join(work, 'rootfs.sh'), tarball, kind], { env });
    const archive = join(work, 'image.tar');
    await packImage(work, kind === 'server' ? 'Containerfile' : 'agent.Containerfile', name, archive);
    await compress(archive, into);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/**
 * Builds a Containerfile without a daemon, as an archive that container engines load. Equal files give equal bytes.
 * @param folder with the Containerfile and the root file system. Gets temporary files, too
 */
export async function packImage(folder: string, containerfile: string, name: string, into: string): Promise<void> {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  // The OCI format has no health check.
  const format = ['--isolation', 'chroot', '--format', 'docker', '--timestamp', '0'];
  const file = ['--file', join(folder, containerfile)];
  await run('buildah', [...storage, 'build', '--quiet', ...format, '--tag', name, ...file, folder]);
  await run('buildah', [...storage, 'push', '--quiet', name, `docker-archive:${into}:${name}`]);
}

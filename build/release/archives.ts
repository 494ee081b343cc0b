import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  createReadStream,
  createWriteStream,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { create, extract, type WriteEntry } from 'tar';

const IMAGES = fileURLToPath(new URL('../../deploy/image', import.meta.url));
const run = promisify(execFile);
/** Archives have no users, one time, and one mode for all files. */
const REPRODUCIBLE = {
  portable: true,
  mtime: new Date(0),
  onWriteEntry: ({ stat }: WriteEntry) => {
    if (stat) stat.mode = 0o100644;
  },
};

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
      ...REPRODUCIBLE,
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
  const built = mkdtempSync(join(folder, 'built-'));
  const archive = join(built, 'archive.tar');
  await run('buildah', [...storage, 'push', '--quiet', name, `docker-archive:${archive}:${name}`]);
  await extract({ file: archive, cwd: built });
  await packArchive(built, into);
  rmSync(built, { recursive: true });
}

/**
 * Packs an unpacked image again, without the random names that buildah gives to the container that it built the image in.
 * @see https://github.com/moby/docker-image-spec, image JSON and `manifest.json`
 */
async function packArchive(folder: string, into: string): Promise<void> {
  const at = (name: string) => join(folder, name);
  const [image] = JSON.parse(readFileSync(at('manifest.json'), 'utf8')) as [{ Config: string; Layers: string[] }];
  const { container: _, ...config } = JSON.parse(readFileSync(at(image.Config), 'utf8'));
  for (const settings of [config.config, config.container_config]) delete settings?.Hostname;
  const text = JSON.stringify(config);
  const named = `${createHash('sha256').update(text).digest('hex')}.json`;
  writeFileSync(at(named), text);
  writeFileSync(at('manifest.json'), JSON.stringify([{ ...image, Config: named }]));
  await create({ cwd: folder, file: into, ...REPRODUCIBLE }, ['manifest.json', named, ...image.Layers]);
}

/**
 * Builds a single executable from the package and Node.js: `npm run build:executable` writes it to `executable/` for
 * this machine's processor. The build is reproducible. For Linux.
 * @see https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { type Architecture, nodeFor } from './release/node.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** Marker at which Node.js looks for the embedded program. */
const PLACE = ['NODE_SEA_BLOB', '--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'];

/**
 * @param folder with the `package.json` of the program, and `dist`
 * @param into output file
 */
export async function makeExecutable(
  folder: string,
  into: string,
  architecture = process.arch as Architecture,
): Promise<void> {
  const node = nodeFor(architecture);
  const work = mkdtempSync(join(tmpdir(), 'lockkeeper-executable-'));
  try {
    await bundleStart(join(work, 'start.cjs'));
    const contents = contentsOf(folder, node.license);
    writeFileSync(join(work, 'id'), idOf(contents));
    const assets = { ...contents, id: join(work, 'id') };
    // The blob contains the script's path, so the path is relative.
    const settings = { main: 'start.cjs', output: 'blob', disableExperimentalSEAWarning: true, assets };
    writeFileSync(join(work, 'settings.json'), JSON.stringify(settings));
    await run(process.execPath, ['--experimental-sea-config', 'settings.json'], { cwd: work });
    mkdirSync(dirname(into), { recursive: true });
    copyFileSync(node.program, into);
    chmodSync(into, 0o755);
    const [name = '', ...more] = PLACE;
    await run(process.execPath, [
      join(ROOT, 'node_modules/postject/dist/cli.js'),
      into,
      name,
      join(work, 'blob'),
      ...more,
    ]);
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function bundleStart(into: string): Promise<void> {
  const start = await rolldown({ cwd: ROOT, input: 'src/executable/start.ts', platform: 'node' });
  await start.write({ file: into, format: 'cjs', comments: false });
  await start.close();
}

/** Maps names to the paths of the embedded files. Type declarations are left out. */
function contentsOf(folder: string, license: string): Readonly<Record<string, string>> {
  const files = globSync('dist/**', { cwd: folder, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map((one) => join(one.parentPath, one.name)).filter((path) => !path.endsWith('.d.ts'));
  const named = ['package.json', ...paths.map((path) => path.slice(join(folder, '/').length)).sort()];
  return {
    ...Object.fromEntries(named.map((name) => [name, join(folder, name)])),
    'dist/NODE-LICENSE.txt': license,
  };
}

/** Hash of these files only. */
function idOf(contents: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256');
  for (const [name, path] of Object.entries(contents)) {
    const bytes = readFileSync(path);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

if (import.meta.main) await makeExecutable(ROOT, join(ROOT, 'executable/lockkeeper'));

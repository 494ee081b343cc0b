import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** Sources of the package. */
const SOURCES = [
  ...['build', 'console', 'src', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['CHANGELOG.md', 'LICENSE', 'README.md'],
];

/** Builds the package from a copy in another folder, with another umask, locale and time zone. */
export async function buildElsewhere(env: NodeJS.ProcessEnv): Promise<Buffer> {
  const copy = mkdtempSync(join(tmpdir(), 'lockkeeper-elsewhere-'));
  try {
    const packages = readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== '.cache');
    mkdirSync(join(copy, 'node_modules'));
    await run('cp', ['-R', ...SOURCES, copy], { cwd: ROOT });
    await run('cp', ['-RP', ...packages, join(copy, 'node_modules')], { cwd: join(ROOT, 'node_modules') });
    rmSync(join(copy, 'console/dist'), { recursive: true, force: true });
    const habits = { ...env, HOME: copy, TZ: 'Pacific/Auckland', LC_ALL: 'C' };
    await run('sh', ['-c', 'umask 077 && npm pack --pack-destination .'], { cwd: copy, env: habits });
    const [name = ''] = readdirSync(copy).filter((file) => file.endsWith('.tgz'));
    return readFileSync(join(copy, name));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

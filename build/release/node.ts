import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/lockkeeper-node');

/** Names of processors as Node.js spells them. */
export const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** A Node.js for Linux. */
export interface NodeBinary {
  readonly program: string;
  readonly license: string;
}

/**
 * Returns the running Node.js for its own processor, and the one of the lock file for another processor.
 * @throws Error if the registry has other bytes than the lock file
 */
export function nodeFor(architecture: Architecture): NodeBinary {
  if (architecture !== process.arch) return fetched(architecture);
  // `npm install` removes the license that `npm ci` has installed.
  const [license] = globSync('node_modules/node/node_modules/node-*/LICENSE', { cwd: ROOT });
  return {
    program: process.execPath,
    license: license === undefined ? fetched(architecture).license : join(ROOT, license),
  };
}

function fetched(architecture: Architecture): NodeBinary {
  const lockFile = join(ROOT, `build/release/node-${architecture}.json`);
  const { package: name, version, integrity } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const folder = join(CACHE, `${name}-${version}`);
  const archive = join(folder, `${name}-${version}.tgz`);
  mkdirSync(folder, { recursive: true });
  if (!readdirSync(folder).includes(`${name}-${version}.tgz`)) {
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (hash !== integrity) {
    rmSync(archive);
    throw new Error(
      `${name}@${version} of the registry is ${hash}, and must be ${integrity} (${lockFile.slice(ROOT.length)}).`,
    );
  }
  execFileSync('tar', ['-xzf', archive, '-C', folder, 'package/bin/node', 'package/LICENSE']);
  return { program: join(folder, 'package/bin/node'), license: join(folder, 'package/LICENSE') };
}

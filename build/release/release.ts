/**
 * `npm run release -- [--into FOLDER] [--public-key TEXT] [--repository URL] [--builder URL] [--without-images] [FILE]…`
 * builds a release into a new folder (`release`): the npm package, executables, image archives, charts, the bill of
 * materials, the installer, provenance and checksums. The installer verifies releases with the public key. `sign.ts` signs
 * the checksums, elsewhere: a build runs the code of its dependencies, which must not see the key. The files are part of
 * the release, too: images for other processors. Equal commits give equal bytes; images also depend on Debian's packages.
 * docs/operations/release.md describes all of it.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeExecutable } from '../executable.ts';
import { buildImage, compress, packChart } from './archives.ts';
import { installer } from './installer.ts';
import { ARCHITECTURES } from './node.ts';
import { checksums, provenance, type Source } from './statement.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGES = [
  { kind: 'server', name: 'lockkeeper' },
  { kind: 'agent', name: 'lockkeeper-agent' },
] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    into: { type: 'string', default: 'release' },
    'public-key': { type: 'string' },
    repository: { type: 'string' },
    builder: { type: 'string', default: 'urn:lockkeeper:builder:unnamed' },
    'without-images': { type: 'boolean', default: false },
  },
});

try {
  await release(resolve(values.into));
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function release(into: string): Promise<void> {
  if (existsSync(into) && readdirSync(into).length > 0) throw new Error(`${into} is not empty. Delete it first.`);
  const key = values['public-key'];
  const source = sourceOf(key !== undefined);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  mkdirSync(into, { recursive: true });
  const at = (name: string) => join(into, name);

  execFileSync('npm', ['pack', '--silent', '--pack-destination', into], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  copyFileSync(join(ROOT, 'dist/sbom.cdx.json'), at(`lockkeeper-${version}.cdx.json`));
  await executables(at, version);
  if (!values['without-images']) {
    for (const { kind, name } of IMAGES) {
      const archive = at(`${name}-${version}-image-${process.arch}.tar.gz`);
      await buildImage(at(`lockkeeper-${version}.tgz`), kind, `${name}:${version}`, archive);
    }
  }
  for (const { name } of IMAGES) await packChart(join(ROOT, 'deploy/helm', name), at(`${name}-chart-${version}.tgz`));
  for (const file of positionals) copyFileSync(file, at(basename(file)));
  const script = installer({ version, repository: values.repository, key });
  writeFileSync(at('install.sh'), script, { mode: 0o755 });
  const build = { version, source, node: process.versions.node, builder: values.builder };
  writeFileSync(at(`lockkeeper-${version}.provenance.json`), provenance(into, build));
  writeFileSync(at('SHA256SUMS'), checksums(into));
  console.log(`${into}\n${readFileSync(at('SHA256SUMS'), 'utf8')}not signed: build/release/sign.ts signs it`);
}

/** Builds the executables from the package that was just built. */
async function executables(at: (name: string) => string, version: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'lockkeeper-release-'));
  try {
    for (const architecture of ARCHITECTURES) {
      const file = join(work, architecture);
      await makeExecutable(ROOT, file, architecture);
      await compress(file, at(`lockkeeper-${version}-linux-${architecture}.gz`));
    }
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** @throws Error for uncommitted changes if the release will be signed */
function sourceOf(isSigned: boolean): Source {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain') !== '';
  if (isSigned && isChanged)
    throw new Error('There are uncommitted changes, and a signed release is built from a commit. Commit them.');
  return { repository: values.repository, commit: git('rev-parse', 'HEAD'), isChanged };
}

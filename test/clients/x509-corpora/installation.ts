import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadModule, output, run } from '../../support/machine/installed.ts';
import { inputsIn } from './inputs.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CRATES = ['cms', 'rpki', 'webpki', 'x509-cert', 'x509-certificate', 'x509-ocsp', 'x509-parser'];
/** Python packages, keyed by the prefix of their input names: the package, and its folder with the inputs. */
const PYTHON_PACKAGES = {
  pyca: ['cryptography-vectors', 'cryptography_vectors/x509'],
  asn1crypto: ['asn1crypto-tests', 'asn1crypto_tests'],
  pyhanko: ['pyhanko-certvalidator', 'pyhanko_certvalidator-*'],
  certifi: ['certifi', 'certifi'],
  'icp-brasil': ['certifi-icpbr', 'certifi_icpbr-*'],
} as const;

/**
 * Files that define the installation, relative to `test/clients`. A change of one of them causes a new installation.
 */
export const CORPUS_FILES: readonly string[] = globSync(
  ['modules/*.json', 'go/*', 'python/*.txt', 'rust/*', '{inputs,outline,installation}.ts'],
  { cwd: HERE },
)
  .sort()
  .map((file) => `x509-corpora/${file}`);

/**
 * Downloads packages that contain certificates, CRLs and OCSP responses, and writes these to one file
 * (`inputs.jsonl`). Builds the readers for the comparison: a Go program, and a Python with pyca/cryptography.
 */
export function installCorpora(folder: string): void {
  const packages = join(folder, 'packages');
  mkdirSync(packages);
  run('python3', ['-m', 'venv', 'venv'], folder);
  const corpora = { ...modules(), ...goItself(), ...pythonPackages(packages), ...crates(packages) };
  const folders = Object.fromEntries(Object.entries(corpora).map(([name, corpus]) => [name, corpus.folder]));
  const labels = Object.fromEntries(Object.entries(corpora).map(([name, corpus]) => [name, corpus.label]));
  writeFileSync(join(folder, 'corpora.json'), JSON.stringify(labels));
  const lines = inputsIn(folders).map(({ kind, name, der }) =>
    JSON.stringify({ kind, name, der: der.toString('base64') }),
  );
  writeFileSync(join(folder, 'inputs.jsonl'), `${lines.join('\n')}\n`);
  rmSync(packages, { recursive: true });
  run('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(folder, 'go-reader'), '.'], join(HERE, 'go'), {
    CGO_ENABLED: '0',
  });
  run('venv/bin/pip', ['install', ...locked('requirements.txt')], folder);
}

/** Corpora, keyed by the prefix of their input names. */
type Corpora = Readonly<Record<string, { readonly label: string; readonly folder: string }>>;

function modules(): Corpora {
  const files = globSync('modules/*.json', { cwd: HERE }).sort();
  return Object.fromEntries(
    files.map((file) => {
      const { path, version } = JSON.parse(readFileSync(join(HERE, file), 'utf8'));
      return [basename(file, '.json'), { label: `${path} ${version}`, folder: downloadModule(join(HERE, file)) }];
    }),
  );
}

/** Returns the tests of the Go installation, which include PKITS. */
function goItself(): Corpora {
  const label = `Go ${output('go', ['env', 'GOVERSION'], HERE).replace('go', '')}, its own tests`;
  return { go: { label, folder: join(output('go', ['env', 'GOROOT'], HERE), 'src/crypto') } };
}

function pythonPackages(packages: string): Corpora {
  const folder = join(packages, 'python');
  mkdirSync(folder);
  // Source packages are built with tools that are installed as wheels.
  for (const [file, ...form] of [
    ['wheels.txt', '--only-binary', ':all:'],
    ['sources.txt', '--no-binary', 'pyhanko-certvalidator,certifi-icpbr'],
  ] as const) {
    run('../../venv/bin/pip', ['download', ...locked(file), '--no-deps', ...form, '--dest', folder], folder);
  }
  for (const wheel of globSync('*.whl', { cwd: folder })) run('python3', ['-m', 'zipfile', '-e', wheel, '.'], folder);
  for (const source of globSync('*.tar.gz', { cwd: folder })) run('tar', ['-xzf', source], folder);
  const locks = ['wheels.txt', 'sources.txt'].map((file) => readFileSync(join(HERE, 'python', file), 'utf8')).join('');
  return Object.fromEntries(
    Object.entries(PYTHON_PACKAGES).map(([name, [distribution, pattern]]) => {
      const version = new RegExp(`^${distribution}==(\\S+)`, 'm').exec(locks)?.[1];
      const [found = pattern] = globSync(pattern, { cwd: folder });
      return [name, { label: `${distribution} ${version} (PyPI)`, folder: join(folder, found) }];
    }),
  );
}

function locked(file: string): string[] {
  return ['--quiet', '--require-hashes', '--requirement', join(HERE, 'python', file)];
}

/** Cargo needs its own writable folder. */
function crates(packages: string): Corpora {
  const project = join(packages, 'rust');
  cpSync(join(HERE, 'rust'), project, { recursive: true });
  run('cargo', ['vendor', '--quiet', '--locked', '--versioned-dirs', 'crates'], project);
  return Object.fromEntries(
    CRATES.map((crate) => {
      const [found = crate] = globSync(`${crate}-[0-9]*`, { cwd: join(project, 'crates') });
      return [crate, { label: `${found.replace(/-(?=\d)/, ' ')} (crates.io)`, folder: join(project, 'crates', found) }];
    }),
  );
}

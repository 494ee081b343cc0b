import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadModule, output, run } from '../../support/machine/installed.ts';
import { inputsIn } from './inputs.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CRATES = [
  'cms',
  'rpki',
  'rustls-webpki',
  'webpki',
  'x509-cert',
  'x509-certificate',
  'x509-ocsp',
  'x509-parser',
];

/** Files that say what is installed, by their place below `test/clients`: when one changes, all is installed again. */
export const CORPUS_FILES: readonly string[] = globSync(
  ['modules/*.json', 'go/*', 'python/*.txt', 'rust/*', '{inputs,outline,installation}.ts'],
  { cwd: HERE },
)
  .sort()
  .map((file) => `x509-corpora/${file}`);

/**
 * Gets packages that have certificates, CRLs and OCSP responses in them, keeps those in one file (`inputs.jsonl`), and makes the
 * readers that they are compared with: a program in Go, and a Python with pyca/cryptography.
 */
export function installCorpora(folder: string): void {
  const packages = join(folder, 'packages');
  mkdirSync(packages);
  const corpora = { ...modules(), ...goItself(), ...pythonPackages(packages), ...crates(packages) };
  const lines = inputsIn(corpora).map(({ kind, name, der }) =>
    JSON.stringify({ kind, name, der: der.toString('base64') }),
  );
  writeFileSync(join(folder, 'inputs.jsonl'), `${lines.join('\n')}\n`);
  rmSync(packages, { recursive: true });
  run('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(folder, 'go-reader'), '.'], join(HERE, 'go'), {
    CGO_ENABLED: '0',
  });
  run('python3', ['-m', 'venv', 'venv'], folder);
  const lock = ['--quiet', '--require-hashes', '--requirement', join(HERE, 'python/requirements.txt')];
  run('venv/bin/pip', ['install', ...lock], folder);
}

type Corpora = Readonly<Record<string, string>>;

function modules(): Corpora {
  const files = globSync('modules/*.json', { cwd: HERE }).sort();
  return Object.fromEntries(files.map((file) => [basename(file, '.json'), downloadModule(join(HERE, file))]));
}

/** Go's own tests come with it, PKITS among them. */
function goItself(): Corpora {
  return { go: join(output('go', ['env', 'GOROOT'], HERE), 'src/crypto') };
}

function pythonPackages(packages: string): Corpora {
  const folder = join(packages, 'python');
  mkdirSync(folder);
  for (const [file, form] of [
    ['wheels.txt', '--only-binary'],
    ['sources.txt', '--no-binary'],
  ] as const) {
    const lock = ['--quiet', '--require-hashes', '--requirement', join(HERE, 'python', file)];
    run('python3', ['-m', 'pip', 'download', ...lock, '--no-deps', form, ':all:', '--dest', folder], folder);
  }
  for (const wheel of globSync('*.whl', { cwd: folder })) run('python3', ['-m', 'zipfile', '-e', wheel, '.'], folder);
  for (const source of globSync('*.tar.gz', { cwd: folder })) run('tar', ['-xzf', source], folder);
  const named = (pattern: string): string => join(folder, globSync(pattern, { cwd: folder })[0] ?? pattern);
  return {
    pyca: named('cryptography_vectors/x509'),
    asn1crypto: named('asn1crypto_tests'),
    pyhanko: named('pyhanko_certvalidator-*'),
    certifi: named('certifi'),
    'icp-brasil': named('certifi_icpbr-*'),
  };
}

/** Cargo wants a folder of its own to write to. */
function crates(packages: string): Corpora {
  const project = join(packages, 'rust');
  cpSync(join(HERE, 'rust'), project, { recursive: true });
  run('cargo', ['vendor', '--quiet', '--locked', 'crates'], project);
  return Object.fromEntries(CRATES.map((crate) => [crate, join(project, 'crates', crate)]));
}

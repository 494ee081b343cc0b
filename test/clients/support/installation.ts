import { cpSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildModule, installOnce, output, run } from '../../support/machine/installed.ts';
import { CORPUS_FILES, installCorpora } from '../x509-corpora/installation.ts';
import { ENGINE_FILES, installEngines } from './engines.ts';

const CLIENTS = fileURLToPath(new URL('..', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/lockkeeper-clients', import.meta.url));

const PLATFORM = `linux_${process.arch === 'x64' ? 'amd64' : process.arch}`;

/** Module of Gitea, whose folder has the templates of its pages. */
export const GITEA_MODULE = join(CLIENTS, 'gitea/module.json');

/** Path of each client after its installation. */
export const installed = {
  hvac: join(CACHE, 'hvac'),
  pytfe: join(CACHE, 'pytfe'),
  nodeVault: join(CACHE, 'node-vault'),
  goTfe: join(CACHE, 'go-tfe'),
  goTfeV2: join(CACHE, 'go-tfe-v2'),
  tofu: join(CACHE, 'tofu'),
  s3: join(CACHE, 's3'),
  nullProvider: join(CACHE, 'null-provider'),
  vault: join(CACHE, 'vault'),
  springVault: join(CACHE, 'spring-vault'),
  ansible: join(CACHE, 'ansible'),
  consulTemplate: join(CACHE, 'consul-template'),
  engines: join(CACHE, 'engines'),
  x509Corpora: join(CACHE, 'x509-corpora'),
  tfeProvider: join(CACHE, 'tfe-provider'),
  vaultProvider: join(CACHE, 'vault-provider'),
  gitea: join(CACHE, 'gitea'),
};

/**
 * Installs the clients before their tests, each with its own package manager and its lock file with versions and
 * hashes. Installed clients stay until the lock file changes.
 */
export default function install(): void {
  once(installed.hvac, 'hvac/requirements.txt', installHvac);
  once(installed.pytfe, 'pytfe/requirements.txt', installPytfe);
  once(installed.nodeVault, 'node-vault/package-lock.json', installNodeVault);
  once(installed.goTfe, 'go-tfe/go.sum', installGoTfe);
  // Their first build uses all cores for minutes: CLIENTS_WITHOUT=tofu,gitea skips them.
  if (!isLeftOut('gitea')) once(installed.gitea, 'gitea/module.json', installGitea);
  if (!isLeftOut('tofu')) {
    once(installed.tofu, 'tofu/module.json', installTofu);
    once(installed.engines, ENGINE_FILES, installEngines);
    once(installed.tfeProvider, 'tfe-provider/module.json', installTfeProvider);
    once(installed.vaultProvider, 'vault-provider/module.json', installVaultProvider);
  }
  once(installed.s3, 's3/module.json', installS3Server);
  once(installed.nullProvider, ['null-provider/go.sum', 'null-provider/main.go'], installNullProvider);
  once(installed.vault, ['vault/go.sum', 'vault/main.go'], installVault);
  once(installed.springVault, ['spring-vault/pom.xml', 'spring-vault/Cases.java'], installSpringVault);
  once(installed.ansible, 'ansible/requirements.txt', installAnsible);
  once(installed.consulTemplate, 'consul-template/module.json', installConsulTemplate);
  once(installed.x509Corpora, CORPUS_FILES, installCorpora);
  once(installed.goTfeV2, 'go-tfe-v2/go.sum', installGoTfeV2);
  run('go', ['mod', 'download'], join(CLIENTS, 'go'));
}

/** Returns whether a client whose build takes long is left out. */
export function isLeftOut(client: 'gitea' | 'tofu'): boolean {
  return (process.env.CLIENTS_WITHOUT ?? '').split(',').includes(client);
}

function once(folder: string, lockFile: string | readonly string[], install: (folder: string) => void): void {
  installOnce(
    folder,
    [lockFile].flat().map((file) => join(CLIENTS, file)),
    install,
  );
}

/**
 * The tests of hvac are part of its source package. Their certificates have expired, so the script that created them
 * runs again.
 */
function installHvac(folder: string): void {
  const lock = ['--quiet', '--require-hashes', '--requirement', join(CLIENTS, 'hvac/requirements.txt')];
  run('python3', ['-m', 'venv', 'venv'], folder);
  run('venv/bin/pip', ['install', ...lock], folder);
  run('venv/bin/pip', ['download', ...lock, '--no-deps', '--no-binary', 'hvac', '--dest', 'packages'], folder);
  const [source = ''] = globSync('packages/hvac-*.tar.gz', { cwd: folder });
  run('tar', ['-xzf', source, '--strip-components=1', '--wildcards', 'hvac-*/tests'], folder);
  run('bash', ['tests/scripts/generate_test_cert.sh'], folder);
}

function installPytfe(folder: string): void {
  run('python3', ['-m', 'venv', 'venv'], folder);
  const lock = ['--quiet', '--require-hashes', '--requirement', join(CLIENTS, 'pytfe/requirements.txt')];
  run('venv/bin/pip', ['install', ...lock], folder);
}

function installNodeVault(folder: string): void {
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(CLIENTS, 'node-vault', file), join(folder, file));
  run('npm', ['ci', '--no-audit', '--no-fund'], folder);
}

/** The tests of a Go module are part of it. They run in a copy, since the module cache is read-only. */
function installGoTfe(folder: string): void {
  const module = 'github.com/hashicorp/go-tfe';
  run('go', ['mod', 'download'], join(CLIENTS, 'go-tfe'));
  const source = output('go', ['list', '-m', '-f', '{{.Dir}}', module], join(CLIENTS, 'go-tfe'));
  run('cp', ['-R', '--no-preserve=mode', `${source}/.`, folder], folder);
  run('go', ['mod', 'download'], folder);
}

/** Compiles a thousand generated files, which Go caches. */
function installGoTfeV2(): void {
  run('go', ['mod', 'download'], join(CLIENTS, 'go-tfe-v2'));
  run('go', ['build', 'github.com/hashicorp/go-tfe/v2/api/...'], join(CLIENTS, 'go-tfe-v2'));
}

/** OpenTofu's go.mod replaces a module, which `go install` refuses, so the build runs in the module's own folder. */
function installTofu(folder: string): void {
  const flags = '-s -w -X github.com/opentofu/opentofu/version.dev=no';
  buildModule(join(CLIENTS, 'tofu/module.json'), './cmd/tofu', join(folder, 'tofu'), flags);
}

/** A Git server with pull requests and webhooks. Its database is a C library. Its speed matters less than its build. */
function installGitea(folder: string): void {
  const options = { tags: 'sqlite sqlite_unlock_notify', isUnoptimized: true };
  buildModule(GITEA_MODULE, '.', join(folder, 'gitea'), '-s -w', options);
}

/** An S3 server that stores objects in a directory. */
function installS3Server(folder: string): void {
  buildModule(join(CLIENTS, 's3/module.json'), './cmd/versitygw', join(folder, 'versitygw'), '-s -w');
}

/** The official tfe provider, in the layout of an engine's filesystem mirror. */
function installTfeProvider(folder: string): void {
  const lockFile = join(CLIENTS, 'tfe-provider/module.json');
  const version = JSON.parse(readFileSync(lockFile, 'utf8')).version.slice(1);
  const place = join(folder, 'registry.opentofu.org/hashicorp/tfe', version, PLATFORM);
  buildModule(lockFile, '.', join(place, `terraform-provider-tfe_v${version}`), '-s -w');
}

/**
 * The official vault provider, in the layout of an engine's filesystem mirror. The path of its Go module lacks the
 * major version, so that Go knows its releases only by their commits.
 */
function installVaultProvider(folder: string): void {
  const lockFile = join(CLIENTS, 'vault-provider/module.json');
  const { release } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const place = join(folder, 'registry.opentofu.org/hashicorp/vault', release, PLATFORM);
  buildModule(lockFile, '.', join(place, `terraform-provider-vault_v${release}`), '-s -w');
}

/** Our own provider, in the layout of an engine's filesystem mirror. */
function installNullProvider(folder: string): void {
  const program = join(folder, 'terraform-provider-null');
  run('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', program, '.'], join(CLIENTS, 'null-provider'), {
    CGO_ENABLED: '0',
  });
  for (const registry of ['registry.opentofu.org', 'registry.terraform.io']) {
    const place = join(folder, registry, 'hashicorp/null/3.2.4', PLATFORM);
    mkdirSync(place, { recursive: true });
    cpSync(program, join(place, 'terraform-provider-null_v3.2.4'));
  }
}

/**
 * Parts of Vault in a small program: the full server has a hundred more, which take long to build. Vault's go.mod
 * replaces another module by a folder that its package lacks, and the published module lacks functions for key export
 * (BYOK), so the build uses a copy without that export.
 */
function installVault(folder: string): void {
  cpSync(join(CLIENTS, 'vault'), join(folder, 'source'), { recursive: true });
  const source = join(folder, 'source');
  const module = 'github.com/hashicorp/vault';
  run('go', ['mod', 'download', module], source);
  const original = output('go', ['list', '-m', '-f', '{{.Dir}}', module], source);
  run('cp', ['-R', '--no-preserve=mode', original, join(folder, 'module')], folder);
  const transit = join(folder, 'module/builtin/logical/transit');
  for (const file of ['path_byok.go', 'path_byok_test.go']) rmSync(join(transit, file), { force: true });
  run('sed', ['-i', '/b.pathBYOKExportKeys(),/d', join(transit, 'backend.go')], folder);
  run('go', ['mod', 'edit', '-replace', `${module}=../module`], source);
  const flags = ['-trimpath', '-ldflags', '-s -w', '-o', join(folder, 'vault')];
  run('go', ['build', ...flags, '.'], source, { CGO_ENABLED: '0' });
  rmSync(join(folder, 'module'), { recursive: true });
}

/** Maven fetches the libraries; the cases are compiled against them. */
function installSpringVault(folder: string): void {
  for (const file of ['pom.xml', 'Cases.java']) cpSync(join(CLIENTS, 'spring-vault', file), join(folder, file));
  run('mvn', ['--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], folder);
  run('javac', ['-d', 'classes', '-cp', 'lib/*', 'Cases.java'], folder);
}

/** The Vault collection is in a package with a hundred others, which are deleted. */
function installAnsible(folder: string): void {
  const lock = ['--quiet', '--require-hashes', '--requirement'];
  run('python3', ['-m', 'venv', 'venv'], folder);
  run('venv/bin/pip', ['install', ...lock, join(CLIENTS, 'ansible/requirements.txt')], folder);
  run(
    'venv/bin/pip',
    ['download', ...lock, join(CLIENTS, 'ansible/collections.txt'), '--no-deps', '--dest', '.'],
    folder,
  );
  const [wheel = ''] = globSync('ansible-*.whl', { cwd: folder });
  run('python3', ['-m', 'zipfile', '--extract', wheel, 'all'], folder);
  mkdirSync(join(folder, 'collections/ansible_collections/community'), { recursive: true });
  run('mv', ['all/ansible_collections/community/hashi_vault', 'collections/ansible_collections/community/'], folder);
  rmSync(join(folder, 'all'), { recursive: true });
  rmSync(join(folder, wheel));
}

function installConsulTemplate(folder: string): void {
  buildModule(join(CLIENTS, 'consul-template/module.json'), '.', join(folder, 'consul-template'), '-s -w');
}

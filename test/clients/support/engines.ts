import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildModule, downloadModule, run } from '../../support/machine/installed.ts';
import opentofu from '../engines/opentofu.json' with { type: 'json' };
import terraform from '../engines/terraform.json' with { type: 'json' };

const versionOf = ({ version }: { readonly version: string }): string => version.slice(1);

/** Engines with ephemeral variables. The OpenTofu of the command line does not support them. */
export const ENGINES = [
  { kind: 'opentofu', version: versionOf(opentofu), program: 'tofu' },
  { kind: 'terraform', version: versionOf(terraform), program: 'terraform' },
] as const;

/** Files with the version and hash of each engine, relative to the clients' folder. */
export const ENGINE_FILES = ['engines/opentofu.json', 'engines/terraform.json'];

const fileOf = (kind: string): string => fileURLToPath(new URL(`../engines/${kind}.json`, import.meta.url));
const FLAGS = '-s -w -X PACKAGE/version.dev=no';

/** Builds the engines into an engine folder for an agent. */
export function installEngines(folder: string): void {
  for (const { kind, version, program } of ENGINES) {
    const place = join(folder, kind, version, program);
    mkdirSync(dirname(place), { recursive: true });
    if (kind === 'opentofu') buildModule(fileOf(kind), './cmd/tofu', place, FLAGS.replace('PACKAGE', opentofu.path));
    else buildTerraform(folder, place);
  }
}

/**
 * Terraform's go.mod replaces modules by folders that its package lacks: state backends, which no run uses. The build
 * uses a copy without them.
 */
function buildTerraform(folder: string, place: string): void {
  const copy = join(folder, 'source');
  run('cp', ['-R', '--no-preserve=mode', downloadModule(fileOf('terraform')), copy], folder);
  const isAbsent = (line: string): boolean => {
    const [, path] =
      new RegExp(`${terraform.path}/(internal/(?:backend/remote-state/\\w+|legacy))\\b`).exec(line) ?? [];
    return path !== undefined && !existsSync(join(copy, path, 'go.mod')) && !existsSync(join(copy, path, 'backend.go'));
  };
  const backends = join(copy, 'internal/backend/init/init.go');
  const lines = readFileSync(backends, 'utf8').split('\n');
  const names = lines.filter(isAbsent).flatMap((line) => /^\s*(\w+) "/.exec(line)?.[1] ?? []);
  edit(backends, (line) => !isAbsent(line) && !names.some((name) => line.includes(`${name}.`)));
  // Newer Go versions do not support a setting of that name.
  edit(join(copy, 'go.mod'), (line) => !isAbsent(line) && !line.includes('tlskyber'));
  const flags = ['-mod=mod', '-trimpath', '-ldflags', FLAGS.replace('PACKAGE', terraform.path)];
  run('go', ['build', ...flags, '-o', place, '.'], copy, { CGO_ENABLED: '0' });
  rmSync(copy, { recursive: true });
}

function edit(file: string, keeps: (line: string) => boolean): void {
  writeFileSync(file, readFileSync(file, 'utf8').split('\n').filter(keeps).join('\n'));
}

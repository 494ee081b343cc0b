import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Permissive ones, whose terms are kept when their text goes along. */
const KNOWN = new Set(['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

const TEXT = /^(licen[cs]e|notice|copying)/i;

/**
 * The licences of all packages that modules come from: what the program is made of, by name and version, and each text once.
 * @param modules their files
 * @throws for a package with a licence that nobody has looked at
 */
export function licences(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? []));
  const byText = Map.groupBy([...folders].sort(), textsOf);
  const parts = [...byText].map(([text, packages]) => `${packages.map(nameOf).join('\n')}\n\n${text}\n`);
  return ['Lockkeeper comes with the packages below, each under its own licence.\n', ...parts].join(
    `\n${'='.repeat(72)}\n`,
  );
}

function nameOf(folder: string): string {
  const { name, version, license = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  if (!KNOWN.has(license)) throw new Error(`${name}: the licence "${license}" is not known`);
  return `${name} ${version} (${license})`;
}

function textsOf(folder: string): string {
  const texts = readdirSync(folder).filter((file) => TEXT.test(file));
  return texts
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    .join('\n\n');
}

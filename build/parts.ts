import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that is part of ours. */
export interface Part {
  /** Where it is installed. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** The identifier of SPDX. */
  readonly license: string;
}

/** Permissive ones, whose terms are kept when their text goes along; the last one is of fonts. */
const KNOWN = new Set(['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1']);

/**
 * The packages that modules come from, in the order of their folders.
 * @param modules their files
 * @throws for a package with a licence that nobody has looked at
 */
export function partsOf(modules: readonly string[]): readonly Part[] {
  const folders = new Set(modules.flatMap((module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? []));
  return [...folders].sort().map(partIn);
}

function partIn(folder: string): Part {
  const { name, version, license = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Part;
  if (!KNOWN.has(license)) throw new Error(`${name}: the licence "${license}" is not known`);
  return { folder, name, version, license };
}

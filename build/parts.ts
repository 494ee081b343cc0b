import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A bundled package. */
export interface Part {
  /** Folder of its installation. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
}

/** Permissive licences that only require their text to be included. The last one is for fonts. */
const KNOWN: ReadonlySet<string> = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause ISC MIT MIT-0 OFL-1.1'.split(' '),
);

/**
 * Returns the packages of modules, ordered by folder.
 * @param modules files of the bundle
 * @throws Error for a package with a licence that is not in the list
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

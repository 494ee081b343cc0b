import { join } from 'node:path';
import { readUntrusted } from '../untrusted-file.ts';

/** Name of the dependency lock file, in the working directory. */
const LOCK_FILE = '.terraform.lock.hcl';
/** @limit dependency lock file, bytes -> the run does not use the provider cache */
const MAX_LOCK_FILE = 1_048_576;
/** @limit providers of a run that use the provider cache, providers -> the others are downloaded */
const MAX_PROVIDERS = 100;

const BEGINNING = /^\s*provider\s+"([^"]+)"\s*\{/;
const END = /^\s*\}/;
const VERSION = /^\s*version\s*=\s*"(\d[\w.+-]*)"/;
const PACKAGE_HASH = /"h1:([A-Za-z0-9+/]{43}=)"/g;
/** Source address such as `registry.opentofu.org/hashicorp/null`. Each part becomes the name of a folder. */
const SOURCE = /^[a-z0-9][a-z0-9.-]*(?::\d+)?\/[\w-]+\/[\w-]+$/i;

/** A provider that a dependency lock file names. */
export interface LockedProvider {
  /** Path in an engine's plugin cache: `HOST/NAMESPACE/TYPE/VERSION`. */
  readonly path: string;
  /** The `h1:` hashes of its packages, in hexadecimal: one for each locked platform. */
  readonly hashes: readonly string[];
}

/** Version of a provider that a dependency lock file selects. */
export interface LockedVersion {
  /** Source address: `HOST/NAMESPACE/TYPE`. */
  readonly source: string;
  readonly version: string;
}

/**
 * Reads the dependency lock file of a working directory. The engine may have written it, so no links are followed, and
 * the result is only used to look up packages by hash.
 * @returns an empty list if the file is missing, not a regular file or too large
 */
export function lockedProviders(folder: string): LockedProvider[] {
  return blocksOf(folder)
    .filter(({ hashes }) => hashes.length > 0)
    .map(({ source, version, hashes }) => ({ path: `${source}/${version}`, hashes }))
    .slice(0, MAX_PROVIDERS);
}

/** Reads the versions that `init` selected. The result is only reported. Returns an empty list like `lockedProviders`. */
export function lockedVersions(folder: string): LockedVersion[] {
  return blocksOf(folder).map(({ source, version }) => ({ source, version }));
}

function blocksOf(folder: string): (LockedVersion & { readonly hashes: readonly string[] })[] {
  const found: (LockedVersion & { readonly hashes: readonly string[] })[] = [];
  let block = { source: '', version: '', hashes: [] as string[] };
  // Parses line by line: a regular expression over whole blocks could take minutes on hostile input.
  for (const line of textOf(join(folder, LOCK_FILE)).split('\n')) {
    const source = BEGINNING.exec(line)?.[1];
    if (source !== undefined) block = { source, version: '', hashes: [] };
    block.version ||= VERSION.exec(line)?.[1] ?? '';
    for (const [, hash = ''] of line.matchAll(PACKAGE_HASH))
      block.hashes.push(Buffer.from(hash, 'base64').toString('hex'));
    if (!END.test(line)) continue;
    if (SOURCE.test(block.source) && block.version !== '') found.push(block);
    block = { source: '', version: '', hashes: [] };
  }
  return found;
}

function textOf(file: string): string {
  try {
    return readUntrusted(file, MAX_LOCK_FILE);
  } catch {
    return '';
  }
}

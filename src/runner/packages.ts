import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedVersion, lockedVersions } from './providers/lock-file.ts';
import { readUntrusted } from './untrusted-file.ts';

/** Folder in which `init` places the modules, below the working directory, and its list of them. */
const MODULES = ['.terraform', 'modules'];
const MODULES_FILE = 'modules.json';
/** @limit list of the modules of a run, bytes -> the run reports no modules */
const MAX_MODULES_FILE = 1_048_576;
/** @limit providers and modules that a run reports to the explorer, each -> the others are left out */
const MAX_REPORTED = 100;
/** @limit source or name of a provider or module that a run reports, characters -> the package is left out */
const MAX_NAME = 256;
/** @limit version of a provider or module that a run reports, characters -> the package is left out */
const MAX_VERSION = 64;

/** A module call of the configuration. */
export interface UsedModule {
  /** Path of the call, such as `network.subnets`. */
  readonly key: string;
  /** Source address: a registry address, a local path or the URL of a repository, without credentials. */
  readonly source: string;
  /** Version that `init` selected; null for a module that is not from a registry. */
  readonly version: string | null;
}

/** Versions of providers and modules that `init` selected. */
export interface Packages {
  readonly providers: readonly LockedVersion[];
  readonly modules: readonly UsedModule[];
}

/**
 * Reads the packages of a working directory after `init`. The configuration controls both files: no links are followed,
 * and the result is only reported.
 */
export function packagesIn(folder: string): Packages {
  const providers = lockedVersions(folder).filter(({ source, version }) => fits(source, version));
  return { providers: providers.slice(0, MAX_REPORTED), modules: modulesIn(folder).slice(0, MAX_REPORTED) };
}

function modulesIn(folder: string): UsedModule[] {
  const listed = readList(folder);
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry: unknown): UsedModule[] => {
    const { Key: key, Source: source, Version: version } = (entry ?? {}) as Record<string, unknown>;
    if (typeof key !== 'string' || typeof source !== 'string' || key === '' || source === '') return [];
    const known = typeof version === 'string' && version !== '' ? version : null;
    const shown = withoutSecrets(source);
    return fits(key) && fits(shown, known ?? '') ? [{ key, source: shown, version: known }] : [];
  });
}

function readList(folder: string): unknown {
  try {
    let place = folder;
    for (const name of MODULES) {
      place = join(place, name);
      if (!lstatSync(place).isDirectory()) return undefined;
    }
    return (JSON.parse(readUntrusted(join(place, MODULES_FILE), MAX_MODULES_FILE)) as { Modules?: unknown }).Modules;
  } catch {
    return undefined;
  }
}

/** Removes user information and parameters other than the ref: a URL may contain a token. */
function withoutSecrets(source: string): string {
  const [address = '', query = ''] = source.split('?', 2);
  const ref = /(?:^|&)(ref=[\w./+-]{1,100})(?:&|$)/.exec(query)?.[1];
  const shown = address.replace(/:\/\/[^/@]*@/, '://');
  return ref === undefined ? shown : `${shown}?${ref}`;
}

const fits = (name: string, version = ''): boolean =>
  name.length <= MAX_NAME && version.length <= MAX_VERSION && isPrintable(name + version);

const isPrintable = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

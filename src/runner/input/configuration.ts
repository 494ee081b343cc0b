import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderInside } from '../../archive/index.ts';
import { isNewer } from '../../lib/engines/version.ts';
import { engineName } from '../engine/engine.ts';
import type { Engine } from '../engine/kinds.ts';
import type { Job } from '../job.ts';
import { JobFailure } from '../ports.ts';

/** Files that all engines read as configuration. */
const CONFIGURATION = /\.tf(\.json)?$/;
/** Files that only OpenTofu reads, in versions after `LAST_WITHOUT`. */
const OF_OPENTOFU = /\.tofu(\.json)?$/;
const LAST_WITHOUT = '1.7.999';
/** Files that both engines ignore: hidden files and backups of editors. */
const PASSED_OVER = /^\.|~$|^#.*#$/;
/** @limit file names in the error about an empty working directory, names -> the rest is counted */
const MOST_NAMES = 10;

/**
 * Returns the path of the engine's working directory.
 * @param root root of the configuration
 * @throws JobFailure if it is not a folder of the configuration
 */
export function workingDirectory(root: string, relative: string): string {
  let path = root;
  // Follows no links: files that the agent writes there must stay inside the configuration.
  for (const part of inside(relative).split('/').filter(Boolean)) {
    path = join(path, part);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      throw new JobFailure(`The working directory ${JSON.stringify(relative)} is not a folder of the configuration`);
    }
  }
  return path;
}

function inside(relative: string): string {
  try {
    return folderInside(relative);
  } catch {
    throw new JobFailure(`The working directory ${JSON.stringify(relative)} is outside the configuration`);
  }
}

/**
 * Refuses a run without a configuration, because the engine would plan to destroy all resources of the state. The
 * engine has the same check, but the backend override is a configuration file, so that check never fails here. A
 * destroy run needs no configuration.
 * @param folder the working directory
 * @param engine that runs, even if the job requested another one
 * @throws JobFailure with what was found there
 */
export function checkConfiguration(folder: string, { workspace, parameters }: Job, engine: Engine): void {
  if (parameters.destroy) return;
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some((entry) => !entry.isDirectory() && isReadBy(engine, entry.name))) return;
  const place = JSON.stringify(`/${workspace.workingDirectory.replaceAll(/^\/+|\/+$/g, '')}`);
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  throw new JobFailure(
    `The working directory ${place} of the archive has no ${engineName(engine.kind)} configuration files (${found(names)}).  ` +
      'Upload the folder that contains them, or set the working directory of the workspace. To destroy all resources, start a destroy run',
  );
}

function isReadBy({ kind, version }: Engine, name: string): boolean {
  if (PASSED_OVER.test(name)) return false;
  if (CONFIGURATION.test(name)) return true;
  return kind === 'opentofu' && isNewer(version, LAST_WITHOUT) && OF_OPENTOFU.test(name);
}

function found(names: readonly string[]): string {
  if (names.length === 0) return 'it is empty';
  const more = names.length - MOST_NAMES;
  const listed = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name.slice(0, 100)));
  return `found: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

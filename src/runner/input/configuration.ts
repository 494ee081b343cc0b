import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameInside } from '../archive/names.ts';
import { JobFailure } from '../ports.ts';
import { quoted } from './variables-file.ts';

/** The last of all overrides, which are taken in the order of their names. */
const OVERRIDE = 'zzzz_lockkeeper_override.tf';

/**
 * The folder in which the engine works.
 * @param root of the configuration
 * @throws JobFailure where that is no folder of the configuration
 */
export function workingDirectory(root: string, relative: string): string {
  let path = root;
  // Through no link: what we write there lands in the configuration.
  for (const part of inside(relative).split('/').filter(Boolean)) {
    path = join(path, part);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      throw new JobFailure(`The working directory ${JSON.stringify(relative)} is no folder of the configuration`);
    }
  }
  return path;
}

function inside(relative: string): string {
  try {
    return nameInside(relative.replace(/^\/+/, ''));
  } catch {
    throw new JobFailure(`The working directory ${JSON.stringify(relative)} is not in the configuration`);
  }
}

/** Puts the state into a file, whatever the configuration says of its backend. */
export function overrideBackend(folder: string, stateFile: string): void {
  const path = join(folder, OVERRIDE);
  rmSync(path, { force: true, recursive: true });
  writeFileSync(path, `terraform {\n  backend "local" {\n    path = ${quoted(stateFile)}\n  }\n}\n`, { flag: 'wx' });
}

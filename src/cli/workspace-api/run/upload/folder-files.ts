import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveProblem, EntryRules } from '../../../../archive/index.ts';
import { CONFIGURATION_BOUNDS } from '../../../../lib/job/configuration-bounds.ts';
import { usageError } from '../../../errors/command-error.ts';
import { IGNORE_FILE, type IgnoreRules, ignoreRules } from './ignore-rules.ts';

/** @limit `.terraformignore` of a folder that `run start --upload` uploads, bytes -> the command fails */
const MAX_IGNORE_FILE = 1_048_576;

/**
 * Lists the files, folders and links of a folder that belong to its configuration, as paths relative to it. The bounds
 * and rules are those with which the server checks the archive.
 * @throws CommandError for a folder that cannot be read, or that the server would refuse
 */
export async function filesOf(folder: string): Promise<readonly string[]> {
  try {
    const found: string[] = [];
    await walk({ folder, rules: await rulesOf(folder), bounds: new EntryRules(CONFIGURATION_BOUNDS), found }, '');
    return found;
  } catch (error) {
    if (error instanceof ArchiveProblem) throw usageError(`${folder} cannot be uploaded: ${error.message}`);
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw usageError(`${folder} cannot be uploaded: ${message}`);
    throw error;
  }
}

interface Walk {
  readonly folder: string;
  readonly rules: IgnoreRules;
  readonly bounds: EntryRules;
  readonly found: string[];
}

async function rulesOf(folder: string): Promise<IgnoreRules> {
  const path = join(folder, IGNORE_FILE);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return ignoreRules('');
  // A device or a pipe has no size that bounds what is read.
  if (!found.isFile()) throw usageError(`${path} is not a file`);
  if (found.size > MAX_IGNORE_FILE) throw usageError(`${path} is larger than ${MAX_IGNORE_FILE} bytes`);
  return ignoreRules(await readFile(path, 'utf8'));
}

/** Walks a folder in the order of names, so that equal folders make equal archives. */
async function walk(of: Walk, below: string): Promise<void> {
  const entries = await readdir(join(of.folder, below), { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const isFolder = entry.isDirectory();
    if (!of.rules.ignores(path, isFolder)) {
      of.bounds.next(await headOf(of.folder, path, entry));
      of.found.push(path);
    }
    if (isFolder && !of.rules.skips(path)) await walk(of, path);
  }
}

async function headOf(folder: string, path: string, entry: Dirent) {
  if (entry.isDirectory()) return { path, type: 'Directory' as const, size: 0, linkpath: '' };
  if (entry.isSymbolicLink())
    return { path, type: 'SymbolicLink' as const, size: 0, linkpath: await readlink(join(folder, path)) };
  const type = entry.isFile() ? ('File' as const) : ('FIFO' as const);
  return { path, type, size: (await lstat(join(folder, path))).size, linkpath: '' };
}

import { execFileSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** PostgreSQL refuses to run as root: then this user must exist. Debian's package creates it. */
export const USER = 'postgres';
const isRoot = process.getuid?.() === 0;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the folder of PostgreSQL's programs that contains this one: on the PATH, or the newest in Debian's location.
 */
export function findPrograms(program = 'initdb'): string {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const installed = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const found = [...onPath, ...installed].find((folder) => isExecutable(join(folder, program)));
  if (!found) throw new Error('PostgreSQL is not installed (on Debian: apt-get install postgresql)');
  return found;
}

/** Returns the command that runs `command` as a user whom PostgreSQL accepts: it refuses root. */
export function asUser(command: readonly [string, ...string[]]): [string, ...string[]] {
  return isRoot ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups', ...command] : [...command];
}

/** Runs the command to its end, as that user. */
export function runAsUser(...command: [string, ...string[]]): void {
  const [file, ...rest] = asUser(command);
  execFileSync(file, rest, { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Gives the folder to that user. */
export function giveToUser(folder: string): void {
  if (isRoot) execFileSync('chown', ['-R', USER, folder]);
}

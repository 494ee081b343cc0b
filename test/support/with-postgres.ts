/**
 * `node test/support/with-postgres.ts COMMAND…` runs a command with LOCKKEEPER_TEST_POSTGRES set to a PostgreSQL server
 * of its own (and LOCKKEEPER_TEST_POSTGRES_PID to its process), in a temporary folder, and ends with the command's exit
 * code. PostgreSQL has to be installed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './machine/free-port.ts';

/** PostgreSQL refuses to run as root: then this user has to exist, as Debian's package makes it. */
const USER = 'postgres';
const isRoot = process.getuid?.() === 0;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder of the programs: on the PATH, or the newest of those where Debian puts them. */
function findPrograms(): string {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const installed = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const found = [...onPath, ...installed].find((folder) => isExecutable(join(folder, 'initdb')));
  if (!found) throw new Error('PostgreSQL is not installed (on Debian: apt-get install postgresql)');
  return found;
}

function asUser(program: string, args: readonly string[]): void {
  const command = isRoot ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups', program] : [program];
  const [file = program, ...rest] = [...command, ...args];
  execFileSync(file, rest, { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'inherit'] });
}

async function runWith(url: string, command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, LOCKKEEPER_TEST_POSTGRES: url } });
  // The command ends first, then the server.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined) throw new Error('usage: with-postgres.ts COMMAND…');
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  const control = (...words: string[]) => asUser(join(programs, 'pg_ctl'), [...words, '-w', '-D', data]);
  try {
    if (isRoot) execFileSync('chown', [USER, folder]);
    asUser(join(programs, 'initdb'), ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']);
    // Nothing here outlives the run, so nothing is synced, unless somebody wants to know what that takes.
    const fsync = process.env.LOCKKEEPER_TEST_POSTGRES_FSYNC ?? 'off';
    const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=${fsync} -c max_connections=200`;
    control('start', '-l', join(folder, 'log'), '-o', settings);
    try {
      process.env.LOCKKEEPER_TEST_POSTGRES_PID = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0];
      return await runWith(`postgres://${USER}@127.0.0.1:${port}/postgres`, command, args);
    } finally {
      control('stop', '-m', 'immediate');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * `node test/support/with-postgres.ts COMMAND…` runs a command with LOCKKEEPER_TEST_POSTGRES set to a PostgreSQL server
 * of its own (and LOCKKEEPER_TEST_POSTGRES_PID to its process), in a temporary folder, and ends with the command's exit
 * code. PostgreSQL has to be installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from './postgres/server.ts';
import useMemory from './temporary.ts';

async function runWith(
  { url, pid }: PostgresServer,
  scripts: string,
  [command, ...args]: readonly [string, ...string[]],
): Promise<number> {
  const about = {
    LOCKKEEPER_TEST_POSTGRES: url,
    LOCKKEEPER_TEST_POSTGRES_PID: String(pid),
    LOCKKEEPER_TEST_POSTGRES_SCRIPTS: scripts,
  };
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...about } });
  // The command must exit before the server stops.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined) throw new Error('usage: with-postgres.ts COMMAND…');
  // No data outlives the run, so the server does not sync, and its files are in memory if there is room: a fifth of
  // its CPU time was that of a disk. A benchmark that measures the cost of syncing needs the disk.
  const fsync = process.env.LOCKKEEPER_TEST_POSTGRES_FSYNC ?? 'off';
  const release = fsync === 'off' ? useMemory() : undefined;
  try {
    // The log of changes would fill the memory with a gigabyte.
    const inMemory = release === undefined ? [] : ['max_wal_size=256MB'];
    return await runWithServer([command, ...args], [`fsync=${fsync}`, ...inMemory]);
  } finally {
    release?.();
  }
}

async function runWithServer(command: readonly [string, ...string[]], settings: readonly string[]): Promise<number> {
  const server = await PostgresServer.start(...settings);
  const scripts = mkdtempSync(join(tmpdir(), 'lockkeeper-scripts-'));
  try {
    return await runWith(server, scripts, command);
  } finally {
    rmSync(scripts, { recursive: true, force: true });
    server.remove();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openTestDatabase, postgresUrl } from '../../test/support/databases.ts';
import { type Database, sql } from './database.ts';
import { openSqlite } from './sqlite.ts';

const WRITER = fileURLToPath(new URL('../../test/support/crash-writer.ts', import.meta.url));
const ROUNDS = 5;

/**
 * Starts a process that writes under load, and kills it at a random moment. Returns the pairs that were acknowledged.
 */
async function writeAndCrash(target: readonly string[]): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [WRITER, ...target], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'exit');
  const acknowledged: string[] = [];
  const lines = createInterface(writer.stdout);
  lines.on('line', (line) => acknowledged.push(line));
  await Promise.race([once(lines, 'line'), ended]);
  await sleep(Math.random() * 400);
  writer.kill('SIGKILL');
  const [, signal] = await ended;
  if (signal !== 'SIGKILL') throw new Error('the writer ended before it was killed');
  if (!writer.stdout.readableEnded) await once(lines, 'close');
  return acknowledged;
}

const pairs = sql<Record<string, never>, { pair: string; halves: number }>(
  'SELECT pair, count(*) AS halves FROM half GROUP BY pair',
);

async function expectPairs(database: Database, acknowledged: readonly string[]): Promise<void> {
  const stored = await database.all(pairs, {});
  expect(stored.filter(({ halves }) => halves !== 2)).toEqual([]);
  const found = new Set(stored.map(({ pair }) => pair));
  expect(acknowledged.filter((pair) => !found.has(pair))).toEqual([]);
}

describe('a process that is killed while it writes', () => {
  it('loses no acknowledged write on sqlite, and stores no transaction partially', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
    const file = join(folder, 'test.db');
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const fresh = await writeAndCrash(['sqlite', file]);
      expect(fresh.length).toBeGreaterThan(0);
      acknowledged.push(...fresh);

      const database = await openSqlite({ file, report: (error) => expect.fail(String(error)) });
      const integrity = await database.dynamic({ sql: 'PRAGMA integrity_check', parameters: [] });
      expect(integrity).toMatchObject([{ integrity_check: 'ok' }]);
      await expectPairs(database, acknowledged);
      await database.close();
    }
    await rm(folder, { recursive: true });
  });

  it.skipIf(postgresUrl === undefined)('loses no acknowledged write on postgres', async () => {
    const { database, close } = await openTestDatabase('postgres');
    const schema = await database.dynamic<{ name: string }>({ sql: 'SELECT current_schema() AS name', parameters: [] });
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const fresh = await writeAndCrash(['postgres', postgresUrl ?? '', schema[0]?.name ?? '']);
      expect(fresh.length).toBeGreaterThan(0);
      acknowledged.push(...fresh);
      await expectPairs(database, acknowledged);
    }
    await close();
  });
});

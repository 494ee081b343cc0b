import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresUrl } from '../../support/databases.ts';
import { Diagnosable } from '../../support/diagnose/diagnosed.ts';
import { Pooler } from '../../support/diagnose/pooler.ts';
import { freePort } from '../../support/machine/free-port.ts';

/** Grants that the connecting role gets for one test. */
const ROLE = `diagnosed_${process.pid}`;

describe('lockkeeper diagnose, on PostgreSQL', () => {
  const url = postgresUrl ?? '';
  const own = new URL(url);
  own.username = ROLE;
  const schema = `diagnose_${process.pid}`;
  const storage = (name: string) => `{ type: postgres, schema: ${name}, blob_directory: blobs, pool_size: 8 }`;
  const site = new Diagnosable(storage(schema));
  const pool = new Pool({ connectionString: url, max: 1 });
  const by = async (address: string, ...args: string[]) => {
    site.environment.LOCKKEEPER_STORAGE_URL = address;
    return site.diagnose(args).finally(() => {
      site.environment.LOCKKEEPER_STORAGE_URL = own.href;
    });
  };
  const { pathname } = own;

  beforeAll(async () => {
    await pool.query(`CREATE ROLE ${ROLE} LOGIN SUPERUSER`);
    site.environment.LOCKKEEPER_STORAGE_URL = own.href;
    site.configure('workers: 2');
    await site.init();
  });
  afterAll(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await pool.query(`DROP ROLE ${ROLE}`);
    await pool.end();
    await site.remove();
  });

  it('finds nothing wrong, without a server and beside one', async () => {
    const { bad, code, found, stdout } = await site.diagnose();
    expect([bad(), code]).toEqual([[], 0]);
    expect(found('database', 'version')).toMatch(/^success: PostgreSQL \d+/);
    expect(found('database', 'pooler')).toBe('success: each connection has its own session');
    expect(found('database', 'connections')).toMatch(
      /^success: \d+ allowed, \d+ in use, 10 needed: 1 node with 2 processes of 4/,
    );
    expect(found('database', 'schema')).toBe('success: up to date');
    expect(found('clock', 'database')).toMatch(/^success: within 1 s/);
    expect(stdout).not.toContain('"folder"');

    const port = await freePort();
    site.configure('workers: 2', `{ address: "127.0.0.1:${port}", services: [access, workspaces], plain_http: true }`);
    const server = site.start(['serve']);
    await server.ready();
    const address = `http://127.0.0.1:${port}`;
    await expect.poll(async () => (await fetch(`${address}/healthz/ready`)).status).toBe(200);
    const beside = await site.diagnose();
    const verbose = await (await fetch(`${address}/healthz/ready?verbose`)).json();
    server.signal('SIGTERM');
    await server.ended();
    site.configure('workers: 2');
    expect([beside.bad(), beside.code]).toEqual([[], 0]);
    expect(beside.found('listeners', 'answering', address)).toBe('success: ready');
    expect(verbose).toMatchObject({
      ready: true,
      diagnosis: expect.arrayContaining([expect.objectContaining({ name: 'clock', status: 'success' })]),
    });
  });

  it('that is unavailable, or has no schema: one check fails, and none creates a schema', async () => {
    const away = await by(`postgres://${ROLE}:between-us@127.0.0.1:${await freePort()}${pathname}`);
    expect(away.bad()).toEqual(['failure database / connection', 'failure database / schema']);
    expect(away.found('database', 'connection')).toMatch(/^failure: cannot be reached: ECONNREFUSED/);
    expect(away.found('database', 'pooler')).toBe('skipped: the database cannot be reached');
    expect(away.stdout).not.toContain('between-us');

    site.storage = storage(`${schema}_none`);
    site.configure('workers: 2');
    const none = await site.diagnose();
    site.storage = storage(schema);
    site.configure('workers: 2');
    expect([none.bad(), none.code]).toEqual([['failure database / connection', 'failure database / schema'], 1]);
    expect(none.found('database', 'connection')).toMatch(/^failure: the schema does not exist/);
    const { rowCount } = await pool.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [`${schema}_none`]);
    expect(rowCount).toBe(0);
  });

  it('with data of another keyring, or with the schema of a newer version', async () => {
    const other = new Diagnosable(storage(schema));
    other.environment.LOCKKEEPER_STORAGE_URL = own.href;
    const mine = new Diagnosable();
    await mine.init();
    const keyring = await other
      .start(['diagnose', '--format', 'json', '--set', `keyring_file=${mine.at('keyring.json')}`])
      .ended();
    expect(keyring.stdout).toMatch(/"found": "the database belongs to another keyring"/);
    await mine.remove();
    await other.remove();

    await pool.query(
      `INSERT INTO "${schema}".schema_migration (migration_set, name, checksum, applied_at) VALUES ('access', '9999-later', 'x', 0)`,
    );
    const newer = await site.diagnose();
    await pool.query(`DELETE FROM "${schema}".schema_migration WHERE name = '9999-later'`);
    expect([newer.bad(), newer.code]).toEqual([['failure database / schema'], 1]);
    expect(newer.found('database', 'schema')).toMatch(
      /access migration 9999-later, with which this version cannot work/,
    );
  });

  it('with too few connections for all nodes', async () => {
    const many = await by(own.href, '--nodes', '40');
    expect([many.bad(), many.code]).toEqual([['warning database / connections'], 7]);
    expect(many.found('database', 'connections')).toMatch(/ 400 needed: 40 nodes with 2 processes of 4/);
    await pool.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT 6`);
    const few = await site.diagnose();
    await pool.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT -1`);
    expect(few.found('database', 'connections')).toMatch(/^warning: 6 allowed, /);
  });

  it('with settings that can lose writes, or close waiting connections', async () => {
    await pool.query(`ALTER ROLE ${ROLE} SET idle_session_timeout = '10s'`);
    const idle = await site.diagnose();
    await pool.query(`ALTER ROLE ${ROLE} SET synchronous_commit = off`);
    const loose = await site.diagnose();
    await pool.query(`ALTER ROLE ${ROLE} RESET ALL`);
    expect([idle.bad(), idle.code]).toEqual([['warning database / settings'], 7]);
    expect(idle.found('database', 'settings')).toBe('warning: idle_session_timeout is 10s');
    expect(loose.found('database', 'settings')).toBe('failure: synchronous_commit is off');
    expect(loose.code).toBe(1);
  });

  it('behind a pooler: transaction pooling is reported, session pooling passes', async () => {
    for (const [mode, expected] of [
      ['transaction', 'failure: a pooler shares one session between several connections'],
      ['session', 'success: each connection has its own session'],
    ] as const) {
      const pooler = await Pooler.start(own.href, mode);
      const { found } = await by(pooler.url);
      await pooler.stop();
      expect([mode, found('database', 'pooler')]).toEqual([mode, expected]);
      expect(found('database', 'connection')).toMatch(/^success/);
    }
  });

  it('with a standby that is up to date', async () => {
    expect((await site.diagnose()).found('database', 'replication')).toBe('skipped: no standby is connected');
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-wal-'));
    const receiver = receive(url, folder);
    const followed = async () => (await site.diagnose()).found('database', 'replication');
    await expect.poll(followed).toMatch(/^success: 1 standby, \d+\.\d s and .* behind \| pg_receivewal streaming$/);
    receiver.kill('SIGINT');
    await once(receiver, 'exit');
    rmSync(folder, { recursive: true });
  });
});

/** Follows the write-ahead log of a server, as a standby does. */
function receive(url: string, folder: string): ChildProcess {
  const [program = 'pg_receivewal'] = globSync('/usr/lib/postgresql/*/bin/pg_receivewal').toSorted().toReversed();
  return spawn(program, ['--dbname', url, '--directory', folder, '--no-loop'], { stdio: 'ignore' });
}

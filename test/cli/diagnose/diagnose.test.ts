import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../support/command.ts';
import { Diagnosable } from '../../support/diagnose/diagnosed.ts';
import { freePort } from '../../support/machine/free-port.ts';

const stamps = (folder: string) =>
  (readdirSync(folder, { recursive: true, withFileTypes: true }) as { parentPath: string; name: string }[])
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .toSorted()
    .map((path) => `${path} ${statSync(path).isFile() ? statSync(path).size : ''}`);

describe('lockkeeper diagnose', () => {
  const site = new Diagnosable();
  let server: Command | undefined;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    site.configure('', `{ address: "127.0.0.1:${port}", services: [access, workspaces, metrics], plain_http: true }`);
    await site.init();
  });
  afterAll(() => site.remove());

  it('finds no problem with a server that is not running, and changes nothing', async () => {
    const before = stamps(site.folder);
    const { code, status, stderr, bad, found } = await site.diagnose();
    expect([bad(), stderr, code, status]).toEqual([[], '', 0, 'success']);
    expect(stamps(site.folder)).toEqual(before);
    expect(found('database', 'lock')).toMatch(/^success: no server uses the folder/);
    expect(found('database', 'integrity', 'workspaces.db')).toMatch(/^success: \d+ tables are intact$/);
    expect(found('listeners', 'answering')).toMatch(/^skipped: no server answers/);
    expect(found('keyring', 'keys')).toMatch(/^success: 1 key, key 1 encrypts, 0 d old/);
    expect(found('clock', 'database')).toMatch(/^skipped/);
    expect(found('background', 'tasks')).toBe('skipped: no server answers with its tasks');
  });

  it('gives the same results beside a running server, with more checks', async () => {
    server = site.start(['serve']);
    await server.ready();
    const { code, bad, found } = await site.diagnose();
    expect([bad(), code]).toEqual([[], 0]);
    const address = `http://127.0.0.1:${port}`;
    expect(found('listeners', 'answering', address)).toBe('success: ready');
    expect(found('clock', 'server', address)).toMatch(/^success: within \d s/);
    expect(found('background', 'tasks', 'keyring-file')).toMatch(/^success: /);
    expect(found('database', 'lock')).toContain(`process ${server.process.pid}`);
    // The server continues.
    expect((await fetch(`${address}/healthz/ready`)).status).toBe(200);
  });

  it('prints a tree in columns, without colors when the output is no terminal', async () => {
    const { stdout, code } = await site.start(['diagnose']).ended();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^system\n {2}version +ok {7}lockkeeper \d/);
    expect(stdout).toMatch(/\ndatabase\n(.*\n)* {2}integrity +ok\n {4}access\.db +ok {7}\d+ tables are intact\n/);
    expect(stdout).toMatch(/\nNo problems found\.\n$/);
    expect(stdout).not.toContain('\u001b');
  });

  it('reports the limit of open files for its process', async () => {
    const within = ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'];
    const { code, bad, found } = await site.diagnose([], within);
    expect([bad(), code]).toEqual([['warning system / open files'], 7]);
    expect(found('system', 'open files')).toMatch(/^warning: \d+ open of 256; connections may need 600$/);
  });

  it('reports missing arguments', async () => {
    expect(await site.start(['diagnose', '--nodes', 'many']).ended()).toMatchObject({ code: 2, stdout: '' });
    site.environment.LOCKKEEPER_LOG_LEVEL = 'loud';
    const { code, found, subjects } = await site.diagnose();
    delete site.environment.LOCKKEEPER_LOG_LEVEL;
    expect([code, subjects.length]).toEqual([1, 1]);
    expect(found('configuration', 'settings')).toMatch(
      /^failure: the settings are invalid \| log\.level \(from LOCKKEEPER_LOG_LEVEL\): found "loud"; allowed/,
    );
  });
});

describe('lockkeeper diagnose, without a running server', () => {
  let site: Diagnosable;
  beforeAll(async () => {
    site = new Diagnosable();
    await site.init();
  });
  afterAll(() => site.remove());

  const file = (name: string) => new DatabaseSync(site.at('data', name));

  it('reports invalid settings, and skips all other checks', async () => {
    site.configure('acess: {}');
    const { code, bad, found } = await site.diagnose();
    site.configure();
    expect([bad(), code]).toEqual([['failure configuration / settings'], 1]);
    expect(found('configuration', 'settings')).toContain('acess: unknown key; allowed: listeners');
  });

  it('distinguishes a newer schema from an older one', async () => {
    const database = file('workspaces.db');
    database.exec(
      `INSERT INTO schema_migration (migration_set, name, checksum, applied_at) VALUES ('workspaces', '9999-later', 'x', 0)`,
    );
    const newer = await site.diagnose();
    expect([newer.bad(), newer.code]).toEqual([['failure database / schema'], 1]);
    expect(newer.found('database', 'schema')).toMatch(
      /this version cannot work with the database \| the database has the workspaces migration 9999-later/,
    );
    expect(newer.found('agents', 'queue')).toBe('skipped: the schema does not match this version');

    database.exec(`UPDATE schema_migration SET compatible_from = '0001-first' WHERE name = '9999-later'`);
    const beside = await site.diagnose();
    expect(beside.code).toBe(0);
    expect(beside.found('database', 'schema')).toMatch(
      /^success: a newer version has added to it.* workspaces 9999-later$/,
    );

    database.exec(`DELETE FROM schema_migration WHERE name = '9999-later';
      DELETE FROM schema_migration WHERE (migration_set, name) =
        (SELECT migration_set, name FROM schema_migration WHERE migration_set = 'workspaces' ORDER BY name DESC LIMIT 1)`);
    database.close();
    const older = await site.diagnose();
    expect([older.bad(), older.code]).toEqual([['warning database / schema'], 7]);
    expect(older.found('database', 'schema')).toMatch(
      /^warning: older than this version: 1 migration to be applied \| workspaces 0/,
    );
  });

  it('finds damage', async () => {
    const other = new Diagnosable();
    await other.init();
    // In the middle of a page of some table.
    const descriptor = openSync(other.at('data', 'workspaces.db'), 'r+');
    const { size } = statSync(other.at('data', 'workspaces.db'));
    for (let at = 4096 * 3; at < size; at += 4096) writeSync(descriptor, Buffer.alloc(2048, 0xff), 0, 2048, at);
    closeSync(descriptor);
    const { code, found } = await other.diagnose();
    expect(code).toBe(1);
    expect(found('database', 'integrity', 'workspaces.db')).toMatch(
      /^failure: the database is damaged \| .*workspaces\.db: /,
    );
    expect(found('database', 'integrity', 'access.db')).toMatch(/^success/);
    await other.remove();
  });

  it('creates nothing in an empty folder', async () => {
    const empty = new Diagnosable();
    const { code, bad } = await empty.diagnose();
    expect(code).toBe(1);
    expect(bad()).toEqual([
      'failure keyring / file',
      'failure keyring / keys',
      'failure database / folder',
      'failure database / sync',
      'failure database / schema',
    ]);
    expect(readdirSync(empty.folder)).toEqual(['lockkeeper.yaml']);
    expect(readFileSync(empty.config, 'utf8')).not.toBe('');
    await empty.remove();
  });
});

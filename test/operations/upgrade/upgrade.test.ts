import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspacesMigrations } from '../../../src/workspaces/index.ts';
import { postgresUrl } from '../../support/databases.ts';
import type { RunningServer } from '../../support/machine/running-server.ts';
import { Site } from '../../support/machine/site.ts';
import { type NextStep, nextVersion } from '../support/next-version.ts';

const now = workspacesMigrations.at(-1)?.name ?? '';
/** Migrations of the next version, and of the one after it, which removes them again (expand and contract). */
const expand: NextStep = {
  name: '9001-expand',
  compatibleFrom: now,
  statements: ['ALTER TABLE workspace ADD COLUMN motto TEXT', 'CREATE TABLE motto (words TEXT)'],
};
const contract: NextStep = { name: '9002-contract', compatibleFrom: expand.name, statements: ['DROP TABLE motto'] };
const next = nextVersion('8.0.0', [expand]);
const afterNext = nextVersion('9.0.0', [expand, contract]);
afterAll(() => {
  next.remove();
  afterNext.remove();
});

const ORGANIZATION = { data: { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } } };
const workspace = (name: string) => ({ data: { type: 'workspaces', attributes: { name } } });
const NEWER = 'a newer version has migrated the database; this version is compatible with it';

/** The node answers, and sees the data that the other node has written. */
async function writeAndRead(writer: RunningServer, reader: RunningServer, token: string, name: string): Promise<void> {
  const path = '/api/v2/organizations/acme/workspaces';
  expect((await writer.call('POST', path, { token: token, body: workspace(name) })).status).toBe(201);
  expect((await reader.call('GET', `${path}/${name}`, { token: token })).status).toBe(200);
}

describe('from one version to the next, on several nodes', () => {
  const installation = new Site('postgres', { audit: '{ file: audit.log }' });
  let tokens: { readonly root: string; readonly user: string };
  let old: RunningServer;
  let newer: RunningServer;

  beforeAll(async () => {
    if (postgresUrl === undefined) throw new Error('run it with test/support/with-postgres.ts');
    tokens = await installation.init();
    old = await installation.serve();
    expect((await old.call('POST', '/api/v2/organizations', { token: tokens.user, body: ORGANIZATION })).status).toBe(
      201,
    );
  });
  afterAll(() => installation.remove());

  it('`migrate --check` lists the migrations, tries them, and changes nothing', async () => {
    const { code, stdout, stderr } = await installation.run(['migrate', '--check'], next);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`workspaces ${now}\n  pending 9001-expand\n`);
    expect(stdout).toContain('Nodes of the previous version can run beside this one. Replace them one by one.');
    expect(stdout).toContain('They succeeded on empty tables with the same schema.');
    const again = await installation.run(['migrate', '--check', '--format', 'json'], next);
    expect(JSON.parse(again.stdout).sets.at(-1)).toEqual({
      ...{ set: 'workspaces', last: now, ahead: [] },
      pending: [{ migration: '9001-expand', beside_older: true }],
    });
  });

  it('commands of the next version do not migrate while nodes serve', async () => {
    const user = ['user', 'create', '--username', 'grace', '--email', 'grace@example.com'];
    const { code, stderr } = await installation.run(user, next);
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      'the database schema is older than this version: it lacks the migration workspaces 9001-expand. Use',
    );
  });

  it("both versions serve at once, and see each other's writes", async () => {
    newer = await installation.serve(next);
    expect(newer.logged('the database was migrated')).toEqual([
      expect.objectContaining({ migrations: ['workspaces 9001-expand'] }),
    ]);
    await writeAndRead(old, newer, tokens.user, 'by-the-old');
    await writeAndRead(newer, old, tokens.user, 'by-the-new');
    const policy = { policy: 'path "secret/*" { capabilities = ["read"] }' };
    expect((await newer.call('PUT', '/v1/sys/policies/acl/shared', { token: tokens.root, body: policy })).status).toBe(
      204,
    );
    expect((await old.call('GET', '/v1/sys/policies/acl/shared', { token: tokens.root })).body).toMatchObject({
      data: { policy: policy.policy },
    });
  });

  it('a node of the previous version can restart meanwhile, and logs the newer schema', async () => {
    old.command.signal('SIGKILL');
    await old.command.ended();
    old = await installation.serve();
    expect(old.logged(NEWER)[0]).toMatchObject({ ahead: ['workspaces 9001-expand'] });
    await writeAndRead(old, newer, tokens.user, 'by-the-old-again');
    const { stdout } = await installation.run(['migrate', '--check']);
    expect(stdout).toContain('A newer version has applied workspaces 9001-expand; this version is compatible with it.');
  });

  it('a version that does not know all encrypted values removes no key', async () => {
    expect((await installation.run(['keyring', 'rotate', '--seals-in', '0s'])).code).toBe(0);
    const { stderr } = await installation.run(['keyring', 'prune', '1']);
    expect(stderr).toContain('a newer version has used the database (workspaces 9001-expand)');
  });

  it('removals wait until no node of an older version serves', async () => {
    const check = await installation.run(['migrate', '--check'], afterNext);
    expect(check.stdout).toContain('Nodes of the previous version can run beside this one');
    // The database was migrated for the next version: that version serves, this one cannot.
    const { command } = await installation.serve(afterNext);
    command.signal('SIGKILL');
    await writeAndRead(newer, newer, tokens.user, 'beside-the-last');
    await expect(installation.serve()).rejects.toThrow('9002-contract, with which this version cannot work');
  });
});

describe('an upgrade that skips a version', () => {
  const installation = new Site('postgres', { audit: '{ file: audit.log }' });
  afterAll(() => installation.remove());

  it('asks to stop the nodes first', async () => {
    await installation.init();
    const old = await installation.serve();
    const check = await installation.run(['migrate', '--check'], afterNext);
    expect(check.stdout).toContain('  pending 9002-contract   (incompatible with earlier versions)');
    expect(check.stdout).toContain('Stop all nodes of the previous version before you start this one');
    await expect(installation.serve(afterNext)).rejects.toThrow(
      /nodes of an earlier version are running on this database \(.* is one\) and are not compatible with the migration workspaces 9002-contract. Stop them all/,
    );
    expect((await old.call('GET', '/v1/sys/health')).status).toBe(200);
    old.command.signal('SIGTERM');
    expect((await old.command.ended()).code).toBe(0);
    const last = await installation.serve(afterNext);
    expect((await last.call('GET', '/v1/sys/health')).status).toBe(200);
  });
});

describe('from one version to the next, and back, on SQLite', () => {
  const installation = new Site('sqlite', { audit: '{ file: audit.log }' });
  afterAll(() => installation.remove());

  const stop = async ({ command }: RunningServer) => {
    command.signal('SIGTERM');
    expect((await command.ended()).code).toBe(0);
  };

  it('is tried on a copy while the server runs', async () => {
    const { user } = await installation.init();
    let server = await installation.serve();
    expect((await server.call('POST', '/api/v2/organizations', { token: user, body: ORGANIZATION })).status).toBe(201);
    const check = await installation.run(['migrate', '--check'], next);
    expect(check.stdout).toContain('They succeeded on a temporary copy of the databases.');
    const refused = await installation.run(['migrate'], next);
    expect(refused.stderr).toContain('is in use by another running server: stop it first');
    await writeAndRead(server, server, user, 'before');
    await stop(server);

    const migrated = await installation.run(['migrate'], next);
    expect([migrated.code, migrated.stdout]).toEqual([0, expect.stringContaining('  applied 9001-expand\n')]);
    server = await installation.serve(next);
    expect(server.logged('the database was migrated')).toEqual([]);
    await writeAndRead(server, server, user, 'after');
    await stop(server);

    server = await installation.serve();
    expect(server.logged(NEWER)).toHaveLength(1);
    await writeAndRead(server, server, user, 'back');
    await stop(server);

    expect((await installation.run(['migrate'], afterNext)).code).toBe(0);
    await expect(installation.serve()).rejects.toThrow('restore a backup made before the upgrade');
  });
});

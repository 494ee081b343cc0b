import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';

/** Runs the commands as processes, against a whole server. */
describe('lockkeeper project, approval-rule and names instead of IDs', { timeout: 60_000 }, () => {
  let cli: CliClient;
  beforeAll(async () => {
    cli = await startCliClient();
    await cli.made('/organizations/acme/projects', 'projects', { name: 'platform', description: 'Shared things' });
    await cli.ok('team', 'create', 'acme/security');
    await cli.ok('workspace', 'create', 'network', 'project=platform');
  });
  afterAll(() => cli.stop());

  it('lists and shows projects by name', async () => {
    expect(await cli.ok('project', 'list')).toMatch(/^platform +prj-\w+ +1 +0 +Shared things$/m);
    expect(await cli.ok('project', 'list', '--search', 'plat', '--json', 'name,workspaces')).toContain(
      '"workspaces": 1',
    );
    const shown = await cli.ok('project', 'show', 'acme/platform');
    expect(shown).toMatch(/^description +Shared things$/m);
    const id = (await cli.ok('project', 'show', 'platform', '--field', 'id')).trim();
    expect(await cli.ok('project', 'show', id, '--field', 'default-execution-mode')).toBe('remote\n');
    const missing = await cli.run(['project', 'show', 'none']);
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('has no project none')]);
  });

  it('creates a schedule of a project and a notification to a member by name', async () => {
    const drift = ['--operation', 'drift', '--cron', '0 6 * * *'];
    await cli.ok('schedule', 'create', '--project', 'platform', '--name', 'drift', ...drift);
    expect(await cli.ok('schedule', 'list', '--project', 'acme/platform')).toMatch(/^drift +/m);
    const mail = ['--type', 'email', '--name', 'First', '--trigger', 'run:errored', '--format', 'json'];
    const { data } = JSON.parse(await cli.ok('notification', 'create', 'acme/network', ...mail, '--user', 'first'));
    const account = await cli.server.user('GET', '/api/v2/account/details');
    expect(data.relationships.users.data).toEqual([{ type: 'users', id: account.body.data.id }]);
    await cli.ok('notification', 'create', '--project', 'platform', '--user', account.body.data.id, ...mail);
    const none = await cli.run(['notification', 'create', 'acme/network', ...mail, '--user', 'nobody']);
    expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('has no member nobody')]);
  });

  it('creates, lists and deletes approval rules of a workspace and a project', async () => {
    const rule = ['--name', 'production', '--team', 'security'];
    const created = await cli.ok('approval-rule', 'create', 'acme/network', ...rule, '--approvals', '2');
    expect(created).toMatch(/^approvals +2$/m);
    expect(created).toMatch(/^teams +security$/m);
    await cli.ok('approval-rule', 'create', '--project', 'platform', '--name', 'all', '--team', 'security', 'owners');
    const list = await cli.ok('approval-rule', 'list', 'network');
    expect(list).toMatch(/^production +\S+ +2 +security +all +false +workspace$/m);
    expect(list).toMatch(/^all +\S+ +1 +(security, owners|owners, security) +all +false +project$/m);
    expect(await cli.ok('approval-rule', 'list', '--project', 'platform')).not.toContain('production');
    const [{ id }] = JSON.parse(await cli.ok('approval-rule', 'list', '--project', 'platform', '--json', 'id'));
    expect(await cli.ok('approval-rule', 'delete', id)).toBe(`Deleted the approval rule ${id}\n`);
    const gone = await cli.run(['approval-rule', 'delete', id]);
    expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining(`approval rule ${id}: not found`)]);
    for (const args of [['list'], ['list', 'network', '--project', 'platform']]) {
      expect((await cli.run(['approval-rule', ...args])).code).toBe(2);
    }
    const many = await cli.run(['approval-rule', 'create', 'network', ...rule, '--approvals', 'two']);
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('expected a number of users')]);
  });

  it('sets a time from now on', async () => {
    await cli.ok('workspace', 'set', 'network', 'auto-destroy-at=2h');
    const { body } = await cli.server.user('GET', '/api/v2/organizations/acme/workspaces/network');
    const age = Date.parse(body.data.attributes['auto-destroy-at']) - Date.parse(body.data.attributes['updated-at']);
    // The server rounds the time, and the command has its own clock.
    expect(Math.round(age / 3_600_000)).toBe(2);
    await cli.ok('workspace', 'set', 'network', 'auto-destroy-at=2200-01-01T00:00:00Z');
    expect(await cli.ok('workspace', 'show', 'network', '--field', 'auto-destroy-at')).toContain('2200-01-01T00:00:00');
    const wrong = await cli.run(['workspace', 'set', 'network', 'auto-destroy-at=2x']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('auto-destroy-at=2x: a duration is')]);
  });
});

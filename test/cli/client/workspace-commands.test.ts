import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';

describe('lockkeeper workspace, variable and state', { timeout: 60_000 }, () => {
  let cli: CliClient;
  beforeAll(async () => {
    cli = await startCliClient();
  });
  afterAll(() => cli.stop());

  it('creates, changes and deletes a workspace, with names of projects and pools', async () => {
    await cli.made('/organizations/acme/projects', 'projects', { name: 'platform' });
    await cli.made('/organizations/acme/agent-pools', 'agent-pools', { name: 'racks' });
    await cli.ok('workspace', 'create', 'acme/network', 'execution-mode=local', 'auto-apply=true');
    const changed = await cli.ok(
      ...['workspace', 'set', 'network', 'description=All regions', 'project=platform', 'trigger-prefixes=a,b'],
      ...['execution-mode=agent', 'agent-pool=racks'],
    );
    expect(changed).toMatch(/^description +All regions$/m);
    expect(changed).toMatch(/^trigger-prefixes +\["a","b"\]$/m);
    expect(changed).toMatch(/^execution-mode +agent$/m);
    expect(await cli.ok('workspace', 'show', 'network', '--field', 'auto-apply')).toBe('true\n');
    for (const [args, code, text] of [
      [['workspace', 'set', 'network', 'colour=red'], 2, 'there is no setting colour. Settings: agent-pool'],
      [['workspace', 'set', 'network', 'auto-apply=maybe'], 2, 'expected true or false'],
      [['workspace', 'set', 'network', 'project=none'], 4, 'has no project none'],
      [['workspace', 'create', 'network'], 5, 'already been taken'],
      [['workspace', 'delete', 'network'], 2, 'Confirm with --yes'],
    ] as const) {
      const ended = await cli.run(args);
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(text)]);
    }
    expect(await cli.ok('workspace', 'delete', 'acme/network', '--yes')).toMatch(
      /^Deleted the workspace network \(ws-/,
    );
    expect((await cli.run(['workspace', 'show', 'network'])).code).toBe(4);
  });

  it('prints chosen fields as JSON', async () => {
    await cli.ok('workspace', 'create', 'fields');
    const listed = JSON.parse(
      await cli.ok('workspace', 'list', '--search', 'fields', '--json', 'name,permissions.can-lock'),
    );
    expect(listed).toEqual([{ name: 'fields', 'permissions.can-lock': true }]);
    expect(JSON.parse(await cli.ok('workspace', 'show', 'fields', '--json', 'locked, name'))).toEqual({
      locked: false,
      name: 'fields',
    });
    const wrong = await cli.run(['workspace', 'list', '--json', 'nmae']);
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([2, '', expect.stringMatching(/no field nmae.*, name, /)]);
    expect((await cli.run(['workspace', 'list', '--json', 'name', '--format', 'yaml'])).code).toBe(2);
    expect((await cli.run(['workspace', 'list', '--json', 'name,'])).code).toBe(2);
  });

  it('says who holds a lock, for how long, and takes it with --force', async () => {
    await cli.ok('workspace', 'create', 'held');
    await cli.ok('workspace', 'lock', 'held', '--reason', 'moving');
    const refused = await cli.run(['workspace', 'lock', 'held']);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toMatch(/^lockkeeper: held is locked by first, \d+ s \(moving\); --force to take it\n$/);
    expect(await cli.ok('workspace', 'show', 'held')).toMatch(/^locked-by +first, \d+ s \(moving\)$/m);
    await cli.ok('workspace', 'lock', 'held', '--force', '--reason', 'mine');
    expect(await cli.ok('workspace', 'show', 'held', '--field', 'locked-reason')).toBe('mine\n');
    await cli.ok('workspace', 'unlock', 'held');
  });

  it('sets variables from arguments, files and standard input, and warns of sensitive arguments', async () => {
    await cli.ok('workspace', 'create', 'variables');
    writeFileSync(join(cli.folder, 'secret'), 'from a file\n');
    await cli.ok('variable', 'set', 'variables', 'region=eu');
    await cli.ok('variable', 'set', 'variables', `token=@${join(cli.folder, 'secret')}`, '--sensitive', '--env');
    const piped = await cli.run(['variable', 'set', 'variables', 'region=-', '--description', 'place'], {}, 'us\n');
    expect([piped.code, piped.stderr]).toEqual([0, 'Changed the variable region\n']);
    const warned = await cli.run(['variable', 'set', 'variables', 'password=hunter2', '--sensitive']);
    expect([warned.code, warned.stdout.includes('hunter2')]).toEqual([0, false]);
    expect(warned.stderr).toMatch(/^warning: other users of this machine can see arguments/);
    const again = await cli.run(['variable', 'set', 'variables', 'password=hunter3']);
    expect(again.stderr).toContain('warning: ');
    const list = await cli.ok('variable', 'list', 'acme/variables');
    expect(list).toMatch(/^region +terraform +us +place/m);
    expect(list).toMatch(/^token +env +\(sensitive\)/m);
    expect(list).not.toMatch(/hunter|from a file/);
    await cli.ok('variable', 'set', 'variables', 'token=x');
    const two = await cli.run(['variable', 'delete', 'variables', 'token']);
    expect([two.code, two.stderr]).toEqual([1, expect.stringContaining('choose one with --env or --terraform')]);
    expect(await cli.ok('variable', 'delete', 'variables', 'token', '--env')).toBe('Deleted the variable token\n');
    expect((await cli.run(['variable', 'delete', 'variables', 'nothing'])).code).toBe(4);
    expect((await cli.run(['variable', 'set', 'variables', 'empty'])).code).toBe(2);
  });

  it('uploads, lists, downloads and restores states', async () => {
    await cli.ok('workspace', 'create', 'states');
    const state = (serial: number) =>
      JSON.stringify({ version: 4, terraform_version: '1.9.0', serial, lineage: 'l', outputs: {}, resources: [] });
    for (const serial of [1, 2]) {
      writeFileSync(join(cli.folder, `${serial}.tfstate`), state(serial));
      expect(await cli.ok('state', 'push', 'states', join(cli.folder, `${serial}.tfstate`))).toMatch(
        /^status +finalized$/m,
      );
    }
    const out = join(cli.folder, 'pulled.tfstate');
    const pulled = await cli.run(['state', 'pull', 'states', '--out', out]);
    expect([pulled.code, pulled.stderr]).toEqual([0, expect.stringMatching(/^serial 2, \d+ bytes\n$/)]);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(JSON.parse(state(2)));
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect((await cli.run(['state', 'pull', 'states', '--out', out])).code).toBe(1);
    expect(JSON.parse(await cli.ok('state', 'pull', 'states', '--serial', '1')).serial).toBe(1);
    expect((await cli.run(['state', 'push', 'states', join(cli.folder, '1.tfstate')])).code).not.toBe(0);
    expect(await cli.ok('workspace', 'show', 'states', '--field', 'locked')).toBe('false\n');
    expect(await cli.ok('state', 'rollback', 'states', '1', '--yes')).toMatch(/^serial +3$/m);
    const list = JSON.parse(await cli.ok('state', 'list', 'states', '--json', 'serial,status'));
    expect(list.map(({ serial }: { serial: number }) => serial)).toEqual([3, 2, 1]);
    expect((await cli.run(['state', 'rollback', 'states', '9', '--yes'])).code).toBe(4);
    expect((await cli.run(['state', 'push', 'states', join(cli.folder, 'secret')])).code).toBe(2);
    expect((await cli.run(['state', 'pull', 'variables'])).code).toBe(4);
  });

  it('continues after an upload that was interrupted, and names the error of one that fails again', async () => {
    await cli.ok('workspace', 'create', 'interrupted');
    const file = (serial: number) => {
      const path = join(cli.folder, `interrupted-${serial}.tfstate`);
      writeFileSync(path, JSON.stringify({ version: 4, serial, lineage: 'c2', outputs: {}, resources: [] }));
      return path;
    };
    await cli.ok('state', 'push', 'interrupted', file(2));
    const id = (await cli.ok('workspace', 'show', 'interrupted', '--field', 'id')).trim();
    // An earlier command has announced a state, and was killed.
    await cli.ok('workspace', 'lock', 'interrupted', '--reason', 'lockkeeper state');
    await cli.made(`/workspaces/${id}/state-versions`, 'state-versions', {
      serial: 3,
      lineage: 'c2',
      md5: 'a'.repeat(32),
    });
    const failed = await cli.run(['state', 'push', 'interrupted', file(1)]);
    expect([failed.code, failed.stderr]).toEqual([
      5,
      expect.stringMatching(/The serial is lower than 2.*The workspace is still locked\. Repeat the command/s),
    ]);
    await cli.ok('state', 'push', 'interrupted', file(3));
    expect(await cli.ok('workspace', 'show', 'interrupted', '--field', 'locked')).toBe('false\n');
    await cli.ok('workspace', 'lock', 'interrupted', '--reason', 'maintenance');
    await cli.ok('state', 'push', 'interrupted', file(4));
    expect(await cli.ok('workspace', 'show', 'interrupted', '--field', 'locked-reason')).toBe('maintenance\n');
  });
});

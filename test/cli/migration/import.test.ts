import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateText } from '../../api/workspaces/support/states.ts';
import { fullOrganization } from '../../migration/support/full-organization.ts';
import { made, startTwoServers, type TwoServers } from '../../migration/support/two-servers.ts';
import { Command, type Finished } from '../../support/command.ts';

/** Runs the commands as processes, against two whole servers. */
describe('lockkeeper import and export', { timeout: 90_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-import-'));
  let servers: TwoServers;
  let environment: Record<string, string>;
  beforeAll(async () => {
    servers = await startTwoServers('sqlite');
    const { old, fresh } = servers;
    await fullOrganization(old);
    writeFileSync(join(folder, 'old-ca.pem'), old.ca);
    writeFileSync(join(folder, 'ca.pem'), fresh.ca);
    environment = {
      LOCKKEEPER_ADDR: fresh.address,
      LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
      LOCKKEEPER_TOKEN: fresh.userToken,
      LOCKKEEPER_ORGANIZATION: 'moved',
      LOCKKEEPER_SOURCE_TOKEN: old.userToken,
    };
  });
  afterAll(async () => {
    await servers.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (args: readonly string[], more: Record<string, string> = {}): Promise<Finished> =>
    new Command(args, { ...environment, ...more }).ended();
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args);
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
    return stdout;
  };
  const fromOld = () => [
    ...['import', 'hcp-terraform', '--source-address', servers.old.address],
    ...['--source-ca-cert', join(folder, 'old-ca.pem'), '--source-organization', 'acme'],
  ];

  it('plans, applies, and writes a report for programs', async () => {
    const plan = await ok(...fromOld());
    expect(plan).toContain('\n+ workspace network\n');
    expect(plan).toContain('\n! member m@example.com: nobody is invited without --invite\n');
    const paused = '\n! schedule app: nightly: both servers would start its runs, so a new one is paused here;';
    expect(plan).toContain(paused);
    expect(await ok(...fromOld(), '--automation')).not.toContain(paused);
    expect(plan).toMatch(/\nPlan: \d+ to create, .*\nThis is a plan\. Add --apply to make these changes\.\n$/);
    const secrets = join(folder, 'secrets.json');
    writeFileSync(secrets, '{"workspaces": {"app": {"password": "filled in"}}}');
    const report = join(folder, 'report.json');
    const { code, stdout, stderr } = await run([...fromOld(), '--apply', '--secrets', secrets, '--report', report]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('create: workspace network\n');
    expect(stderr).toContain('copied: state of workspace network\n');
    expect(stdout).toMatch(/\nDone: \d+ created, 0 changed, 1 state version copied, .* 1 sensitive to fill in\.\n$/);
    const written = readFileSync(report, 'utf8');
    expect(JSON.parse(written)).toMatchObject({
      applied: true,
      states: [{ workspace: 'network', action: 'upload', versions: 1 }],
      toFillIn: [{ ownerKind: 'varsets', owner: 'shared', name: 'token', category: 'env' }],
    });
    expect(statSync(report).mode & 0o077).toBe(0);
    for (const text of [stdout, stderr, written])
      for (const secret of ['filled in', 'between us', servers.old.userToken]) expect(text).not.toContain(secret);
    expect(await ok(...fromOld(), '--apply')).toMatch(/\nNothing to do: /);
  });

  it('refuses what cannot work, before it writes anything', async () => {
    const cases: [string[], Record<string, string>, number, string][] = [
      [fromOld(), { LOCKKEEPER_SOURCE_TOKEN: '' }, 3, 'set LOCKKEEPER_SOURCE_TOKEN'],
      [fromOld(), { LOCKKEEPER_SOURCE_TOKEN: 'wrong' }, 3, 'does not accept the token'],
      [[...fromOld(), '--source-organization', 'none'], {}, 4, 'has no organization none for this token'],
      [['import', 'hcp-terraform', '--source-address', 'http://example.com'], {}, 2, 'has no TLS'],
      [[...fromOld(), '--secrets', join(folder, 'ca.pem')], {}, 2, 'it is not JSON'],
      [['import', 'folder', folder], {}, 2, 'is it the folder of an export?'],
      [['import', 'states', '--from', folder, '--pattern', 'x'], {}, 2, 'needs a placeholder'],
      [['import', 'states', '--from', folder, '--pattern', 'x/{name}'], {}, 4, 'no file that matches the pattern'],
    ];
    for (const [args, more, code, text] of cases) {
      const ended = await run(args, more);
      expect([ended.code, ended.stdout], args.join(' ')).toEqual([code, '']);
      expect(ended.stderr).toContain(text);
    }
  });

  it('makes workspaces of a folder of state files', async () => {
    const states = join(folder, 'states');
    for (const [env, component, serial] of [
      ['prod', 'web', 3],
      ['prod', 'db', 1],
      ['dev', 'web', 8],
    ] as const) {
      mkdirSync(join(states, env), { recursive: true });
      writeFileSync(join(states, env, `${component}.tfstate`), stateText(serial));
    }
    writeFileSync(join(states, 'prod', 'web.tfstate.backup'), stateText(2));
    const args = ['import', 'states', '--from', states, '--pattern', '{project}/{component}.tfstate'];
    const name = ['--workspace-name', '{component}-{project}'];
    expect(await ok(...args, ...name)).toContain('+ project dev\n+ project prod\n+ workspace web-dev\n');
    const applied = await ok(...args, ...name, '--apply', '--execution-mode', 'local');
    expect(applied).toMatch(/\nDone: 5 created, 0 changed, 3 state versions copied, 0 the same\.\n$/);
    const web = (await servers.fresh.user('GET', '/api/v2/organizations/moved/workspaces/web-prod')).body.data;
    expect(web.attributes).toMatchObject({ 'execution-mode': 'local', locked: false });
    const state = await servers.fresh.user('GET', `/api/v2/workspaces/${web.id}/current-state-version`);
    expect(state.body.data.attributes).toMatchObject({ serial: 3, lineage: 'lineage-1' });
    expect(await ok(...args, ...name, '--apply', '--execution-mode', 'local')).toMatch(
      /\nNothing to do: 5 the same\.\n$/,
    );
    expect(await ok(...args)).toContain(
      '! state prod/web.tfstate: another file is the workspace web, too; change --workspace-name\n',
    );
  });

  it('exports an organization, which another organization takes back', async () => {
    const files = join(folder, 'export');
    const { code, stdout, stderr } = await run(['export', 'organization', files, '--states', 'all']);
    expect(stderr).toContain('States are included, which may contain secrets: keep the folder secret\n');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/: \d+ items and 4 state versions of moved\n$/)]);
    expect(statSync(files).mode & 0o077).toBe(0);
    expect(readFileSync(join(files, 'workspaces/network.yaml'), 'utf8')).toContain(
      'description: |-\n    First\n    second\n',
    );
    await made(servers.fresh, '/organizations', 'organizations', { name: 'copy', email: 'ops@example.com' });
    const copied = await ok('import', 'folder', files, '--organization', 'copy', '--apply');
    expect(copied).toMatch(/\nDone: \d+ created, .*4 state versions copied/);
    expect(await ok('import', 'folder', files, '--organization', 'copy')).toMatch(/\nNothing to do: /);
  });

  it('takes the states of a folder that is named relative to the present one', async () => {
    const states = join(folder, 'relative');
    mkdirSync(join(states, 'here'), { recursive: true });
    writeFileSync(join(states, 'here/terraform.tfstate'), stateText(1));
    const from = relative(process.cwd(), states);
    const plan = await ok('import', 'states', '--from', from, '--pattern', '{name}/terraform.tfstate');
    expect(plan).toContain('\n+ workspace here\n');
  });

  it('exports and takes back the configuration of the access API', async () => {
    const files = join(folder, 'access');
    const root = { LOCKKEEPER_TOKEN: servers.fresh.rootToken };
    await servers.fresh.root('POST', '/v1/sys/auth/machines', { type: 'cert' });
    const exported = await run(['export', 'access', files], root);
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringMatching(/: \d+ items of the access API\n$/)]);
    const { code, stdout } = await run(['import', 'access-folder', files], root);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\nNothing to do: /)]);
  });

  it('fails when something was refused, after it has taken the rest and written the report', async () => {
    const states = join(folder, 'refused');
    mkdirSync(states);
    writeFileSync(join(states, 'good.tfstate'), stateText(1));
    writeFileSync(join(states, 'bad.tfstate'), '{}');
    const report = join(folder, 'refused.json');
    const args = ['import', 'states', '--from', states, '--pattern', '{name}.tfstate', '--report', report];
    await ok(...args);
    const { code, stdout, stderr } = await run([...args, '--apply']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('lockkeeper: 1 thing was refused; see "Refused"')]);
    expect(stdout).toMatch(
      /\nRefused:\n! state of workspace bad: .*\n\nDone: 2 created, .* 1 state version copied, .*1 refused\./,
    );
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      applied: true,
      notTaken: [],
      refused: [{ about: 'state of workspace bad', why: 'the file has no serial; it is not a state' }],
    });
  });
});

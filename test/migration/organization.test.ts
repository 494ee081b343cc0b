import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Connection,
  chosen,
  exportOrganization,
  isDone,
  migrateOrganization,
  openJournal,
  organizationFolder,
  organizationRules,
  reportLines,
} from '../../src/migration/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { privateKey } from '../support/samples/private-key.ts';
import { fullOrganization, pushStates } from './support/full-organization.ts';
import { LossyRelay } from './support/lossy-relay.ts';
import { connect, made, moveTo, sourceOf, startTwoServers, type TwoServers } from './support/two-servers.ts';

const TO_FILL_IN = [
  { ownerKind: 'workspaces', owner: 'app', name: 'password', category: 'env' },
  { ownerKind: 'varsets', owner: 'shared', name: 'token', category: 'env' },
];

describe.each(databaseKinds)('an organization moves to another server, on %s', { timeout: 60_000 }, (kind) => {
  let servers: TwoServers;
  let ids: Awaited<ReturnType<typeof fullOrganization>>;
  beforeAll(async () => {
    servers = await startTwoServers(kind);
    ids = await fullOrganization(servers.old);
  });
  afterAll(() => servers.stop());

  const source = (choices = {}) => sourceOf(connect(servers.old), choices);
  const get = async (path: string) => (await servers.fresh.user('GET', `/api/v2${path}`)).body.data;
  const workspace = (name: string) => get(`/organizations/moved/workspaces/${name}`);
  const differing = async (choices = {}) =>
    (await moveTo(servers.fresh, await source(choices), { isApplied: false })).changes.filter(
      ({ action }) => action !== 'same',
    );

  it('plans first, and writes nothing', async () => {
    const report = await moveTo(servers.fresh, await source(), { isApplied: false });
    const lines = reportLines(report, organizationRules).join('\n');
    expect(lines).toContain('+ organization moved\n');
    expect(lines).toContain('\n+ workspace network\n');
    expect(lines).toContain('\n+ team access to project Net work: runners\n');
    expect(lines).toContain('\n+ state of workspace network: 1 version\n');
    expect(lines).toContain('\n! SSH key deploy: no server returns private keys;');
    expect(lines).toContain('\n? workspace app: password (env)\n');
    expect(lines).toMatch(/Plan: \d+ to create, 0 to change, 1 state version to copy, /);
    expect(report.toFillIn).toEqual(TO_FILL_IN);
    expect(await servers.fresh.user('GET', '/api/v2/organizations/moved')).toMatchObject({ status: 404 });
  });

  it('takes everything with its settings, and has nothing to do when it runs again', async () => {
    const report = await moveTo(servers.fresh, await source({ states: 'all' }));
    expect(report.notTaken.map(({ about }) => about)).toEqual([
      'tokens',
      'runs, plans and logs',
      'SSH key deploy',
      'workspace network',
    ]);
    const { attributes, relationships, id } = await workspace('network');
    expect(attributes).toMatchObject({
      ...{ description: 'First\nsecond', 'auto-apply': true, 'terraform-version': '1.5.7', engine: 'terraform' },
      ...{ 'execution-mode': 'agent', 'working-directory': 'net', 'tag-names': ['blue'], locked: false },
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
    });
    const project = await get(`/projects/${relationships.project.data.id}`);
    expect(project.attributes).toMatchObject({ name: 'Net work', description: 'Ours' });
    const variables = (await get(`/workspaces/${id}/vars`)).map((one: { attributes: object }) => one.attributes);
    const env = { key: 'region', value: 'x', category: 'env', description: 'Where' };
    expect(variables).toHaveLength(2);
    expect(variables).toContainEqual(expect.objectContaining(env));
    expect(variables).toContainEqual(expect.objectContaining({ key: 'region', value: 'north', category: 'terraform' }));
    const again = await moveTo(servers.fresh, await source({ states: 'all' }));
    expect(again.changes.filter(({ action }) => action !== 'same')).toEqual([]);
    expect(isDone(again)).toBe(true);
    expect(reportLines(again, organizationRules).at(-1)).toMatch(
      /^Nothing to do: \d+ the same, 4 not taken, 2 sensitive to fill in\.$/,
    );
  });

  it('keeps serial, lineage and bytes of each state version', async () => {
    const filter = 'filter[organization][name]=moved&filter[workspace][name]=network';
    const versions = await get(`/state-versions?${filter}`);
    const theirs = (await servers.old.user('GET', `/api/v2/state-versions?${filter.replace('moved', 'acme')}`)).body
      .data;
    const facts = ({ attributes: { serial, lineage, md5, size } }: { attributes: Record<string, unknown> }) => ({
      serial,
      lineage,
      md5,
      size,
    });
    expect(versions.map(facts)).toEqual(theirs.map(facts));
    expect(versions.map(facts)).toMatchObject([{ serial: 7, lineage: 'lineage-1' }, { serial: 3 }]);
  });

  it('takes only states that are newer than those here', async () => {
    await pushStates(servers.old, ids.network, [8, 9]);
    const report = await moveTo(servers.fresh, await source({ states: 'all' }));
    expect(report.states).toEqual([{ workspace: 'network', action: 'upload', versions: 2 }]);
    await pushStates(servers.fresh, (await workspace('network')).id, [12]);
    const { states, refused } = await moveTo(servers.fresh, await source({ states: 'all' }));
    expect(states).toEqual([]);
    expect(refused.at(-1)).toEqual({
      about: 'state of workspace network',
      why: 'this server has a newer state (serial 12) than the source (serial 9)',
    });
  });

  it('shows what differs, and changes only that', async () => {
    await servers.old.user('PATCH', `/api/v2/workspaces/${ids.app}`, {
      data: { type: 'workspaces', attributes: { 'auto-apply': true, 'working-directory': 'app' } },
    });
    expect(await differing()).toEqual([
      { action: 'update', kind: 'workspaces', owner: '', name: 'app', differs: ['auto-apply', 'working-directory'] },
    ]);
    await moveTo(servers.fresh, await source());
    expect((await workspace('app')).attributes).toMatchObject({ 'auto-apply': true, 'working-directory': 'app' });
    expect(await differing()).toEqual([]);
  });

  it('keeps what only this server has', async () => {
    const { id } = await workspace('app');
    await made(servers.fresh, `/workspaces/${id}/vars`, 'vars', { key: 'ours', value: '1', category: 'env' });
    await made(servers.fresh, '/organizations/moved/workspaces', 'workspaces', { name: 'ours' });
    expect(await differing()).toEqual([]);
    await moveTo(servers.fresh, await source());
    const keys = (await get(`/workspaces/${id}/vars`)).map(
      (one: { attributes: { key: string } }) => one.attributes.key,
    );
    expect(keys).toContain('ours');
  });

  it('connects an SSH key as soon as there is one with its name', async () => {
    await made(servers.fresh, '/organizations/moved/ssh-keys', 'ssh-keys', { name: 'deploy', value: privateKey });
    const report = await moveTo(servers.fresh, await source());
    expect(report.notTaken.map(({ about }) => about)).not.toContain('SSH key deploy');
    expect((await workspace('network')).relationships['ssh-key'].data).not.toBeNull();
    expect(await differing()).toEqual([]);
  });

  it('takes sensitive values that the user gives, and never prints them', async () => {
    const report = await moveTo(servers.fresh, await source(), { secret: 'given by hand' });
    expect(report.toFillIn).toEqual([]);
    expect(JSON.stringify(report)).not.toContain('given by hand');
    const variables = await get(`/workspaces/${(await workspace('app')).id}/vars`);
    const password = variables.find((one: { attributes: { key: string } }) => one.attributes.key === 'password');
    expect(password.attributes).toMatchObject({ sensitive: true, value: null, category: 'env' });
    expect((await moveTo(servers.fresh, await source(), { isApplied: false })).toFillIn).toEqual([]);
  });

  it('does not invite or connect repositories unless the user wants it', async () => {
    const choices = { followsRepositories: false, invites: false };
    const { notTaken, changes } = await moveTo(servers.fresh, await source(), { isApplied: false, choices });
    expect(notTaken).toContainEqual({ about: 'member m@example.com', why: 'nobody is invited without --invite' });
    expect(changes.map((change) => change.kind)).not.toContain('members');
  });

  it('locks the source, and continues under its own lock', async () => {
    const lock = async () => (await servers.old.user('GET', `/api/v2/workspaces/${ids.network}`)).body.data.attributes;
    await moveTo(servers.fresh, await source({ locksSource: true }), { isApplied: false });
    expect(await lock()).toMatchObject({ locked: false });
    for (let times = 0; times < 2; times++) {
      const { refused } = await moveTo(servers.fresh, await source({ locksSource: true, workspaces: 'net*' }));
      expect(refused.filter(({ why }) => why.includes('locked'))).toEqual([]);
      expect(await lock()).toMatchObject({ locked: true, 'locked-reason': 'Moved to Lockkeeper' });
    }
    expect((await servers.old.user('GET', `/api/v2/workspaces/${ids.app}`)).body.data.attributes.locked).toBe(false);
    await servers.old.user('POST', `/api/v2/workspaces/${ids.network}/actions/unlock`);
    await servers.old.user('POST', `/api/v2/workspaces/${ids.network}/actions/lock`, { reason: 'ours' });
    const { refused } = await moveTo(servers.fresh, await source({ locksSource: true, workspaces: 'net*' }));
    expect(refused.filter(({ why }) => why.includes('locked'))).toEqual([]);
    expect(await lock()).toMatchObject({ locked: true, 'locked-reason': 'ours' });
    await servers.old.user('POST', `/api/v2/workspaces/${ids.network}/actions/unlock`);
  });

  it('locks the source with the token of a team, and continues under that lock', async () => {
    const [owners] = (await servers.old.user('GET', '/api/v2/organizations/acme/teams?filter[names]=owners')).body.data;
    const { body } = await servers.old.user('POST', `/api/v2/teams/${owners.id}/authentication-token`);
    const team = connect({ ...servers.old, userToken: body.data.attributes.token });
    for (let times = 0; times < 2; times++) {
      const from = await sourceOf(team, { locksSource: true, workspaces: 'net*' });
      const { refused } = await moveTo(servers.fresh, from);
      expect(refused.filter(({ why }) => why.includes('locked'))).toEqual([]);
    }
    const { attributes } = (await servers.old.user('GET', `/api/v2/workspaces/${ids.network}`)).body.data;
    expect(attributes).toMatchObject({ locked: true, 'locked-reason': 'Moved to Lockkeeper' });
    await servers.old.user('POST', `/api/v2/workspaces/${ids.network}/actions/force-unlock`);
  });

  it('takes only the chosen workspaces and project', async () => {
    const { changes } = await moveTo(servers.fresh, await source({ workspaces: 'ap*', project: 'Default Project' }), {
      isApplied: false,
    });
    const names = (kindName: string) => changes.filter((one) => one.kind === kindName).map(({ name }) => name);
    expect([names('workspaces'), names('projects'), names('project-schedules')]).toEqual([
      ['app'],
      ['Default Project'],
      [],
    ]);
    expect(names('variables')).toEqual(['env/password']);
  });

  it('says what the token may not do', async () => {
    const { address, ca } = servers.fresh;
    const connection = new Connection({ address, ca, token: 'not-a-token', wait: async () => {} });
    await expect(sourceOf(connection)).rejects.toThrow(/does not accept the token/);
  });

  it('continues after each lost response, and creates nothing twice', async () => {
    const { fresh, stop } = await startTwoServers(kind);
    const journals = mkdtempSync(join(tmpdir(), 'lockkeeper-journals-'));
    const relay = await LossyRelay.start(fresh, 7);
    const target = new Connection({
      address: relay.address,
      ca: fresh.ca,
      token: fresh.userToken,
      wait: async () => {},
    });
    const from = chosen(await source({ states: 'all' }), { followsRepositories: true, invites: true });
    const move = () =>
      migrateOrganization(
        from,
        { connection: target, organization: 'moved' },
        { isApplied: true, openJournal: (key) => openJournal(journals, key), onProgress: () => {} },
      );
    let interruptions = 0;
    for (let report = await move().catch(() => undefined); report === undefined || !isDone(report); ) {
      if (report === undefined) interruptions++;
      expect(interruptions).toBeLessThan(50);
      report = await move().catch(() => undefined);
    }
    expect(interruptions).toBeGreaterThan(3);
    const { items } = await sourceOf(connect(fresh), { organization: 'moved' });
    const hooks = items.filter((item) => item.kind.endsWith('notifications'));
    expect(hooks).toHaveLength(2);
    const list = await fresh.user('GET', '/api/v2/organizations/moved/workspaces');
    expect(list.body.data.map((one: { attributes: { locked: boolean } }) => one.attributes.locked)).toEqual([
      false,
      false,
    ]);
    rmSync(journals, { recursive: true });
    await relay.stop();
    await stop();
  });

  it('exports to files without secrets, and the import of the files exports the same again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-export-'));
    try {
      const first = join(folder, 'first');
      await exportOrganization(first, await source({ states: 'all' }));
      const { fresh, stop } = await startTwoServers(kind);
      try {
        const report = await moveTo(fresh, await organizationFolder(first));
        expect(report.notTaken.map(({ about }) => about)).toEqual(['SSH key deploy', 'workspace network']);
        await made(fresh, '/organizations/moved/ssh-keys', 'ssh-keys', { name: 'deploy', value: privateKey });
        await moveTo(fresh, await organizationFolder(first), { secret: 'another' });
        expect(isDone(await moveTo(fresh, await organizationFolder(first), { secret: 'another' }))).toBe(true);
        const second = join(folder, 'second');
        const moved = await exportable(fresh);
        await exportOrganization(second, moved);
        expect(filesOf(second)).toEqual(filesOf(first));
      } finally {
        await stop();
      }
      const text = JSON.stringify(filesOf(first));
      expect(text).not.toContain('between us');
      expect(text).not.toContain('PRIVATE KEY');
      await expect(exportOrganization(first, await source())).rejects.toThrow('is not empty; choose a new folder');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const exportable = async (server: TwoServers['fresh']) =>
  sourceOf(connect(server), { states: 'all', organization: 'moved' });

/** Contents of all files by path. */
function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length), readFileSync(path, 'utf8')];
    }),
  );
}

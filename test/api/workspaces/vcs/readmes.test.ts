import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { archive } from '../../../support/samples/archive.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { commitsOf } from '../support/commits.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

const countStored = sql<Record<string, never>, { count: number }>('SELECT count(*) AS count FROM configuration_readme');

describe.each(databaseKinds)('the README of a workspace, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(() => api.close());

  const upload = async (files: Parameters<typeof archive>[0], attributes: object = {}) => {
    const workspace = await acme.workspace(`r-${++names}`, attributes);
    const { id, url } = await runs.configuration(workspace);
    expect((await runs.put(url, archive(files))).statusCode).toBe(200);
    return { workspace, version: id };
  };
  const shown = async (workspace: string) => {
    const { body } = await acme.owner.call('GET', `/workspaces/${workspace}?include=readme`);
    const [readme] = body.included ?? [];
    expect(body.data.relationships.readme.data).toEqual(readme ? { type: readme.type, id: readme.id } : null);
    return readme?.attributes['raw-markdown'] ?? null;
  };
  const stored = async () => Number((await api.workspaces.database.one(countStored, {}))?.count);

  test('is that of the working directory, else that of the root', async () => {
    const files = { 'README.md': '# Root\n', 'infra/README.md': '# Größer\n', 'main.tf': '' };
    const root = await upload(files);
    const { body } = await acme.owner.call('GET', `/workspaces/${root.workspace}?include=readme`);
    const id = root.version;
    expect(body.data.relationships.readme.data).toEqual({ type: 'workspace-readme', id });
    expect(body.included).toEqual([{ type: 'workspace-readme', id, attributes: { 'raw-markdown': '# Root\n' } }]);
    expect(await shown((await upload(files, { 'working-directory': '/infra/' })).workspace)).toBe('# Größer\n');
    expect(await shown((await upload(files, { 'working-directory': 'apps' })).workspace)).toBe('# Root\n');
    expect(await shown((await upload({ 'docs/README.md': 'x' })).workspace)).toBeNull();
    expect(await shown(await acme.workspace(`r-${++names}`))).toBeNull();
  });

  test('follows the working directory, and is extracted once for each', async () => {
    const { workspace } = await upload({ 'README.md': 'root', 'a/README.md': 'a' });
    const before = await stored();
    const answers = await Promise.all([shown(workspace), shown(workspace), shown(workspace)]);
    expect(answers).toEqual(['root', 'root', 'root']);
    expect(await stored()).toBe(before + 1);
    const attributes = { 'working-directory': 'a' };
    await acme.owner.call('PATCH', `/workspaces/${workspace}`, { data: { type: 'workspaces', attributes } });
    expect([await shown(workspace), await shown(workspace)]).toEqual(['a', 'a']);
    expect(await stored()).toBe(before + 2);
    // A stored README needs no archive: the bytes are gone, and the answer stays.
    await api.workspaces.database.run(sql('UPDATE blob SET size = 0'), {});
    expect(await shown(workspace)).toBe('a');
  });

  test('of a pushed commit is stored once for all workspaces', async () => {
    const commits = commitsOf(api, acme);
    const archiveId = await commits.stored({ 'README.md': 'pushed', 'main.tf': '' });
    const workspaces = [await acme.workspace(`r-${++names}`), await acme.workspace(`r-${++names}`)];
    for (const workspace of workspaces) await commits.run(workspace, { archiveId });
    const before = await stored();
    for (const workspace of workspaces) expect(await shown(workspace)).toBe('pushed');
    expect(await stored()).toBe(before + 1);
  });

  test('is cut at its bound, and goes with its archive', async () => {
    const { workspace, version } = await upload({ 'README.md': `${'x'.repeat(1_048_575)}üü` });
    expect(await shown(workspace)).toBe('x'.repeat(1_048_575));
    const before = await stored();
    await runs.uploaded(workspace);
    expect((await acme.owner.call('POST', `/configuration-versions/${version}/actions/archive`)).status).toBe(202);
    expect(await stored()).toBe(before - 1);
  });

  test('is in lists, and not for those who may not read runs', async () => {
    const { workspace } = await upload({ 'README.md': 'listed' });
    const { body } = await acme.owner.call(
      'GET',
      `/organizations/${acme.name}/workspaces?include=readme&page[size]=100`,
    );
    const texts = body.included.map((one: { attributes: object }) => Object.values(one.attributes)[0]);
    expect(texts).toContain('listed');
    const stranger = await newOrganization(api);
    expect((await stranger.owner.call('GET', `/workspaces/${workspace}?include=readme`)).status).toBe(404);
  });
});

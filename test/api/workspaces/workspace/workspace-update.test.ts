import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

describe.each(databaseKinds)('changing workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const newWorkspace = (attributes?: object) => acme.workspace(`u-${++names}`, attributes);
  const show = async (id: string) => (await acme.owner.call('GET', `/workspaces/${id}`)).body.data;
  const update = (id: string, attributes: object, relationships?: object) =>
    acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody(attributes, relationships));

  test('a working directory that no configuration can have is refused, and fails no run', async () => {
    const id = await newWorkspace({ 'working-directory': 'a/b' });
    for (const directory of ['..', '../x', 'a/../../b', '/..', '/a/..']) {
      const refused = await update(id, { 'working-directory': directory });
      expect(refused.status, directory).toBe(422);
      expect(refused.body.errors[0].source.pointer).toBe('/data/attributes/working-directory');
    }
    expect((await show(id)).attributes['working-directory']).toBe('a/b');
    for (const directory of ['/a/b', './a', 'a/', '/', null]) {
      expect((await update(id, { 'working-directory': directory })).status, String(directory)).toBe(200);
    }
  });

  test('only the given attributes change; all ways to read agree', async () => {
    const id = await newWorkspace({ description: 'before', 'trigger-prefixes': ['a'], 'working-directory': 'x' });
    const before = await show(id);
    api.advance(5000);
    const updated = await update(id, { description: 'after', 'engine-version': '~> 1.6' });
    expect(updated.status).toBe(200);
    expect(updated.body.data).toEqual({
      ...before,
      attributes: {
        ...before.attributes,
        description: 'after',
        'engine-version': '~> 1.6',
        'terraform-version': '~> 1.6',
        'updated-at': new Date(api.now()).toISOString(),
      },
    });
    expect(await show(id)).toEqual(updated.body.data);
    const { name } = before.attributes;
    const byName = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces/${name}`);
    expect(byName.body.data).toEqual(updated.body.data);
    const list = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces?search[name]=${name}`);
    expect(list.body.data[0]).toEqual(updated.body.data);
  });

  test('null restores the default, an absent attribute keeps its value', async () => {
    const id = await newWorkspace({
      description: 'x',
      'auto-apply': true,
      'auto-destroy-at': '2030-01-01T00:00:00Z',
      'engine-version': '1.2.3',
      'execution-mode': 'local',
      'trigger-patterns': ['*.tf'],
    });
    expect((await update(id, {})).body.data.attributes).toMatchObject({
      description: 'x',
      'auto-apply': true,
      'auto-destroy-at': '2030-01-01T00:00:00.000Z',
      'engine-version': '1.2.3',
      'execution-mode': 'local',
      'trigger-patterns': ['*.tf'],
    });
    const nulls = {
      description: null,
      'auto-apply': null,
      'auto-destroy-at': null,
      'terraform-version': null,
      'execution-mode': null,
      'trigger-patterns': null,
      'vcs-repo': null,
    };
    expect((await update(id, nulls)).body.data.attributes).toMatchObject({
      description: null,
      'auto-apply': false,
      'auto-destroy-at': null,
      'engine-version': 'latest',
      'execution-mode': 'remote',
      'setting-overwrites': { 'execution-mode': false, 'agent-pool': false },
      'trigger-patterns': [],
      'vcs-repo': null,
    });
  });

  test('a body without attributes changes nothing', async () => {
    const id = await newWorkspace({ 'auto-apply': true });
    const answer = await acme.owner.call('PATCH', `/workspaces/${id}`, { data: { type: 'workspaces' } });
    expect(answer.status).toBe(200);
    expect(answer.body.data.attributes['auto-apply']).toBe(true);
  });

  test('a renamed workspace keeps its ID, and its old name is available', async () => {
    const id = await newWorkspace();
    const path = `/organizations/${acme.name}/workspaces`;
    await acme.owner.call('PATCH', `${path}/u-${names}`, workspaceBody({ name: 'renamed' }));
    expect((await acme.owner.call('GET', `${path}/renamed`)).body.data.id).toBe(id);
    expect((await acme.owner.call('GET', `${path}/u-${names}`)).status).toBe(404);
    expect((await show(id)).links.self).toBe(`/api/v2${path}/renamed`);
    await acme.workspace(`u-${names}`);
    const taken = await update(id, { name: `u-${names}` });
    expect(issuesOf(taken)).toEqual(['/data/attributes/name: Name has already been taken']);
    expect((await update(id, { name: 'no good' })).status).toBe(422);
    expect((await update(id, { name: 'renamed' })).status).toBe(200);
  });

  test('a list by tag follows a new name', async () => {
    const ids = [await newWorkspace(), await newWorkspace()];
    for (const id of ids) {
      const tag = { data: [{ type: 'tags', attributes: { name: 'sorted' } }] };
      await acme.owner.call('POST', `/workspaces/${id}/relationships/tags`, tag);
    }
    await update(ids[0] ?? '', { name: 'zzz-last' });
    const list = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces?search[tags]=sorted`);
    expect(namesOf(list)).toEqual([`u-${names}`, 'zzz-last']);
  });

  test('the execution mode can be overwritten and inherited again', async () => {
    const id = await newWorkspace();
    expect((await update(id, { operations: false })).body.data.attributes).toMatchObject({
      'execution-mode': 'local',
      'setting-overwrites': { 'execution-mode': true },
    });
    const kept = await update(id, { 'setting-overwrites': { 'execution-mode': true } });
    expect(kept.body.data.attributes['execution-mode']).toBe('local');
    const back = await update(id, { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } });
    expect(back.body.data.attributes).toMatchObject({
      'execution-mode': 'remote',
      'setting-overwrites': { 'execution-mode': false },
    });
    expect((await update(id, { 'setting-overwrites': { 'execution-mode': true } })).status).toBe(422);
    expect((await update(id, { 'execution-mode': 'agent', 'agent-pool-id': '' })).status).toBe(422);
  });

  test('trigger patterns replace prefixes, and the reverse', async () => {
    const id = await newWorkspace({ 'trigger-prefixes': ['a'] });
    expect((await update(id, { 'trigger-patterns': ['**/*.tf'] })).body.data.attributes).toMatchObject({
      'trigger-patterns': ['**/*.tf'],
      'trigger-prefixes': [],
    });
    expect(
      (await update(id, { 'trigger-prefixes': ['b'], 'trigger-patterns': [] })).body.data.attributes,
    ).toMatchObject({
      'trigger-patterns': [],
      'trigger-prefixes': ['b'],
    });
    expect((await update(id, { 'trigger-prefixes': ['b'], 'trigger-patterns': ['c'] })).status).toBe(422);
  });

  test('state is shared with the project or with all, never both, whenever they were set', async () => {
    const id = await newWorkspace({ 'global-remote-state': true });
    const both = await update(id, { 'project-remote-state': true });
    const rule = 'Project remote state cannot be enabled when global remote state sharing is enabled';
    expect(issuesOf(both)).toEqual([`/data/attributes/project-remote-state: ${rule}`]);
    const swapped = await update(id, { 'project-remote-state': true, 'global-remote-state': false });
    expect(swapped.body.data.attributes).toMatchObject({ 'project-remote-state': true, 'global-remote-state': false });
  });

  test('a duration counts from the last change of the state, and null removes the time too', async () => {
    const id = await newWorkspace();
    const made = Date.parse((await show(id)).attributes['created-at']);
    api.advance(3_600_000);
    const set = await update(id, { 'auto-destroy-activity-duration': '6h' });
    expect(set.body.data.attributes).toMatchObject({
      'auto-destroy-at': new Date(made + 6 * 3_600_000).toISOString(),
      'inherits-project-auto-destroy': false,
    });
    const cleared = await update(id, { 'auto-destroy-activity-duration': null });
    expect(cleared.body.data.attributes).toMatchObject({
      'auto-destroy-at': null,
      'auto-destroy-activity-duration': null,
    });
    const inherits = await update(id, { 'inherits-project-auto-destroy': true });
    expect(inherits.body.data.attributes['inherits-project-auto-destroy']).toBe(true);
  });

  test('a workspace moves between projects, and both count it', async () => {
    const [id, project] = [await newWorkspace(), await acme.project(`Target ${++names}`)];
    const count = async (of: string) =>
      (await acme.owner.call('GET', `/projects/${of}`)).body.data.attributes['workspace-count'];
    const before = await count(acme.defaultProjectId);
    const moved = await update(id, {}, { project: { data: { type: 'projects', id: project } } });
    expect(moved.body.data.relationships.project.data.id).toBe(project);
    expect([await count(acme.defaultProjectId), await count(project)]).toEqual([before - 1, 1]);
    for (const data of [null, { type: 'projects', id: '' }, { type: 'projects', id: project }]) {
      expect((await update(id, {}, { project: { data } })).body.data.relationships.project.data.id).toBe(project);
    }
    expect((await update(id, {}, { project: { data: { type: 'projects', id: 'prj-none' } } })).status).toBe(422);
  });

  test('moving needs the permission in both projects; managing workspaces is not enough', async () => {
    const [id, project] = [await newWorkspace(), await acme.project(`Target ${++names}`)];
    const [workspaceAdmin, projectAdmin] = [
      await acme.machine('workspace-admin', { 'manage-workspaces': true }),
      await acme.machine('project-admin', { 'manage-projects': true }),
    ];
    const body = workspaceBody({}, { project: { data: { type: 'projects', id: project } } });
    expect((await workspaceAdmin.call('PATCH', `/workspaces/${id}`, body)).status).toBe(404);
    expect(
      (await workspaceAdmin.call('PATCH', `/workspaces/${id}`, workspaceBody({ 'auto-apply': true }))).status,
    ).toBe(200);
    expect((await projectAdmin.call('PATCH', `/workspaces/${id}`, body)).status).toBe(200);
  });

  test('given key-value tags replace all others, and an empty list removes all', async () => {
    const id = await newWorkspace();
    const bound = async () => {
      const { body } = await acme.owner.call('GET', `/workspaces/${id}/tag-bindings`);
      return body.data.map(({ attributes: { key, value } }: never) => `${key}=${value}`);
    };
    const bindings = (...pairs: string[][]) => ({
      'tag-bindings': { data: pairs.map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })) },
    });
    await update(id, {}, bindings(['env', 'prod'], ['team', 'core']));
    expect(await bound()).toEqual(['env=prod', 'team=core']);
    await update(id, {}, bindings(['env', 'dev'], ['cost', '7']));
    expect(await bound()).toEqual(['cost=7', 'env=dev']);
    await update(id, { description: 'untouched' });
    expect(await bound()).toEqual(['cost=7', 'env=dev']);
    await update(id, {}, bindings());
    expect(await bound()).toEqual([]);
  });

  test('a refused change changes nothing at all', async () => {
    const id = await newWorkspace({ description: 'kept' });
    const before = await show(id);
    const refused = await update(
      id,
      { description: 'lost', name: 'lost' },
      { 'tag-bindings': { data: [{ attributes: { key: 'a b', value: '' } }] } },
    );
    expect(refused.status).toBe(422);
    const conflicting = await update(id, { description: 'lost', 'engine-version': 'x' });
    expect(conflicting.status).toBe(422);
    expect(await show(id)).toEqual(before);
  });

  test('of many concurrent changes none is lost', async () => {
    const [id, project] = [await newWorkspace(), await acme.project(`Rush ${++names}`)];
    const flags = [
      'auto-apply',
      'queue-all-runs',
      'global-remote-state',
      'assessments-enabled',
      'auto-apply-run-trigger',
    ];
    const tag = { data: [{ type: 'tags', attributes: { name: 'hurried' } }] };
    const answers = await Promise.all([
      ...flags.map((flag) => update(id, { [flag]: true })),
      update(id, { name: 'hurried' }, { project: { data: { type: 'projects', id: project } } }),
      acme.owner.call('POST', `/workspaces/${id}/relationships/tags`, tag),
      ...flags.map((flag) => update(id, { [flag]: true })),
    ]);
    expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
    const { attributes, relationships } = await show(id);
    expect(attributes).toMatchObject(Object.fromEntries(flags.map((flag) => [flag, true])));
    expect(attributes).toMatchObject({ name: 'hurried', 'tag-names': ['hurried'] });
    expect(relationships.project.data.id).toBe(project);
    const shown = await acme.owner.call('GET', `/projects/${project}`);
    expect(shown.body.data.attributes['workspace-count']).toBe(1);
    const other = await acme.workspace('aaa', {}, { tags: tag });
    await update(other, { name: 'later' });
    const tagged = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces?search[tags]=hurried`);
    expect(namesOf(tagged)).toEqual(['hurried', 'later']);
  });
});

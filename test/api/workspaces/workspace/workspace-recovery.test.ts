import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { privateKey } from '../../../support/samples/private-key.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

const DAY = 24 * 3_600_000;

describe.each(databaseKinds)('deleted workspaces on %s (facts §1.6)', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const items = async () => (await acme.owner.call('GET', `/organizations/${acme.name}/recoverable-items`)).body;
  const itemOf = async (id: string) =>
    (await items()).data.find((item: { relationships: { resource: { data: { id: string } } } }) => {
      return item.relationships.resource.data.id === id;
    });
  const act = (item: { id: string }, action: string, caller = acme.owner as Pick<typeof acme.owner, 'call'>) =>
    caller.call('PUT', `/recoverable-items/${item.id}/actions/${action}`);
  const workspaces = () => acme.owner.call('GET', `/organizations/${acme.name}/workspaces`);

  test('a deleted one is listed with its times, and appears nowhere else', async () => {
    acme = await newOrganization(api);
    const id = await acme.workspace('gone');
    await acme.workspace('stays');
    expect((await acme.owner.call('DELETE', `/workspaces/${id}`)).status).toBe(204);
    const { data, meta } = await items();
    expect(meta.pagination['total-count']).toBe(1);
    expect(data[0]).toMatchObject({
      type: 'recoverable-items',
      attributes: {
        name: 'gone',
        'recoverable-name': 'gone',
        'unmanaged-resources': 0,
        'deleted-at': new Date(api.now()).toISOString(),
        'expires-at': new Date(api.now() + 7 * DAY).toISOString(),
      },
      relationships: {
        organization: { data: { type: 'organizations', id: acme.name } },
        resource: { data: { type: 'workspaces', id } },
        recoverable: { data: { type: 'workspaces', id } },
        'deleted-by': { data: { type: 'users', id: acme.owner.id } },
      },
    });
    expect((await acme.owner.call('GET', `/recoverable-items/${data[0].id}`)).body.data).toEqual(data[0]);
    for (const [method, path] of [
      ['GET', `/workspaces/${id}`],
      ['PATCH', `/workspaces/${id}`],
      ['DELETE', `/workspaces/${id}`],
      ['POST', `/workspaces/${id}/actions/lock`],
      ['GET', `/organizations/${acme.name}/workspaces/gone`],
      ['GET', `/organizations/${acme.name}/workspaces/~${id}`],
      ['GET', `/workspaces/${id}/relationships/tags`],
    ] as const) {
      const body = method === 'PATCH' ? workspaceBody({ description: 'x' }) : undefined;
      expect((await acme.owner.call(method, path, body)).status, `${method} ${path}`).toBe(404);
    }
    for (const sort of ['name', '-name', 'latest-change-at', 'current-run.created-at', '-current-run.created-at']) {
      const list = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces?sort=${sort}`);
      expect(namesOf(list), sort).toEqual(['stays']);
      expect(list.body.meta.pagination['total-count']).toBe(1);
    }
    const project = await acme.owner.call('GET', `/projects/${acme.defaultProjectId}`);
    expect(project.body.data.attributes['workspace-count']).toBe(1);
  });

  test('it is restored unchanged: settings, tags, bindings, access, sharing, key; and unlocked', async () => {
    acme = await newOrganization(api);
    const { owner, name } = acme;
    const project = await acme.project('Home');
    const key = await owner.call('POST', `/organizations/${name}/ssh-keys`, {
      data: { type: 'ssh-keys', attributes: { name: 'k', value: privateKey } },
    });
    const relationships = {
      project: { data: { type: 'projects', id: project } },
      tags: { data: [{ type: 'tags', attributes: { name: 'blue' } }] },
      'tag-bindings': { data: [{ attributes: { key: 'env', value: 'prod' } }] },
    };
    const id = await acme.workspace('whole', { description: 'all of it', 'working-directory': 'a/b' }, relationships);
    const consumer = await acme.workspace('consumer');
    const share = (from: string, to: string) =>
      owner.call('POST', `/workspaces/${from}/relationships/remote-state-consumers`, {
        data: [{ type: 'workspaces', id: to }],
      });
    await share(id, consumer);
    await share(consumer, id);
    await owner.call('PATCH', `/workspaces/${id}/relationships/ssh-key`, {
      data: { type: 'workspaces', attributes: { id: key.body.data.id } },
    });
    const team = await acme.team('readers');
    const granted = await owner.call('POST', '/team-workspaces', {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'write' },
        relationships: {
          team: { data: { type: 'teams', id: team } },
          workspace: { data: { type: 'workspaces', id } },
        },
      },
    });
    const before = (await owner.call('GET', `/workspaces/${id}`)).body.data;
    await owner.call('POST', `/workspaces/${id}/actions/lock`, { reason: 'held' });

    api.advance(1000);
    expect((await owner.call('DELETE', `/workspaces/${id}`)).status).toBe(204);
    expect((await owner.call('GET', `/team-workspaces/${granted.body.data.id}`)).status).toBe(404);
    const tags = await owner.call('GET', `/organizations/${name}/workspaces?search[tags]=blue`);
    expect(tags.body.data).toEqual([]);

    expect((await act(await itemOf(id), 'recover')).status).toBe(204);
    const after = (await owner.call('GET', `/workspaces/${id}`)).body.data;
    const updated = { 'updated-at': new Date(api.now()).toISOString() };
    expect(after).toEqual({ ...before, attributes: { ...before.attributes, ...updated } });
    expect((await items()).data).toEqual([]);
    expect((await owner.call('GET', `/team-workspaces/${granted.body.data.id}`)).status).toBe(200);
    for (const [one, other] of [
      [id, 'consumer'],
      [consumer, 'whole'],
    ] as const) {
      expect(namesOf(await owner.call('GET', `/workspaces/${one}/relationships/remote-state-consumers`))).toEqual([
        other,
      ]);
    }
    const bound = await owner.call('GET', `/organizations/${name}/workspaces?filter[tagged][0][key]=env`);
    expect(namesOf(bound)).toEqual(['whole']);
    expect(namesOf(await owner.call('GET', `/organizations/${name}/workspaces?search[tags]=blue`))).toEqual(['whole']);
    const list = await owner.call('GET', `/organizations/${name}/workspaces?filter[project][id]=${project}`);
    expect(list.body.meta.pagination['total-count']).toBe(1);
    expect((await owner.call('POST', `/workspaces/${id}/actions/lock`)).status).toBe(200);
  });

  test('it cannot be restored while another workspace has its name', async () => {
    acme = await newOrganization(api);
    const id = await acme.workspace('name');
    await acme.owner.call('DELETE', `/workspaces/${id}`);
    const second = await acme.workspace('name');
    const item = await itemOf(id);
    const refused = await act(item, 'recover');
    expect(refused.status).toBe(422);
    expect(issuesOf(refused)).toEqual(['/data/attributes/name: Name has already been taken']);
    expect((await workspaces()).body.meta.pagination['total-count']).toBe(1);
    await acme.owner.call('DELETE', `/workspaces/${second}`);
    expect((await act(item, 'recover')).status).toBe(204);
    expect((await acme.owner.call('GET', `/workspaces/${id}`)).status).toBe(200);
    expect((await workspaces()).body.meta.pagination['total-count']).toBe(1);
  });

  test('a project that was deleted meanwhile is replaced by the default one', async () => {
    acme = await newOrganization(api);
    const project = await acme.project('Brief');
    const id = await acme.workspace('homeless', {}, { project: { data: { type: 'projects', id: project } } });
    await acme.owner.call('DELETE', `/workspaces/${id}`);
    expect((await acme.owner.call('DELETE', `/projects/${project}`)).status).toBe(204);
    expect((await act(await itemOf(id), 'recover')).status).toBe(204);
    const shown = await acme.owner.call('GET', `/workspaces/${id}`);
    expect(shown.body.data.relationships.project.data.id).toBe(acme.defaultProjectId);
  });

  test('after its time it cannot be restored, and a sweep removes it with its blobs and other data', async () => {
    acme = await newOrganization(api);
    const [late, kept] = [await acme.workspace('late'), await acme.workspace('kept')];
    await acme.owner.call('DELETE', `/workspaces/${late}`);
    api.advance(6 * DAY);
    await acme.owner.call('DELETE', `/workspaces/${kept}`);
    const item = await itemOf(late);
    api.advance(DAY);
    const tooLate = await act(item, 'recover');
    expect(tooLate.status).toBe(422);
    await api.workspaces.workspace.purge.sweep();
    expect((await act(item, 'recover')).status).toBe(404);
    expect((await items()).data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual([
      'kept',
    ]);
    expect((await act(await itemOf(kept), 'recover')).status).toBe(204);
  });

  test('it is removed at once on request, and can then not be restored', async () => {
    acme = await newOrganization(api);
    const id = await acme.workspace('condemned');
    await acme.owner.call('DELETE', `/workspaces/${id}`);
    const item = await itemOf(id);
    expect((await act(item, 'permanently-delete')).status).toBe(204);
    expect((await items()).data).toEqual([]);
    expect((await act(item, 'recover')).status).toBe(422);
    expect((await act(item, 'permanently-delete')).status).toBe(422);
    await api.workspaces.workspace.purge.sweep();
    expect((await act(item, 'recover')).status).toBe(404);
  });

  test('a user who manages workspaces restores them; only owners delete them early; others see nothing', async () => {
    acme = await newOrganization(api);
    const id = await acme.workspace('ruled');
    await acme.owner.call('DELETE', `/workspaces/${id}`);
    const item = await itemOf(id);
    const reader = await acme.machine('reader', { 'read-workspaces': true });
    const manager = await acme.machine('manager', { 'manage-workspaces': true });
    const list = `/organizations/${acme.name}/recoverable-items`;
    expect((await reader.call('GET', list)).status).toBe(404);
    expect((await reader.call('GET', `/recoverable-items/${item.id}`)).status).toBe(404);
    expect((await act(item, 'recover', reader)).status).toBe(404);
    expect((await manager.call('GET', list)).body.data).toHaveLength(1);
    expect((await act(item, 'permanently-delete', manager)).status).toBe(404);
    expect((await act(item, 'recover', manager)).status).toBe(204);
  });

  test('of many concurrent restores, one succeeds', async () => {
    acme = await newOrganization(api);
    const id = await acme.workspace('once');
    await acme.owner.call('DELETE', `/workspaces/${id}`);
    const item = await itemOf(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(item, 'recover')));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await workspaces()).body.meta.pagination['total-count']).toBe(1);
  });
});

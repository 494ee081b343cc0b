import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('deleting workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const byId = (id: string) => `/workspaces/${id}`;
  const byName = (name: string) => `/organizations/${acme.name}/workspaces/${name}`;

  test('a deleted workspace is gone, with its tags, and its name is free', async () => {
    const tags = {
      data: [
        { type: 'tags', attributes: { name: 'only-here' } },
        { type: 'tags', attributes: { name: 'both' } },
      ],
    };
    const bindings = { data: [{ attributes: { key: 'env', value: 'x' } }] };
    const id = await acme.workspace('gone', {}, { tags, 'tag-bindings': bindings });
    const kept = await acme.workspace('kept', {}, { tags: { data: tags.data.slice(1) } });
    expect((await acme.owner.call('DELETE', byId(id))).status).toBe(204);
    expect((await acme.owner.call('GET', byId(id))).status).toBe(404);
    expect((await acme.owner.call('DELETE', byId(id))).status).toBe(404);
    const list = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces`);
    expect(namesOf(list)).toEqual(['kept']);
    expect(list.body.meta.pagination['total-count']).toBe(1);
    const left = await acme.owner.call('GET', `${byId(kept)}/relationships/tags`);
    expect(left.body.data[0].attributes['instance-count']).toBe(1);
    await acme.workspace('gone');
  });

  test('safe deletion and force deletion work by name too', async () => {
    await acme.workspace('one');
    await acme.workspace('two');
    expect((await acme.owner.call('POST', `${byName('one')}/actions/safe-delete`)).status).toBe(204);
    expect((await acme.owner.call('DELETE', byName('two'))).status).toBe(204);
    for (const name of ['one', 'two']) expect((await acme.owner.call('GET', byName(name))).status).toBe(404);
  });

  test('a locked workspace is not deleted safely, but by force', async () => {
    const id = await acme.workspace('locked');
    await acme.owner.call('POST', `${byId(id)}/actions/lock`);
    const refused = await acme.owner.call('POST', `${byId(id)}/actions/safe-delete`);
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0]).toMatchObject({ title: 'conflict', detail: expect.stringContaining('locked') });
    expect((await acme.owner.call('GET', byId(id))).status).toBe(200);
    expect((await acme.owner.call('DELETE', byId(id))).status).toBe(204);
  });

  test('an administrator who is not an owner force-deletes only if the organization allows it', async () => {
    const lenient = await newOrganization(api, { 'allow-force-delete-workspaces': true });
    for (const [organization, expected] of [
      [acme, 403],
      [lenient, 204],
    ] as const) {
      const admin = await organization.machine('admin', { 'manage-workspaces': true });
      const id = await organization.workspace('forced');
      const shown = await admin.call('GET', byId(id));
      expect(shown.body.data.attributes.permissions).toMatchObject({
        'can-destroy': true,
        'can-force-delete': expected === 204,
      });
      const answer = await admin.call('DELETE', byId(id));
      expect(answer.status).toBe(expected);
      if (expected === 403) {
        expect(answer.body.errors[0]).toMatchObject({ status: '403', title: 'forbidden' });
        expect((await admin.call('POST', `${byId(id)}/actions/safe-delete`)).status).toBe(204);
      }
    }
  });
});

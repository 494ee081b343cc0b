import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { privateKey } from '../../../support/samples/private-key.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { LEVELS, withAccess } from './support/members.ts';

describe.each(databaseKinds)('spec §4.8 assign or unassign an SSH key on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  let keys: string[];
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    id = await acme.workspace('keyed');
    keys = [await newKey('one'), await newKey('two')];
  });
  afterAll(() => api.close());

  async function newKey(name: string): Promise<string> {
    const body = { data: { type: 'ssh-keys', attributes: { name, value: privateKey } } };
    return (await acme.owner.call('POST', `/organizations/${acme.name}/ssh-keys`, body)).body.data.id;
  }
  const patch = (body: unknown, caller: Pick<Caller, 'call'> = acme.owner, workspace = id) =>
    caller.call('PATCH', `/workspaces/${workspace}/relationships/ssh-key`, body);
  const assign = (key: unknown, caller?: Pick<Caller, 'call'>, workspace?: string) =>
    patch({ data: { type: 'workspaces', attributes: { id: key } } }, caller, workspace);
  const assigned = async () =>
    (await acme.owner.call('GET', `/workspaces/${id}`)).body.data.relationships['ssh-key'].data?.id ?? null;

  test('assigns, replaces and unassigns, again and again, with the document of the workspace', async () => {
    for (const key of [keys[0], keys[0], keys[1], null, null]) {
      const answer = await assign(key);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual((await acme.owner.call('GET', `/workspaces/${id}`)).body);
      expect(await assigned()).toBe(key);
    }
  });

  test.each([
    ['no data', {}],
    ['a list', { data: [] }],
    ['no type', { data: { attributes: { id: null } } }],
    ['another type', { data: { type: 'runs', attributes: { id: null } } }],
    ['no attributes', { data: { type: 'workspaces' } }],
    ['no id', { data: { type: 'workspaces', attributes: {} } }],
    ['a number', { data: { type: 'workspaces', attributes: { id: 7 } } }],
    ['an object', { data: { type: 'workspaces', attributes: { id: {} } } }],
    ['a body that is no object', '[]'],
  ])('%s: refused, and the key stays', async (_, body) => {
    await assign(keys[0]);
    expect((await patch(body)).status).toBe(422);
    expect(await assigned()).toBe(keys[0]);
  });

  test('the type of an identifier may be left out: only a key can be meant', async () => {
    await assign(null);
    expect((await patch({ data: { id: keys[1] } })).status).toBe(200);
    expect(await assigned()).toBe(keys[1]);
    const neither = await patch({ data: {} });
    expect([neither.status, neither.body.errors[0].source.pointer]).toEqual([422, '/data/attributes/id']);
  });

  test('a key that is unknown, foreign, deleted, or no key at all: 404, and the key stays', async () => {
    await assign(keys[0]);
    const deleted = await newKey('deleted');
    await acme.owner.call('DELETE', `/ssh-keys/${deleted}`);
    const other = await newOrganization(api);
    const body = { data: { type: 'ssh-keys', attributes: { name: 'f', value: privateKey } } };
    const foreign = (await other.owner.call('POST', `/organizations/${other.name}/ssh-keys`, body)).body.data.id;
    for (const key of ['sshkey-none', deleted, foreign, id, 'one', '']) {
      expect((await assign(key)).status, key).toBe(404);
    }
    expect(await assigned()).toBe(keys[0]);
  });

  test('requires an administrator of the workspace (§5): others get 404, as for a missing workspace', async () => {
    for (const access of LEVELS) {
      const caller = await withAccess(api, acme, id, { access });
      for (const key of [keys[1], null]) {
        expect((await assign(key, caller)).status, access).toBe(access === 'admin' ? 200 : 404);
      }
    }
    expect((await assign(keys[0], acme.owner, 'ws-none')).status).toBe(404);
    expect((await assign(null, acme.owner, 'keyed')).status, 'there is no path by names').toBe(404);
  });
});

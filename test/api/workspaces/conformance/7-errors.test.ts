import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, type Caller, startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { stateText, worker } from '../support/states.ts';

const MEDIA_TYPE = 'application/vnd.api+json';
const consumers = { data: [{ type: 'workspaces', id: 'ws-none' }] };
const tags = { data: [{ type: 'tags', attributes: { name: 'blue' } }] };
const key = { data: { type: 'workspaces', attributes: { id: null } } };
const policy = { data: { type: 'data-retention-policy-dont-deletes' } };

/** Every endpoint of spec §4 that names a workspace: by id, and where there is such a path by names. */
const ENDPOINTS: readonly [method: string, path: string, body?: object][] = [
  ['GET', ''],
  ['PATCH', '', workspaceBody({ description: 'x' })],
  ['DELETE', ''],
  ['POST', '/actions/safe-delete'],
  ['POST', '/actions/lock'],
  ['POST', '/actions/unlock'],
  ['POST', '/actions/force-unlock'],
  ['PATCH', '/relationships/ssh-key', key],
  ['GET', '/relationships/remote-state-consumers'],
  ['POST', '/relationships/remote-state-consumers', consumers],
  ['PATCH', '/relationships/remote-state-consumers', consumers],
  ['DELETE', '/relationships/remote-state-consumers', consumers],
  ['GET', '/relationships/tags'],
  ['POST', '/relationships/tags', tags],
  ['DELETE', '/relationships/tags', tags],
  ['GET', '/tag-bindings'],
  ['GET', '/effective-tag-bindings'],
  ['GET', '/relationships/data-retention-policy'],
  ['POST', '/relationships/data-retention-policy', policy],
  ['DELETE', '/relationships/data-retention-policy'],
];
const BY_NAMES = ['', '/actions/safe-delete'];

describe.each(databaseKinds)('spec §7 errors on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  let blind: Caller;
  let stranger: Caller;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    id = await acme.workspace('seen');
    await worker(api, acme.owner, id).lock();
    blind = await acme.machine('blind');
    stranger = (await newOrganization(api)).owner;
  });
  afterAll(() => api.close());

  /** A JSON:API error object: status as text, a title, a detail. */
  function expectError(answer: Answer, status: number): void {
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers['content-type']).toBe(MEDIA_TYPE);
    expect(Object.keys(answer.body)).toEqual(['errors']);
    for (const error of answer.body.errors) {
      expect(error).toMatchObject({ status: String(status), title: expect.any(String), detail: expect.any(String) });
      expect(error.title.length * error.detail.length).toBeGreaterThan(0);
    }
  }

  test.each(ENDPOINTS)(
    '404: %s %s does not reveal whether the resource is missing or forbidden',
    async (method, path, body) => {
      const absent = await acme.owner.call(method, `/workspaces/ws-none${path}`, body);
      expectError(absent, 404);
      const places = [`/workspaces/${id}${path}`];
      if (BY_NAMES.includes(path)) places.push(`/organizations/${acme.name}/workspaces/seen${path}`);
      for (const at of places) {
        for (const caller of [blind, stranger]) {
          const { status, body: told, headers } = await caller.call(method, at, body);
          expect([status, told, headers['content-length']]).toEqual([
            404,
            absent.body,
            absent.headers['content-length'],
          ]);
        }
      }
      expect((await acme.owner.call('GET', `/workspaces/${id}`)).body.data.attributes).toMatchObject({
        locked: true,
        description: null,
        'tag-names': [],
      });
    },
  );

  test('an invalid body reveals nothing to a stranger either', async () => {
    for (const [method, path, body] of ENDPOINTS) {
      if (body === undefined) continue;
      const [seen, absent] = await Promise.all(
        [id, 'ws-none'].map((one) => stranger.call(method, `/workspaces/${one}${path}`, { data: 7 })),
      );
      expect(seen?.body, `${method} ${path}`).toEqual(absent?.body);
    }
  });

  /** The other rows of the table: a state of the server, and a request. */
  const ROWS: readonly [status: number, where: string, before: string, method: string, path: string][] = [
    [409, 'lock', 'lock', 'POST', '/actions/lock'],
    [409, 'unlock', '', 'POST', '/actions/unlock'],
    [409, 'unlock', 'lock of another', 'POST', '/actions/unlock'],
    [409, 'force unlock', '', 'POST', '/actions/force-unlock'],
    [409, 'safe delete', 'state', 'POST', '/actions/safe-delete'],
    [409, 'safe delete', 'lock', 'POST', '/actions/safe-delete'],
    [422, 'consumers', '', 'POST', '/relationships/remote-state-consumers'],
    [422, 'consumers', '', 'PATCH', '/relationships/remote-state-consumers'],
    [422, 'consumers', '', 'DELETE', '/relationships/remote-state-consumers'],
    [503, 'unlock', 'pending', 'POST', '/actions/unlock'],
  ];
  test.each(ROWS)(
    '%i for %s after "%s": an error object, and the workspace stays as it was',
    async (status, _, before, method, path) => {
      const workspace = await acme.workspace(`row-${status}-${api.now()}`);
      api.advance(1);
      const at = worker(api, acme.owner, workspace);
      if (before === 'lock') await at.lock();
      if (before === 'lock of another') {
        await (await acme.machine(`other-${api.now()}`, { 'manage-workspaces': true })).call(
          'POST',
          `${at.path}/actions/lock`,
        );
      }
      if (before === 'pending' || before === 'state') await at.lock();
      if (before === 'pending') await at.create(stateText(1), { serial: 1 });
      if (before === 'state') {
        await at.write(stateText(1), { serial: 1 });
        await at.unlock();
      }
      const was = await at.show();
      expectError(await acme.owner.call(method, `${at.path}${path}`, status === 422 ? consumers : undefined), status);
      expect(await at.show()).toEqual(was);
    },
  );

  test('403 only for force delete: an administrator without the permission', async () => {
    const admin = await acme.machine('admin', { 'manage-workspaces': true });
    expectError(await admin.call('DELETE', `/workspaces/${id}`), 403);
    expectError(await admin.call('DELETE', `/organizations/${acme.name}/workspaces/seen`), 403);
  });

  test('other methods on a path, and other paths, are error objects too', async () => {
    expectError(await acme.owner.call('PUT', `/workspaces/${id}/relationships/ssh-key`, key), 404);
    expectError(await acme.owner.call('GET', `/workspaces/${id}/actions/lock`), 404);
    expectError(await acme.owner.call('GET', `/workspaces/${id}/nothing`), 404);
    expectError(await acme.owner.call('PATCH', `/workspaces/${id}`, '{"data":'), 400);
    expectError(await acme.owner.call('GET', `/workspaces/${id}?include=nonsense`), 400);
    expectError(await api.nobody().call('GET', `/workspaces/${id}`), 401);
  });
});

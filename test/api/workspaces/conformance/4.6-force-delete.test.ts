import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { stateText, worker } from '../support/states.ts';
import { LEVELS, withAccess } from './support/members.ts';

describe.each(databaseKinds)('spec §4.6 force delete on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let lenient: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    lenient = await newOrganization(api, { 'allow-force-delete-workspaces': true });
  });
  afterAll(() => api.close());

  /** A locked workspace that manages a resource. */
  async function occupied(organization = acme) {
    const name = `f-${++names}`;
    const id = await organization.workspace(name);
    const at = worker(api, organization.owner, id);
    await at.lock();
    await at.write(stateText(1), { serial: 1 });
    const [byId, byName] = [`/workspaces/${id}`, `/organizations/${organization.name}/workspaces/${name}`];
    return { id, byId, byName };
  }

  test('an owner deletes a workspace with resources, locked or not, by ID and by names: 204 without a body', async () => {
    for (const by of ['byId', 'byName'] as const) {
      const place = await occupied();
      const answer = await acme.owner.call('DELETE', place[by]);
      expect([answer.status, answer.text]).toEqual([204, '']);
      for (const path of [place.byId, place.byName]) {
        expect((await acme.owner.call('GET', path)).status).toBe(404);
        expect((await acme.owner.call('DELETE', path)).status).toBe(404);
      }
    }
  });

  test('a caller without permission: administrators of the workspace get 403, others 404', async () => {
    const { id, byId, byName } = await occupied();
    const absent = await acme.owner.call('DELETE', '/workspaces/ws-none');
    expect(absent.status).toBe(404);
    for (const access of LEVELS) {
      const caller = await withAccess(api, acme, id, { access });
      for (const path of [byId, byName]) {
        const answer = await caller.call('DELETE', path);
        expect(answer.status, access).toBe(access === 'admin' ? 403 : 404);
        if (access === 'admin') expect(answer.body.errors).toMatchObject([{ status: '403', title: 'forbidden' }]);
        else expect(answer.body).toEqual(absent.body);
      }
    }
    const stranger = (await newOrganization(api)).owner;
    expect((await stranger.call('DELETE', byId)).body).toEqual(absent.body);
    expect((await acme.owner.call('GET', byId)).status).toBe(200);
  });

  test('owners can change a setting: administrators then delete their own workspaces, and no others', async () => {
    const [own, other] = [await occupied(lenient), await occupied(lenient)];
    const admin = await withAccess(api, lenient, own.id, { access: 'admin' });
    const writer = await withAccess(api, lenient, own.id, { access: 'write' });
    expect((await writer.call('DELETE', own.byId)).status).toBe(404);
    expect((await admin.call('DELETE', other.byId)).status).toBe(404);
    expect((await admin.call('DELETE', own.byName)).status).toBe(204);

    const set = (value: unknown) =>
      lenient.owner.call('PATCH', `/organizations/${lenient.name}`, {
        data: { type: 'organizations', attributes: { 'allow-force-delete-workspaces': value } },
      });
    const next = await occupied(lenient);
    const owned = await withAccess(api, lenient, next.id, { access: 'admin' });
    for (const [value, allowed] of [
      [false, false],
      [true, true],
      [null, false],
    ] as const) {
      expect((await set(value)).status).toBe(200);
      const { permissions } = (await owned.call('GET', next.byId)).body.data.attributes;
      expect(permissions['can-force-delete']).toBe(allowed);
    }
    expect((await owned.call('DELETE', next.byId)).status).toBe(403);
    await set(true);
    expect((await owned.call('DELETE', next.byId)).status).toBe(204);
  });

  test('there is no request body; one that is sent means nothing', async () => {
    const { byId } = await occupied();
    expect((await acme.owner.call('DELETE', byId, { data: { type: 'workspaces', id: 'ws-other' } })).status).toBe(204);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { atAddress, base64, lockedWorkspace, md5, stateText } from '../support/states.ts';

describe.each(databaseKinds)('old states on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const locked = () => lockedWorkspace(api, acme, `s-${++names}`);
  const get = (path: string) => acme.owner.call('GET', path);
  const statusOf = async (id: string) => (await get(`/state-versions/${id}`)).body.data.attributes.status;

  test('facts §4.4: a rollback makes an old state current again, with the next serial in the file too', async () => {
    const { path, write, current, unlock, lock, create } = await locked();
    const first = await write(stateText(1), { serial: 1, lineage: 'lineage-1' });
    await write(stateText(2, { resources: [] }), { serial: 2, lineage: 'lineage-1' });
    const body = {
      data: {
        type: 'state-versions',
        relationships: { 'rollback-state-version': { data: { type: 'state-versions', id: first.id } } },
      },
    };
    await unlock();
    expect((await acme.owner.call('PATCH', `${path}/state-versions`, body)).status).toBe(409);
    await lock();
    const rolled = await acme.owner.call('PATCH', `${path}/state-versions`, body);
    expect(rolled.status, rolled.text).toBe(201);
    const { id, attributes, relationships } = rolled.body.data;
    expect(attributes).toMatchObject({ serial: 3, lineage: 'lineage-1', status: 'finalized' });
    expect(relationships['rollback-state-version'].data).toEqual({ type: 'state-versions', id: first.id });
    expect((await current()).body.data.id).toBe(id);
    const text = (await atAddress(api, 'GET', attributes['hosted-state-download-url'])).text;
    expect(text).toBe(stateText(3));
    expect(attributes.md5).toBe(md5(text));
    expect((await create(stateText(4), { serial: 4, lineage: 'lineage-1', state: base64(stateText(4)) })).status).toBe(
      201,
    );
    const elsewhere = await locked();
    expect((await acme.owner.call('PATCH', `${elsewhere.path}/state-versions`, body)).status).toBe(404);
  });

  test('a rollback to a state that cannot be read keeps its bytes and its serial', async () => {
    const { path, write, current, create } = await locked();
    const first = await write('encrypted 1', { serial: 1 });
    await write('encrypted 2', { serial: 2 });
    const body = {
      data: { type: 'state-versions', relationships: { 'rollback-state-version': { data: { id: first.id } } } },
    };
    expect((await acme.owner.call('PATCH', `${path}/state-versions`, body)).status).toBe(201);
    const { attributes } = (await current()).body.data;
    expect(attributes).toMatchObject({ serial: 1, md5: md5('encrypted 1') });
    expect((await create('encrypted 3', { serial: 2, state: base64('encrypted 3') })).status).toBe(201);
  });

  test('facts §1.13: data is put aside, brought back and removed for good, never that of the current state', async () => {
    const { write } = await locked();
    const old = await write(stateText(0), { serial: 0 });
    const current = await write(stateText(0), { serial: 0 });
    const act = (id: string, action: string) =>
      acme.owner.call('POST', `/state-versions/${id}/actions/${action}_backing_data`);
    const download = async (version: typeof old) =>
      (await atAddress(api, 'GET', version.attributes['hosted-state-download-url'])).status;

    const refused = await act(current.id, 'soft_delete');
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].title).toBe('transition not allowed');
    expect((await act(old.id, 'permanently_delete')).status).toBe(400);

    expect((await act(old.id, 'soft_delete')).status).toBe(204);
    expect(await download(old)).toBe(404);
    expect(await statusOf(old.id)).toBe('backing_data_soft_deleted');
    expect((await act(old.id, 'restore')).status).toBe(204);
    expect(await download(old)).toBe(200);
    await act(old.id, 'soft_delete');
    expect((await act(old.id, 'permanently_delete')).status).toBe(204);
    expect((await act(old.id, 'restore')).body.errors[0].title).toBe('transition not allowed');
    expect(await statusOf(old.id)).toBe('backing_data_permanently_deleted');
    // The current version has equal content.
    expect(await download(current)).toBe(200);
  });
});

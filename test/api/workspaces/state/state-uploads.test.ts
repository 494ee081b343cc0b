import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { atAddress, base64, lockedWorkspace, stateText, worker } from '../support/states.ts';

describe.each(databaseKinds)('accepted states on %s', (kind) => {
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

  test('facts §4.4: only a locked workspace takes states, and only from the holder of the lock', async () => {
    const id = await acme.workspace(`s-${++names}`);
    const at = worker(api, acme.owner, id);
    const refused = await at.create(stateText(1), { serial: 1 });
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].detail).toBe(
      'This workspace is not locked and will only accept state uploads when locked',
    );
    const other = await acme.machine('writer', { 'manage-workspaces': true });
    await worker(api, other, id).lock();
    const foreign = await at.create(stateText(1), { serial: 1 });
    expect(foreign.status).toBe(409);
    expect(foreign.body.errors[0].detail).toContain('locked by another holder');
  });

  test('facts §4.4: another MD5 than announced is a 422, and the version waits on for the right bytes', async () => {
    const { create } = await locked();
    const text = stateText(1);
    const inline = await create(text, { serial: 1, state: base64('something else') });
    expect(inline.status).toBe(422);
    expect(inline.body.errors[0].source.pointer).toBe('/data/attributes/md5');
    const { id, attributes } = (await create(text, { serial: 1 })).body.data;
    const wrong = await atAddress(api, 'PUT', attributes['hosted-state-upload-url'], 'half');
    expect(wrong.status).toBe(422);
    expect(await statusOf(id)).toBe('pending');
    for (let i = 0; i < 2; i++) {
      expect((await atAddress(api, 'PUT', attributes['hosted-state-upload-url'], text)).status).toBe(200);
    }
    expect(await statusOf(id)).toBe('finalized');
  });

  test.each([
    ['the same once more', { serial: 5, lineage: 'l' }, 'same', 201],
    ['another content under the same serial', { serial: 5, lineage: 'l' }, 'other', 409],
    ['a lower serial', { serial: 4, lineage: 'l' }, 'other', 409],
    ['another lineage', { serial: 6, lineage: 'm' }, 'other', 409],
    ['no lineage', { serial: 6 }, 'other', 201],
    ['the next', { serial: 6, lineage: 'l' }, 'other', 201],
    ['any of that by force', { serial: 1, lineage: 'm', force: true }, 'other', 201],
  ])('facts §4.4: %s', async (_, attributes, which, status) => {
    const { create, write } = await locked();
    // The server never checks the serial inside the file (trap 11).
    const [same, other] = [stateText(77), stateText(78)];
    await write(same, { serial: 5, lineage: 'l' });
    const text = which === 'same' ? same : other;
    const answer = await create(text, { ...attributes, state: base64(text) });
    expect(answer.status, answer.text).toBe(status);
  });

  test.each([
    [{ md5: undefined, serial: 1 }, '/data/attributes/md5'],
    [{}, '/data/attributes/serial'],
    [{ serial: -1 }, '/data/attributes/serial'],
    [{ serial: 1.5 }, '/data/attributes/serial'],
    [{ serial: 1, md5: 'x' }, '/data/attributes/md5'],
    [{ serial: 1, state: '!!!' }, undefined],
    [{ serial: 1, 'json-state-outputs': base64('[]') }, undefined],
  ])('a version with %j is a 422', async (attributes, pointer) => {
    const { create } = await locked();
    const answer = await create(stateText(1), attributes);
    expect(answer.status).toBe(422);
    if (pointer) expect(answer.body.errors[0].source.pointer).toBe(pointer);
  });

  test('facts §4.4: a pending version is superseded by the next, and its URL is no longer valid', async () => {
    const { create, write } = await locked();
    const text = stateText(1);
    const { id, attributes } = (await create(text, { serial: 1 })).body.data;
    await write(stateText(2), { serial: 2 });
    expect(await statusOf(id)).toBe('discarded');
    expect((await atAddress(api, 'PUT', attributes['hosted-state-upload-url'], text)).status).toBe(409);
  });

  test('spec §3: unlock is 503 while a version is pending, and a forced one is not', async () => {
    const { create, unlock, forceUnlock, lock, upload } = await locked();
    const text = stateText(1);
    const { attributes } = (await create(text, { serial: 1 })).body.data;
    expect((await unlock()).status).toBe(503);
    expect((await forceUnlock()).status).toBe(200);
    const late = await atAddress(api, 'PUT', attributes['hosted-state-upload-url'], text);
    expect(late.status).toBe(409);
    await lock();
    await upload(stateText(2), { serial: 2 });
    expect((await unlock()).status).toBe(200);
  });

  test('URLs are signed for one version and one purpose, for a limited time', async () => {
    const { create, write } = await locked();
    const first = await write(stateText(1), { serial: 1 });
    const second = (await create(stateText(2), { serial: 2 })).body.data;
    const [download, upload] = [
      first.attributes['hosted-state-download-url'],
      second.attributes['hosted-state-upload-url'],
    ];
    expect((await atAddress(api, 'GET', download)).status).toBe(200);
    expect((await atAddress(api, 'GET', download.replace(first.id, second.id))).status).toBe(401);
    expect((await atAddress(api, 'GET', download.replace('/download', '/json-download'))).status).toBe(401);
    expect((await atAddress(api, 'GET', download.replace(/token~at-/, 'token~at-1'))).status).toBe(401);
    expect((await atAddress(api, 'PUT', upload.replace(/.{10}$/, 'AAAAAAAAAA'), 'x')).status).toBe(401);
    expect((await atAddress(api, 'PUT', `${upload}&link=x`, 'x')).status).toBe(401);
    const bare = `/state-versions/${first.id}/download`;
    expect((await api.nobody().call('GET', bare)).status).toBe(401);
    expect((await get(bare)).text).toBe(stateText(1));
    api.advance(27 * 3_600_000);
    expect((await atAddress(api, 'GET', download)).status).toBe(401);
    expect((await atAddress(api, 'PUT', upload, stateText(2))).status).toBe(401);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { base64, resource, stateText, worker } from '../support/states.ts';
import { LEVELS, withAccess } from './support/members.ts';

const DATA = resource('aws_ami', 'image', [{ id: 'ami-1' }], { mode: 'data' });
const MANAGED = resource('aws_instance', 'web', [{ id: 'i-1' }]);

describe.each(databaseKinds)('spec §4.5 safe delete on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  /** Creates an unlocked workspace with these states, and returns both URLs of its safe deletion. */
  async function having(...states: string[]) {
    const name = `s-${++names}`;
    const id = await acme.workspace(name);
    const at = worker(api, acme.owner, id);
    await at.lock();
    for (const [index, text] of states.entries()) {
      await at.create(text, { serial: index + 1, state: base64(text) });
    }
    await at.unlock();
    const paths = [id, `../organizations/${acme.name}/workspaces/${name}`].map((one) =>
      `/workspaces/${one}`.replace('/workspaces/..', ''),
    );
    const [byId = '', byName = ''] = paths.map((path) => `${path}/actions/safe-delete`);
    return { id, byId, byName, isThere: async () => (await acme.owner.call('GET', at.path)).status === 200 };
  }

  const DELETED: readonly [what: string, states: readonly string[]][] = [
    ['never had a state', []],
    ['has an empty state', [stateText(1, { resources: [] })]],
    ['only reads what others manage', [stateText(1, { resources: [DATA] })]],
    ['has a resource without any instance', [stateText(1, { resources: [resource('aws_instance', 'web', [])] })]],
    ['managed resources once', [stateText(1), stateText(2, { resources: [] })]],
  ];
  test.each(DELETED)('204 without a body, by id and by names: one that %s', async (_, states) => {
    for (const by of ['byId', 'byName'] as const) {
      const place = await having(...states);
      const answer = await acme.owner.call('POST', place[by]);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await place.isThere()).toBe(false);
      for (const path of [place.byId, place.byName]) {
        expect((await acme.owner.call('POST', path)).status, 'it is gone').toBe(404);
      }
    }
  });

  const ENCRYPTED = JSON.stringify({ serial: 1, encrypted_data: 'AAAA', encryption_version: 'v0' });
  const KEPT: readonly [what: string, states: readonly string[], words: RegExp][] = [
    ['manages a resource', [stateText(1)], /still managing resources$/],
    ['manages one besides what it reads', [stateText(1, { resources: [DATA, MANAGED] })], /still managing resources$/],
    ['manages resources again', [stateText(1, { resources: [] }), stateText(2)], /still managing resources$/],
    ['has a state that nobody here can read', [ENCRYPTED], /still managing resources: its state is encrypted$/],
  ];
  test.each(KEPT)('409, and it stays, by id and by names: one that %s', async (_, states, words) => {
    const place = await having(...states);
    for (const path of [place.byId, place.byName]) {
      const answer = await acme.owner.call('POST', path);
      expect(answer.status).toBe(409);
      expect(answer.body.errors).toEqual([{ status: '409', title: 'conflict', detail: expect.stringMatching(words) }]);
      expect(answer.text).not.toMatch(/locked|being processed/);
    }
    expect(await place.isThere()).toBe(true);
  });

  test('404 for a caller without permission, as for an unknown workspace', async () => {
    const place = await having();
    const absent = await acme.owner.call('POST', '/workspaces/ws-none/actions/safe-delete');
    expect(absent.status).toBe(404);
    const stranger = await api.user(`stranger-${names}`);
    const other = (await newOrganization(api)).owner;
    const below = await Promise.all(
      LEVELS.filter((level) => level !== 'admin').map((access) => withAccess(api, acme, place.id, { access })),
    );
    for (const caller of [stranger, other, ...below]) {
      for (const path of [place.byId, place.byName]) {
        const answer = await caller.call('POST', path);
        expect([answer.status, answer.body]).toEqual([404, absent.body]);
      }
    }
    const admin = await withAccess(api, acme, place.id, { access: 'admin' });
    expect((await admin.call('POST', place.byId)).status).toBe(204);
  });

  test('there is no request body; one that is sent means nothing', async () => {
    for (const body of [{}, { data: { type: 'workspaces', attributes: { force: true } } }, { force: true }, null]) {
      const [empty, full] = [await having(), await having(stateText(1))];
      expect((await acme.owner.call('POST', empty.byId, body)).status).toBe(204);
      expect((await acme.owner.call('POST', full.byId, body)).status).toBe(409);
    }
  });

  test('of twenty at once, by id and by names, one deletes', async () => {
    const { byId, byName } = await having();
    const calls = Array.from({ length: 20 }, (_, i) => acme.owner.call('POST', i % 2 === 0 ? byId : byName));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, ...Array(19).fill(404)]);
  });

  test('a lock at the same time is held, or comes too late', async () => {
    for (let i = 0; i < 10; i++) {
      const { id, byId, isThere } = await having();
      const [locked, deleted] = await Promise.all([
        acme.owner.call('POST', `/workspaces/${id}/actions/lock`),
        acme.owner.call('POST', byId),
      ]);
      if (deleted.status === 204) expect(await isThere()).toBe(false);
      else expect([deleted.status, locked.status, await isThere()]).toEqual([409, 200, true]);
    }
  });
});

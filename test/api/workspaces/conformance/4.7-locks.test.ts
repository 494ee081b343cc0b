import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';
import { atAddress, stateText, worker } from '../support/states.ts';
import { withAccess } from './support/members.ts';

const ACTIONS = ['lock', 'unlock', 'force-unlock'] as const;

describe.each(databaseKinds)('spec §4.7 lock, unlock and force unlock on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const newWorkspace = () => acme.workspace(`l-${++names}`);
  const act = (id: string, action: string, caller: Pick<Caller, 'call'> = acme.owner, body?: unknown) =>
    caller.call('POST', `/workspaces/${id}/actions/${action}`, body);
  const isLocked = async (id: string): Promise<boolean> =>
    (await acme.owner.call('GET', `/workspaces/${id}`)).body.data.attributes.locked;

  const ACCESS: readonly [access: object, lock: number, unlock: number, force: number][] = [
    [{ access: 'read' }, 404, 404, 404],
    [{ access: 'plan' }, 404, 404, 404],
    [{ access: 'custom', runs: 'apply', 'workspace-locking': false }, 404, 404, 404],
    [{ access: 'custom', runs: 'read', 'workspace-locking': true }, 200, 200, 404],
    [{ access: 'write' }, 200, 200, 404],
    [{ access: 'admin' }, 200, 200, 200],
  ];
  test.each(ACCESS)('with access %j: lock %i, unlock %i, force unlock %i', async (access, lock, unlock, force) => {
    const id = await newWorkspace();
    const member = await withAccess(api, acme, id, access);
    expect((await act(id, 'lock', member)).status).toBe(lock);
    if (lock === 404) await act(id, 'lock');
    expect((await act(id, 'unlock', member)).status).toBe(unlock);
    if (unlock === 200) await act(id, 'lock');
    expect((await act(id, 'force-unlock', member)).status).toBe(force);
    expect(await isLocked(id)).toBe(force === 404);
  });

  test('a workspace that is not there, foreign, deleted or named by its name: 404 for each action', async () => {
    const deleted = await newWorkspace();
    await acme.owner.call('DELETE', `/workspaces/${deleted}`);
    const foreign = await (await newOrganization(api)).workspace('foreign');
    await acme.workspace('by-name');
    for (const id of ['ws-none', deleted, foreign, 'by-name']) {
      for (const action of ACTIONS) expect((await act(id, action)).status, `${action} ${id}`).toBe(404);
    }
  });

  test.each([[7], [true], [{}], [['x']]])('a reason of %j is refused, and locks nothing', async (reason) => {
    const id = await newWorkspace();
    for (const body of [{ reason }, { data: { attributes: { reason } } }]) {
      expect((await act(id, 'lock', acme.owner, body)).status).toBe(422);
    }
    expect(await isLocked(id)).toBe(false);
  });

  test('a reason of 1024 characters is kept, and gone with the lock', async () => {
    const id = await newWorkspace();
    const reason = 'ä'.repeat(1024);
    expect((await act(id, 'lock', acme.owner, { reason })).body.data.attributes['locked-reason']).toBe(reason);
    expect((await act(id, 'unlock')).body.data.attributes).toMatchObject({ locked: false, 'locked-reason': null });
    expect((await act(id, 'lock')).body.data.attributes['locked-reason']).toBe('');
  });

  test('unlock and force unlock have no body; one that is sent means nothing', async () => {
    const id = await newWorkspace();
    for (const action of ['unlock', 'force-unlock']) {
      for (const body of [{}, { force: true }, { data: { type: 'workspaces', id: 'ws-none' } }, null]) {
        await act(id, 'lock');
        expect((await act(id, action, acme.owner, body)).status, `${action} ${JSON.stringify(body)}`).toBe(200);
      }
    }
  });

  test('while a state is on its way unlock is 503 and nothing moves; once it is there, unlock makes it current', async () => {
    const id = await newWorkspace();
    const at = worker(api, acme.owner, id);
    await at.lock();
    await at.write(stateText(1, { resources: [] }), { serial: 1 });
    const text = stateText(2);
    const pending = (await at.create(text, { serial: 2, intermediate: true })).body.data;
    const before = await at.show();
    for (let i = 0; i < 3; i++) {
      const answer = await at.unlock();
      expect(answer.status).toBe(503);
      expect(answer.body.errors).toMatchObject([{ status: '503', detail: expect.stringContaining('pending') }]);
    }
    expect(await at.show()).toEqual(before);
    await atAddress(api, 'PUT', pending.attributes['hosted-state-upload-url'], text);
    expect((await at.show()).relationships['current-state-version'].data.id).not.toBe(pending.id);
    const unlocked = await at.unlock();
    expect(unlocked.status).toBe(200);
    expect(unlocked.body.data.relationships['current-state-version'].data.id).toBe(pending.id);
    expect(unlocked.body.data.attributes).toMatchObject({ locked: false, 'resource-count': 1 });
  });

  test('a caller who does not hold the lock gets 409, even during the upload of a state', async () => {
    const id = await newWorkspace();
    const at = worker(api, acme.owner, id);
    await at.lock();
    await at.create(stateText(1), { serial: 1 });
    const other = await withAccess(api, acme, id, { access: 'admin' });
    const answer = await act(id, 'unlock', other);
    expect([answer.status, answer.body.errors[0].detail]).toEqual([409, expect.stringContaining('is locked by User')]);
    expect((await act(id, 'force-unlock', other)).status).toBe(200);
  });

  test('only the run releases its lock, and an administrator can break it', async () => {
    const runs = runsOf(api, acme);
    const id = await runs.workspace(`l-${++names}`);
    const run = await runs.run(id);
    expect((await act(id, 'lock')).status).toBe(409);
    const refused = await act(id, 'unlock');
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      409,
      expect.stringContaining(`is locked by Run ${run}`),
    ]);
    const writer = await withAccess(api, acme, id, { access: 'write' });
    expect((await act(id, 'force-unlock', writer)).status).toBe(404);
    expect((await act(id, 'force-unlock')).status).toBe(200);
  });

  test('concurrent requests have the responses of one sequential order', async () => {
    const id = await newWorkspace();
    const calls = Array.from({ length: 60 }, (_, i) => act(id, ACTIONS[i % 3] ?? ''));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    const count = (...actions: number[]) =>
      statuses.filter((status, i) => status === 200 && actions.includes(i % 3)).length;
    expect(count(0) - count(1, 2)).toBe(Number(await isLocked(id)));
  });
});

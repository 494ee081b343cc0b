import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { identify, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('the history of locks on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const newWorkspace = () => acme.workspace(`h-${++names}`);
  const act = (id: string, action: string, body?: unknown, caller = acme.owner as Pick<typeof acme.owner, 'call'>) =>
    caller.call('POST', `/workspaces/${id}/actions/${action}`, body);
  const events = async (id: string) => (await acme.owner.call('GET', `/workspaces/${id}/lock-events`)).body;
  const iso = () => new Date(api.now()).toISOString();

  test('shows user, time, reason and duration, newest first', async () => {
    const id = await newWorkspace();
    expect((await events(id)).data).toEqual([]);
    await act(id, 'lock', { reason: 'planned work' });
    const by = { data: { type: 'users', id: acme.owner.id } };
    const open = (await events(id)).data;
    expect(open).toHaveLength(1);
    expect(open[0]).toMatchObject({
      type: 'lock-events',
      attributes: {
        reason: 'planned work',
        'locked-at': iso(),
        'locked-by-name': acme.owner.username,
        'unlocked-at': null,
        'unlocked-by-name': null,
        'held-seconds': null,
        forced: false,
      },
      relationships: {
        workspace: { data: { type: 'workspaces', id } },
        'locked-by': by,
        'unlocked-by': { data: null },
      },
    });
    api.advance(90_000);
    await act(id, 'unlock');
    const [ended] = (await events(id)).data;
    expect(ended.id).toBe(open[0].id);
    expect(ended.attributes).toMatchObject({ 'unlocked-at': iso(), 'held-seconds': 90, forced: false });
    expect(ended.relationships['unlocked-by']).toEqual(by);
    api.advance(1000);
    await act(id, 'lock');
    const both = await events(id);
    expect(both.data.map(({ attributes }: { attributes: { reason: string } }) => attributes.reason)).toEqual([
      '',
      'planned work',
    ]);
    expect(both.meta.pagination['total-count']).toBe(2);
  });

  test('a forced unlock shows its user; a machine is shown beside its team', async () => {
    const id = await newWorkspace();
    const team = await acme.team(`runners-${names}`, { 'manage-workspaces': true });
    await identify(acme.owner, team, { mount: 'cert', role: `h-${names}` });
    const machine = api.machine({ role: `h-${names}`, commonName: 'ci-7.example.com' });
    await act(id, 'lock', undefined, machine);
    api.advance(3_600_000);
    await act(id, 'force-unlock');
    expect((await events(id)).data[0]).toMatchObject({
      attributes: {
        'locked-by-name': 'ci-7.example.com',
        'unlocked-by-name': acme.owner.username,
        'held-seconds': 3600,
        forced: true,
      },
      relationships: { 'locked-by': { data: { type: 'teams', id: team } } },
    });
  });

  test('a refused request leaves no event', async () => {
    const id = await newWorkspace();
    await act(id, 'unlock');
    await act(id, 'force-unlock');
    await act(id, 'lock');
    await act(id, 'lock');
    expect((await events(id)).data).toHaveLength(1);
  });

  test('of fifty concurrent locks, one is in the history', async () => {
    const id = await newWorkspace();
    await Promise.all(Array.from({ length: 50 }, () => act(id, 'lock')));
    expect((await events(id)).meta.pagination['total-count']).toBe(1);
  });

  test('a run locks and unlocks in its own transaction, and official clients see that it does', async () => {
    const id = await newWorkspace();
    const { database, workspace } = api.workspaces;
    const { locks } = workspace;
    const lock = (run: string) => database.transaction((tx) => locks.lockForRun(tx, id, run, 'planning'));
    const unlock = (run: string) => database.transaction((tx) => locks.unlockRun(tx, id, run));
    expect(await lock('run-1')).toBe(true);
    expect(await lock('run-2')).toBe(false);
    const shown = (await acme.owner.call('GET', `/workspaces/${id}`)).body.data;
    expect(shown.attributes).toMatchObject({ locked: true, 'locked-reason': 'planning' });
    expect(shown.relationships['locked-by']).toEqual({
      data: { type: 'runs', id: 'run-1' },
      links: { related: '/api/v2/runs/run-1' },
    });
    expect((await act(id, 'lock')).status).toBe(409);
    const refused = await act(id, 'unlock');
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].detail).toContain('is locked by Run run-1');
    expect(await unlock('run-2')).toBe(false);
    expect(await unlock('run-1')).toBe(true);
    await expect(
      database.transaction(async (tx) => {
        await locks.lockForRun(tx, id, 'run-3');
        throw new Error('the run does not begin after all');
      }),
    ).rejects.toThrow('after all');
    expect((await act(id, 'lock')).status).toBe(200);
    expect((await events(id)).meta.pagination['total-count']).toBe(2);
  });

  test('a caller who may not see the workspace sees no history', async () => {
    const id = await newWorkspace();
    await act(id, 'lock');
    const outsider = await acme.machine(`outsider-${names}`);
    expect((await outsider.call('GET', `/workspaces/${id}/lock-events`)).status).toBe(404);
    const reader = await acme.machine(`h-reader-${names}`, { 'read-workspaces': true });
    expect((await reader.call('GET', `/workspaces/${id}/lock-events`)).status).toBe(200);
  });

  test('locks released a year ago are deleted; active ones are not', async () => {
    const [old, held] = [await newWorkspace(), await newWorkspace()];
    await act(old, 'lock');
    await act(old, 'unlock');
    await act(held, 'lock');
    api.advance(366 * 24 * 3_600_000);
    await api.workspaces.workspace.purge.sweep();
    expect((await events(old)).data).toEqual([]);
    expect((await events(held)).data).toHaveLength(1);
    expect((await act(held, 'unlock')).status).toBe(200);
  });
});

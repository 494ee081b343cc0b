import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, type Caller, startApi, type TestApi } from '../support/api.ts';
import { newOrganization, newTeamMember, type TestOrganization } from '../support/organization.ts';
import { atAddress, stateText, worker } from '../support/states.ts';

type Lock = 'unlocked' | 'locked' | 'locked by another';
type State = 'none' | 'managing' | 'pending' | 'intermediate';

const EMPTY = stateText(9, { resources: [] });

interface Row {
  readonly lock: Lock;
  readonly state?: State;
  readonly operation: 'lock' | 'unlock' | 'force-unlock' | 'safe-delete' | 'delete';
  readonly status: number;
  readonly next: 'locked' | 'unlocked' | 'deleted';
  /** Expected text in the error. */
  readonly says?: string;
}

/** The table of §3, and its gap: safe delete refuses a workspace with an active run. */
const ROWS: readonly Row[] = [
  { lock: 'unlocked', operation: 'lock', status: 200, next: 'locked' },
  { lock: 'unlocked', state: 'managing', operation: 'lock', status: 200, next: 'locked' },
  { lock: 'locked', operation: 'lock', status: 409, next: 'locked', says: 'already locked' },
  { lock: 'locked by another', operation: 'lock', status: 409, next: 'locked', says: 'already locked' },
  { lock: 'locked', operation: 'unlock', status: 200, next: 'unlocked' },
  { lock: 'locked', state: 'managing', operation: 'unlock', status: 200, next: 'unlocked' },
  { lock: 'locked', state: 'intermediate', operation: 'unlock', status: 200, next: 'unlocked' },
  { lock: 'locked', state: 'pending', operation: 'unlock', status: 503, next: 'locked', says: 'pending' },
  { lock: 'locked by another', operation: 'unlock', status: 409, next: 'locked', says: 'is locked by User user-' },
  { lock: 'unlocked', operation: 'unlock', status: 409, next: 'unlocked', says: 'already unlocked' },
  { lock: 'locked', operation: 'force-unlock', status: 200, next: 'unlocked' },
  { lock: 'locked by another', operation: 'force-unlock', status: 200, next: 'unlocked' },
  { lock: 'locked', state: 'pending', operation: 'force-unlock', status: 200, next: 'unlocked' },
  { lock: 'unlocked', operation: 'force-unlock', status: 409, next: 'unlocked', says: 'already unlocked' },
  { lock: 'unlocked', operation: 'safe-delete', status: 204, next: 'deleted' },
  { lock: 'unlocked', state: 'managing', operation: 'safe-delete', status: 409, next: 'unlocked', says: 'managing' },
  { lock: 'locked', operation: 'safe-delete', status: 409, next: 'locked', says: 'locked' },
  { lock: 'locked', state: 'managing', operation: 'safe-delete', status: 409, next: 'locked', says: 'locked' },
  { lock: 'unlocked', operation: 'delete', status: 204, next: 'deleted' },
  { lock: 'unlocked', state: 'managing', operation: 'delete', status: 204, next: 'deleted' },
  { lock: 'locked', operation: 'delete', status: 204, next: 'deleted' },
  { lock: 'locked by another', state: 'managing', operation: 'delete', status: 204, next: 'deleted' },
];

describe.each(databaseKinds)('spec §3 states and transitions on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let other: Caller;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    other = await newTeamMember(api, acme.ownersTeamId, `other-owner-${kind}`);
  });
  afterAll(() => api.close());

  const show = async (id: string) => acme.owner.call('GET', `/workspaces/${id}`);
  const work = (id: string, caller: Caller = acme.owner) => worker(api, caller, id);

  async function workspaceIn(lock: Lock, state: State): Promise<string> {
    const id = await acme.workspace(`s-${++names}`);
    if (state !== 'none') {
      await work(id).lock();
      await work(id).write(stateText(1), { serial: 1 });
      expect((await work(id).unlock()).status).toBe(200);
    }
    if (lock !== 'unlocked') expect((await work(id, lock === 'locked' ? acme.owner : other).lock()).status).toBe(200);
    if (state === 'intermediate') await work(id).write(EMPTY, { serial: 9, intermediate: true });
    if (state === 'pending') expect((await work(id).create(EMPTY, { serial: 9, intermediate: true })).status).toBe(201);
    return id;
  }

  const run = (id: string, operation: Row['operation']): Promise<Answer> =>
    operation === 'delete'
      ? acme.owner.call('DELETE', `/workspaces/${id}`)
      : acme.owner.call('POST', `/workspaces/${id}/actions/${operation}`);

  test.each(ROWS)('$lock, state $state: $operation is $status, then $next', async (row) => {
    const id = await workspaceIn(row.lock, row.state ?? 'none');
    const before = (await show(id)).body.data;
    const answer = await run(id, row.operation);
    expect(answer.status, answer.text).toBe(row.status);
    const after = await show(id);
    if (row.next === 'deleted') {
      expect([answer.text, after.status]).toEqual(['', 404]);
      return;
    }
    const { attributes, relationships } = after.body.data;
    expect(attributes.locked).toBe(row.next === 'locked');
    if (row.status === 200) expect(answer.body.data).toEqual(after.body.data);
    else {
      expect(answer.body.errors).toMatchObject([
        { status: String(row.status), detail: expect.stringContaining(row.says ?? '?') },
      ]);
      expect(after.body.data).toEqual(before);
    }
    if (row.next === 'unlocked') {
      expect(attributes['locked-reason']).toBeNull();
      expect(relationships['locked-by'].data).toBeNull();
    }
  });

  test('the reason of a lock is stored, and shown with its holder', async () => {
    const id = await workspaceIn('unlocked', 'none');
    const locked = await other.call('POST', `/workspaces/${id}/actions/lock`, { reason: 'planned work' });
    expect(locked.body.data.attributes).toMatchObject({ locked: true, 'locked-reason': 'planned work' });
    const users = await other.call('GET', '/account/details');
    expect(locked.body.data.relationships['locked-by'].data).toEqual({ type: 'users', id: users.body.data.id });
    await run(id, 'force-unlock');
    const again = await acme.owner.call('POST', `/workspaces/${id}/actions/lock`);
    expect(again.body.data.attributes['locked-reason']).toBe('');
  });

  test('an unlock makes the newest finalized intermediate state the current one, and only then', async () => {
    const id = await workspaceIn('locked', 'managing');
    const first = (await work(id).current()).body.data.id;
    await work(id).write(stateText(2), { serial: 2, intermediate: true });
    const second = await work(id).write(EMPTY, { serial: 9, intermediate: true });
    expect((await work(id).current()).body.data.id).toBe(first);
    const unlocked = await work(id).unlock();
    expect(unlocked.body.data.relationships['current-state-version'].data.id).toBe(second.id);
    expect(unlocked.body.data.attributes['resource-count']).toBe(0);
    expect((await run(id, 'safe-delete')).status).toBe(204);
  });

  test('an unlock without an intermediate state leaves the current one', async () => {
    const id = await workspaceIn('locked', 'managing');
    const current = (await work(id).current()).body.data.id;
    const unlocked = await work(id).unlock();
    expect(unlocked.body.data.relationships['current-state-version'].data.id).toBe(current);
  });

  test('an unlock that waits for a state succeeds once it is uploaded', async () => {
    const id = await workspaceIn('locked', 'none');
    const announced = await work(id).create(EMPTY, { serial: 1, intermediate: true });
    for (let i = 0; i < 3; i++) expect((await work(id).unlock()).status).toBe(503);
    const address = announced.body.data.attributes['hosted-state-upload-url'];
    expect((await atAddress(api, 'PUT', address, EMPTY)).status).toBe(200);
    const unlocked = await work(id).unlock();
    expect(unlocked.status).toBe(200);
    expect(unlocked.body.data.relationships['current-state-version'].data.id).toBe(announced.body.data.id);
  });

  test('force-unlock takes an administrator: a user who may only lock gets 404', async () => {
    const id = await workspaceIn('locked', 'none');
    const team = await acme.team(`writers-${++names}`);
    await acme.owner.call('POST', '/team-workspaces', {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'write' },
        relationships: {
          team: { data: { type: 'teams', id: team } },
          workspace: { data: { type: 'workspaces', id } },
        },
      },
    });
    const writer = await newTeamMember(api, team, `writer-${kind}-${names}`);
    expect((await work(id, writer).forceUnlock()).status).toBe(404);
    expect((await work(id, writer).unlock()).status).toBe(409);
    await run(id, 'force-unlock');
    expect((await work(id, writer).lock()).status).toBe(200);
    expect((await work(id, writer).unlock()).status).toBe(200);
  });
});

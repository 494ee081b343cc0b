import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { identify, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('locking workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const newWorkspace = () => acme.workspace(`l-${++names}`);
  const act = (id: string, action: string, body?: unknown, caller = acme.owner as Pick<typeof acme.owner, 'call'>) =>
    caller.call('POST', `/workspaces/${id}/actions/${action}`, body);
  const show = async (id: string) => (await acme.owner.call('GET', `/workspaces/${id}`)).body.data;

  test('a lock shows who holds it and why, and its release leaves the workspace as it was', async () => {
    const id = await newWorkspace();
    const before = await show(id);
    api.advance(1000);
    const locked = await act(id, 'lock', { reason: 'planned work' });
    expect(locked.status).toBe(200);
    expect(locked.body.data).toEqual({
      ...before,
      attributes: {
        ...before.attributes,
        locked: true,
        'locked-at': '2026-11-21T09:30:01.000Z',
        'locked-by-name': expect.stringMatching(/^ada/),
        'locked-reason': 'planned work',
      },
      relationships: {
        ...before.relationships,
        'locked-by': {
          data: { type: 'users', id: acme.owner.id },
          links: { related: `/api/v2/users/${acme.owner.id}` },
        },
      },
    });
    expect(await show(id)).toEqual(locked.body.data);
    const unlocked = await act(id, 'unlock');
    expect(unlocked.status).toBe(200);
    expect(unlocked.body.data).toEqual(before);
  });

  test.each([
    ['no body', undefined, {}, ''],
    ['an announced body that is empty', '', { 'content-type': 'application/vnd.api+json' }, ''],
    ['an empty object', {}, {}, ''],
    ['a reason at the top', { reason: 'top' }, {}, 'top'],
    ['a reason in the attributes', { data: { type: '', attributes: { reason: 'inside' } } }, {}, 'inside'],
    ['a reason of null', { reason: null }, {}, ''],
    ['plain JSON', { reason: 'plain' }, { 'content-type': 'application/json' }, 'plain'],
    ['a charset', { reason: 'ü' }, { 'content-type': 'application/vnd.api+json; charset=utf-8' }, 'ü'],
  ])('%s locks', async (_, body, headers: Record<string, string>, reason) => {
    const id = await newWorkspace();
    const locked = await acme.owner.call('POST', `/workspaces/${id}/actions/lock`, body, headers);
    expect(locked.status, locked.text).toBe(200);
    expect(locked.body.data.attributes['locked-reason']).toBe(reason);
  });

  test('a held lock is refused to every caller, including its holder', async () => {
    const id = await newWorkspace();
    const machine = await acme.machine(`second-${names}`, { 'manage-workspaces': true });
    await act(id, 'lock', { reason: 'mine' });
    for (const answer of [await act(id, 'lock'), await act(id, 'lock', { reason: 'other' }, machine)]) {
      expect(answer.status).toBe(409);
      expect(answer.body.errors).toEqual([
        { status: '409', title: 'conflict', detail: 'The workspace is already locked' },
      ]);
    }
    expect((await show(id)).attributes['locked-reason']).toBe('mine');
  });

  test("only the holder unlocks; others get an error with the holder's name", async () => {
    const id = await newWorkspace();
    const machine = await acme.machine(`other-${names}`, { 'manage-workspaces': true });
    await act(id, 'lock');
    const byTeam = await act(id, 'unlock', undefined, machine);
    expect(byTeam.status).toBe(409);
    expect(byTeam.body.errors[0].detail).toContain(`is locked by User ${acme.owner.id}`);
    await act(id, 'force-unlock', undefined, machine);

    const locked = await act(id, 'lock', undefined, machine);
    const { type, id: team } = locked.body.data.relationships['locked-by'].data;
    expect(type).toBe('teams');
    const byUser = await act(id, 'unlock');
    expect(byUser.status).toBe(409);
    expect(byUser.body.errors[0].detail).toContain(`is locked by Team ${team}`);
    expect((await act(id, 'unlock', undefined, machine)).status).toBe(200);
  });

  test('a lock of a machine can be released by any machine of its team', async () => {
    const id = await newWorkspace();
    const team = await acme.team(`pair-${names}`, { 'manage-workspaces': true });
    await identify(acme.owner, team, { mount: 'cert', role: `pair-${names}` });
    const pair = ['a', 'b'].map((commonName) => api.machine({ role: `pair-${names}`, commonName }));
    const [one, two] = pair as [(typeof pair)[0], (typeof pair)[0]];
    expect((await act(id, 'lock', undefined, one)).body.data.relationships['locked-by']).toEqual({
      data: { type: 'teams', id: team },
      links: { related: `/api/v2/teams/${team}` },
    });
    expect((await act(id, 'unlock', undefined, two)).status).toBe(200);
  });

  test('an unlocked workspace cannot be unlocked again, not even by force', async () => {
    const id = await newWorkspace();
    for (const action of ['unlock', 'force-unlock']) {
      const answer = await act(id, action);
      expect(answer.status).toBe(409);
      expect(answer.body.errors[0]).toMatchObject({ title: 'conflict', detail: 'The workspace is already unlocked' });
      expect(answer.text).not.toContain('is locked by');
    }
  });

  test('an administrator can force-unlock', async () => {
    const id = await newWorkspace();
    const machine = await acme.machine(`gone-${names}`, { 'manage-workspaces': true });
    await act(id, 'lock', undefined, machine);
    const broken = await act(id, 'force-unlock');
    expect(broken.status).toBe(200);
    expect(broken.body.data.attributes).toMatchObject({ locked: false, 'locked-reason': null });
    expect((await act(id, 'lock')).status).toBe(200);
  });

  test('of fifty concurrent locks, one succeeds', async () => {
    const id = await newWorkspace();
    const reasons = Array.from({ length: 50 }, (_, i) => `runner ${i}`);
    const answers = await Promise.all(reasons.map((reason) => act(id, 'lock', { reason })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(49).fill(409)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await show(id)).attributes['locked-reason']).toBe(`runner ${winner}`);
  });

  test('of fifty concurrent unlocks, one succeeds', async () => {
    const id = await newWorkspace();
    await act(id, 'lock');
    const answers = await Promise.all(Array.from({ length: 50 }, () => act(id, 'unlock')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(49).fill(409)]);
  });

  test.each([
    [{ reason: 'x'.repeat(1025) }],
    [{ reason: 'a\u0000b' }],
    [{ reason: ['x'] }],
    [[]],
    ['"text"'],
    [{ data: 7 }],
  ])('a body that is %j locks nothing', async (body) => {
    const id = await newWorkspace();
    expect((await act(id, 'lock', body)).status).toBe(422);
    expect((await show(id)).attributes.locked).toBe(false);
  });
});

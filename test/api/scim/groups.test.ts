import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { Directory } from './directory.ts';

describe.each(databaseKinds)('groups of a directory on %s', (kind) => {
  let directory: Directory;
  let ada: string;
  let mary: string;
  let tokens: readonly string[];
  beforeAll(async () => {
    directory = await Directory.start(kind);
    [ada, mary] = [await directory.user('ada'), await directory.user('mary')];
    tokens = await Promise.all([ada, mary].map((id) => directory.tokenOf(id)));
  });
  afterAll(() => directory.stop());

  const link = (team: string, group: string) =>
    directory.admin('POST', `/admin/teams/${team}/scim-group-mapping`, 'scim-group-mappings', {
      'scim-group-id': group,
    });
  const membersOf = async (group: string) =>
    (await directory.call('GET', `/Groups/${group}`)).body.members.map(({ value }: { value: string }) => value).sort();
  const seen = async () => Promise.all(tokens.map((token) => directory.teamsSeenBy(token)));

  it('are made, found, read back, changed and deleted', async () => {
    const made = await directory.call('POST', '/Groups', {
      displayName: 'Engines',
      externalId: 'g-1',
      members: [{ value: ada }],
    });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body;
    expect(made.body).toMatchObject({ displayName: 'Engines', externalId: 'g-1', members: [{ value: ada }] });
    expect(made.headers.location).toBe(`${directory.server.address}/scim/v2/Groups/${id}`);
    for (const filter of [
      'displayName eq "engines"',
      'externalId eq "g-1"',
      `id eq "${id}" and members eq "${ada}"`,
      `members[value eq "${ada}"]`,
      `members.value eq "${ada}"`,
    ]) {
      const { body } = await directory.call(
        'GET',
        `/Groups?filter=${encodeURIComponent(filter)}&excludedAttributes=members`,
      );
      expect([filter, body.totalResults, body.Resources?.[0]?.id, body.Resources?.[0]?.members]).toEqual([
        filter,
        1,
        id,
        undefined,
      ]);
    }
    expect(
      (await directory.call('GET', `/Groups?filter=${encodeURIComponent(`members eq "${mary}"`)}`)).body.totalResults,
    ).toBe(0);
    const put = await directory.call('PUT', `/Groups/${id}`, { displayName: 'Motors', members: [{ value: mary }] });
    expect([put.status, put.body.displayName, put.body.externalId]).toEqual([200, 'Motors', undefined]);
    expect(await membersOf(id)).toEqual([mary]);
    const twice = await directory.call('POST', '/Groups', { displayName: 'MOTORS' });
    expect([twice.status, twice.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await directory.call('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await directory.call('GET', `/Groups/${id}`)).status).toBe(404);
  });

  it('have members that come and go, in all dialects', async () => {
    const id = await directory.group('dialects');
    const both = [ada, mary].sort();
    const then = async (...operations: object[]) => {
      const { status, text } = await directory.patch(`/Groups/${id}`, ...operations);
      expect(status, text).toBe(200);
      return membersOf(id);
    };
    expect(await then({ op: 'Add', path: 'members', value: [{ value: ada }, { value: mary }] })).toEqual(both);
    expect(await then({ op: 'Remove', path: `members[value eq "${ada}"]` })).toEqual([mary]);
    expect(await then({ op: 'add', path: 'members', value: { value: ada } })).toEqual(both);
    expect(await then({ op: 'Remove', path: 'members', value: [{ value: mary }] })).toEqual([ada]);
    expect(await then({ op: 'replace', path: 'members', value: [{ value: mary }] })).toEqual([mary]);
    expect(await then({ op: 'replace', value: { id, displayName: 'dialects 2', members: [{ value: ada }] } })).toEqual([
      ada,
    ]);
    expect(await then({ op: 'remove', path: 'members' })).toEqual([]);
    const said = { op: 'add', path: 'members', value: [{ value: ada }] };
    expect(await then(said, { op: 'remove', path: `members[value eq "${ada}"]` })).toEqual([]);
    expect((await directory.call('GET', `/Groups/${id}`)).body.displayName).toBe('dialects 2');
  });

  it('give the teams that are linked to them, with the next request', async () => {
    const [group, team] = [await directory.group('linked', [ada]), await directory.team('linked')];
    expect(await seen()).toEqual([undefined, undefined]);
    expect((await link(team, group)).status).toBe(204);
    expect(await seen()).toEqual([['linked'], undefined]);
    await directory.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: mary }] });
    expect(await seen()).toEqual([['linked'], ['linked']]);
    await directory.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${ada}"]` });
    expect(await seen()).toEqual([undefined, ['linked']]);
    // While SCIM is paused, no memberships change.
    const pause = (isPaused: boolean) =>
      directory.admin('PATCH', `/admin/teams/${team}/scim-group-mapping`, 'scim-group-mappings', {
        'scim-sync-paused': isPaused,
      });
    expect((await pause(true)).status).toBe(204);
    await directory.call('PUT', `/Groups/${group}`, { displayName: 'linked', members: [{ value: ada }] });
    expect(await seen()).toEqual([undefined, ['linked']]);
    expect((await pause(false)).status).toBe(204);
    expect((await seen())[0]).toEqual(['linked']);
    await directory.call('DELETE', `/Groups/${group}`);
    expect((await seen())[0]).toBeUndefined();
  });

  it('give teams by their mappings, and lose them when they are renamed', async () => {
    const group = await directory.group('by-name', [ada], { externalId: 'ext-7' });
    await directory.team('by-name', { 'sso-team-id': 'by-name' });
    await directory.team('by-id', { 'sso-team-id': 'ext-7' });
    await directory.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: ada }] });
    const { body } = await directory.server.call('GET', '/api/v2/account/details', { token: tokens[0] ?? '' });
    expect(body.data.id).toBe(ada);
    expect((await seen())[0]).toEqual(expect.arrayContaining(['by-id', 'by-name']));
    await directory.patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'else', externalId: 'else' } });
    expect((await seen())[0]).toBeUndefined();
  });

  it('do not remove members whom a user has added to a team', async () => {
    const [group, team] = [await directory.group('hand', [ada]), await directory.team('hand')];
    await link(team, group);
    const data = [{ type: 'users', id: 'ada' }];
    await directory.server.user('POST', `/api/v2/teams/${team}/relationships/users`, { data });
    // These users were members through the group already. Now they are also added by hand.
    const other = await directory.team('other-hand');
    await directory.server.user('POST', `/api/v2/teams/${other}/relationships/users`, { data });
    expect((await seen())[0]).toEqual(['hand', 'other-hand']);
    await directory.admin('DELETE', `/admin/teams/${team}/scim-group-mapping`);
    expect((await seen())[0]).toEqual(['hand', 'other-hand']);
  });

  it('make site administrators of the members of one', async () => {
    const group = await directory.group('admins', [mary]);
    const set = (id: string | null) =>
      directory.admin('PATCH', '/admin/scim-settings', 'scim-settings', { 'site-admin-group-scim-id': id });
    const may = async () =>
      (await directory.server.call('GET', '/api/v2/admin/users', { token: tokens[1] ?? '' })).status;
    expect(await may()).toBe(404);
    expect((await set(group)).body.data.attributes).toMatchObject({ 'site-admin-group-display-name': 'admins' });
    expect(await may()).toBe(200);
    const team = await directory.team('never');
    expect((await link(team, group)).body.errors[0].detail).toContain('site admin group cannot be linked');
    await directory.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${mary}"]` });
    expect(await may()).toBe(404);
    await directory.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: mary }] });
    expect(await may()).toBe(200);
    expect((await set(null)).status).toBe(200);
    expect(await may()).toBe(404);
    expect((await set('scimg-none')).status).toBe(422);
  });

  it.each([
    ['nobody', { displayName: 'x1', members: [{ value: 'user-none' }] }, 'invalidValue'],
    ['a member without an id', { displayName: 'x2', members: [{}] }, 'invalidValue'],
    ['a NUL', { displayName: 'x3', members: [{ value: 'a\0' }] }, 'invalidValue'],
    ['too many', { displayName: 'x4', members: Array(1_001).fill({ value: 'user-x' }) }, 'tooMany'],
    ['no name', { members: [] }, 'invalidValue'],
    ['a long name', { displayName: 'x'.repeat(255) }, 'invalidValue'],
  ])('with %s are refused, and nothing is made', async (_what, body, type) => {
    const before = (await directory.call('GET', '/Groups?count=0')).body.totalResults;
    expect(before).toEqual(expect.any(Number));
    const answer = await directory.call('POST', '/Groups', body);
    expect([answer.status, answer.body.scimType]).toEqual([400, type]);
    expect((await directory.call('GET', '/Groups?count=0')).body.totalResults).toBe(before);
  });

  it('with an unknown member stay unchanged', async () => {
    const id = await directory.group('stays', [ada]);
    const members = [{ value: mary }, { value: 'user-none' }];
    expect((await directory.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: members })).status).toBe(400);
    expect((await directory.patch(`/Groups/${id}`, { op: 'replace', path: 'owners', value: members })).status).toBe(
      400,
    );
    expect(await membersOf(id)).toEqual([ada]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { Directory } from './directory.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
describe.each(databaseKinds)('limits of a directory on %s', (kind) => {
  let d: Directory;
  beforeAll(async () => {
    d = await Directory.start(kind);
  });
  afterAll(() => d.stop());
  const inn = async (token: string) =>
    (await d.server.call('GET', '/api/v2/account/details', { token })).status === 200;
  const susp = (id: string, on: boolean) =>
    d.admin('POST', `/admin/users/${id}/actions/${on ? 'suspend' : 'unsuspend'}`);

  it.each([
    ['escaped NUL', 'userName eq "a\\u0000"'],
    ['bad escape', 'userName eq "a\\x"'],
    ['newline', 'userName eq "a\nb"'],
    ['bracket ignored', 'userName[password sw "x"] eq "a"'],
    ['group filter on NUL', 'externalId eq "\\u0000"'],
  ])('filter: %s', async (_n, f) => {
    for (const p of ['/Users', '/Groups']) {
      const { status } = await d.call('GET', `${p}?filter=${encodeURIComponent(f)}`);
      expect.soft([p, status]).toEqual([p, 400]);
    }
  });
  it('path with a bad escape', async () => {
    const id = await d.user('pth');
    for (const path of [
      'emails[type eq "\\x"].value',
      'emails[primary eq True].value',
      'emails[type eq "a\nb"].value',
    ]) {
      expect
        .soft([path, (await d.patch(`/Users/${id}`, { op: 'replace', path, value: 'q@example.com' })).status])
        .not.toEqual([path, 500]);
    }
  });
  it('toString in a value', async () => {
    const id = await d.user('tos', { emails: [{ type: { toString: 'x' }, value: 'tos@example.com' }] });
    expect(
      (await d.patch(`/Users/${id}`, { op: 'replace', path: 'emails[type eq "work"].value', value: 'q@example.com' }))
        .status,
    ).not.toBe(500);
  });
  it('an email address with NUL, or a long one', async () => {
    for (const value of ['a\0@example.com', `${'x'.repeat(20000)}@example.com`, 'no address']) {
      expect
        .soft((await d.call('POST', '/Users', { userName: `e${value.length}`, emails: [{ value }] })).status)
        .toBeLessThan(500);
    }
  });
  it('an id with NUL, and a page far behind the last', async () => {
    expect((await d.call('GET', '/Users/a%00b')).status).toBeLessThan(500);
    expect((await d.call('GET', '/Users?startIndex=999999999')).status).toBe(200);
  });
  it('deactivation by core-schema path, lower case, on PUT', async () => {
    for (const [name, op] of [
      ['p1', { op: 'replace', path: `${CORE}:active`, value: false }],
      ['p2', { op: 'replace', value: { [`${CORE}:active`]: false } }],
      ['p3', { op: 'replace', value: { [CORE]: { active: false } } }],
      ['p4', { op: 'Replace', path: 'Active', value: 'false' }],
    ] as const) {
      const id = await d.user(name);
      const token = await d.tokenOf(id);
      const a = await d.patch(`/Users/${id}`, op);
      expect.soft([name, a.status, a.body.active, await inn(token)]).toEqual([name, 200, false, false]);
    }
    const id = await d.user('p5');
    const token = await d.tokenOf(id);
    const a = await d.call('PUT', `/Users/${id}`, { userName: 'p5', Active: false });
    expect.soft(['p5 PUT Active:false', a.status, await inn(token)]).toEqual(['p5 PUT Active:false', 200, false]);
  });
  it('a change without `active` does not reactivate a user', async () => {
    const id = await d.user('r1');
    const token = await d.tokenOf(id);
    const off = () => d.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    await off();
    await d.call('PUT', `/Users/${id}`, { userName: 'r1' });
    expect.soft(['PUT without active', await inn(token)]).toEqual(['PUT without active', false]);
    await off();
    await d.patch(`/Users/${id}`, { op: 'remove', path: 'active' });
    expect.soft(['remove active', await inn(token)]).toEqual(['remove active', false]);
    await off();
    await d.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: null });
    expect.soft(['active null', await inn(token)]).toEqual(['active null', false]);
  });
  it('a user who was reactivated by hand loses access when the directory deactivates or deletes them again', async () => {
    const id = await d.user('h1');
    const token = await d.tokenOf(id);
    await d.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    await susp(id, false);
    expect(await inn(token)).toBe(true);
    await d.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect.soft(['again inactive', await inn(token)]).toEqual(['again inactive', false]);
    await susp(id, false);
    expect.soft((await d.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect.soft(['deleted', await inn(token)]).toEqual(['deleted', false]);
  });
  it('provisioning does not reactivate a user who was suspended by hand', async () => {
    const made = await d.admin('POST', '/admin/users', 'users', { username: 'banned', email: 'banned@example.com' });
    const token = await d.tokenOf(made.body.data.id);
    await susp(made.body.data.id, true);
    expect(await inn(token)).toBe(false);
    await d.user('banned');
    expect.soft(['POST of a suspended account', await inn(token)]).toEqual(['POST of a suspended account', false]);
    const id = await d.user('banned2');
    const t2 = await d.tokenOf(id);
    await susp(id, true);
    await d.call('DELETE', `/Users/${id}`);
    await d.user('banned2');
    expect.soft(['DELETE and POST', await inn(t2)]).toEqual(['DELETE and POST', false]);
  });
  it('removal of some members never empties a group', async () => {
    const [a, b] = [await d.user('m1'), await d.user('m2')];
    const left = async (id: string) => (await d.call('GET', `/Groups/${id}`)).body.members.length;
    for (const [n, op] of [
      ['empty list', { op: 'remove', path: 'members', value: [] }],
      ['other filter', { op: 'remove', path: 'members[display eq "nobody"]' }],
      ['type filter', { op: 'remove', path: 'members[type eq "Group"]' }],
      ['sub', { op: 'remove', path: 'members.display' }],
      ['value sub', { op: 'remove', path: `members[value eq "${a}"].display` }],
      ['replace with nothing', { op: 'replace', path: 'members', value: null }],
      ['replace without value', { op: 'replace', path: 'members' }],
      ['pathless displayName null', { op: 'replace', value: { displayName: null } }],
    ] as const) {
      const id = await d.group(`g ${n}`, [a, b]);
      const r = await d.patch(`/Groups/${id}`, op);
      expect.soft([n, r.status, await left(id)]).toEqual([n, r.status, 2]);
    }
    const two = await d.group('g case', [a]);
    const c = await d.call('PUT', `/Groups/${two}`, { DisplayName: 'g case', Members: [{ Value: b }] });
    expect.soft(['case', c.status, await left(two)]).toEqual(['case', 200, 1]);
  });
  it('team shows its link (go-tfe)', async () => {
    const [g, t] = [await d.group('lg'), await d.team('lt')];
    await d.admin('POST', `/admin/teams/${t}/scim-group-mapping`, 'scim-group-mappings', { 'scim-group-id': g });
    const { body } = await d.admin('GET', `/teams/${t}`);
    expect
      .soft(body.data.attributes)
      .toMatchObject({ 'scim-linked': true, 'scim-group-name': 'lg', 'scim-sync-paused': false });
  });
  it('two people of one external id', async () => {
    const a = await d.user('x1', { externalId: 'same' });
    const b = await d.call('POST', '/Users', { userName: 'x2', externalId: 'same' });
    expect.soft([a.length > 0, b.status]).toEqual([true, 409]);
  });
  it('of the last two site administrators one stays active, even if both are deactivated at once', async () => {
    const { tenancy } = d.server.application.workspaces;
    const [a, b] = [await d.user('la'), await d.user('lb')];
    await tenancy.users.setSiteAdmin('la', true);
    await tenancy.users.setSiteAdmin('lb', true);
    await tenancy.users.setSiteAdmin('first', false);
    const both = await Promise.all(
      [a, b].map((id) => d.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })),
    );
    await tenancy.users.setSiteAdmin('first', true);
    expect.soft(both.map((one) => one.status).sort()).toEqual([200, 400]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { identify, issuesOf, newOrganization } from '../support/organization.ts';

const MINUTE = 60_000;

function tokenBody(attributes: object) {
  return { data: { type: 'authentication-tokens', attributes } };
}

describe.each(databaseKinds)('authentication on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  async function status(authorization: string): Promise<number> {
    return (await api.nobody().call('GET', '/account/details', undefined, { authorization })).status;
  }

  test('a token is valid only in its exact form', async () => {
    const { token } = await api.user('tokens');
    expect(token).toMatch(/^lku\.[1-9A-Za-z]{16}\.[1-9A-Za-z]{32}$/);
    expect(await status(`Bearer ${token}`)).toBe(200);
    expect(await status(`bearer  ${token}`)).toBe(200);
    const changed = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x');
    for (const wrong of [
      '',
      token,
      `Basic ${token}`,
      `Bearer ${changed}`,
      `Bearer ${token}.`,
      `Bearer ${token} more`,
      'Bearer',
    ]) {
      expect(await status(wrong), wrong).toBe(401);
    }
  });

  test('a malformed token of any size is refused', async () => {
    for (const wrong of ['lku..', `lku.${'1'.repeat(16)}.${'1'.repeat(32)}`, 'x'.repeat(5000), 'ü', '../../etc']) {
      expect(await status(`Bearer ${wrong}`), wrong).toBe(401);
    }
  });

  test('a token is shown once, and listed without its text', async () => {
    const user = await api.user('maker');
    const path = `/users/${user.id}/authentication-tokens`;
    const made = await user.call('POST', path, tokenBody({ description: 'for the pipeline' }));
    expect(made.status).toBe(201);
    const { id, attributes, relationships } = made.body.data;
    expect(await status(`Bearer ${attributes.token}`)).toBe(200);
    expect(relationships['created-by'].data).toEqual({ type: 'users', id: user.id });

    const shown = await user.call('GET', `/authentication-tokens/${id}`);
    expect(shown.body.data.attributes).toMatchObject({
      token: null,
      description: 'for the pipeline',
      'expired-at': '2028-11-21T09:30:00.000Z',
    });
    const list = await user.call('GET', path);
    expect(list.body.meta.pagination['total-count']).toBe(2);
    expect(list.text).not.toContain(attributes.token);
  });

  test('a deleted token is invalid', async () => {
    const user = await api.user('deleter');
    const made = await user.call('POST', `/users/${user.id}/authentication-tokens`, tokenBody({}));
    const { id, attributes } = made.body.data;
    expect((await user.call('DELETE', `/authentication-tokens/${id}`)).status).toBe(204);
    expect(await status(`Bearer ${attributes.token}`)).toBe(401);
    expect((await user.call('GET', `/authentication-tokens/${id}`)).status).toBe(404);
  });

  test('a user cannot see or create tokens of another user, even as owner of the same organization', async () => {
    const { owner } = await newOrganization(api);
    const other = await api.user('other');
    const made = await other.call('POST', `/users/${other.id}/authentication-tokens`, tokenBody({}));
    for (const [method, path] of [
      ['POST', `/users/${other.id}/authentication-tokens`],
      ['GET', `/users/${other.id}/authentication-tokens`],
      ['GET', `/authentication-tokens/${made.body.data.id}`],
      ['DELETE', `/authentication-tokens/${made.body.data.id}`],
    ] as const) {
      expect((await owner.call(method, path, method === 'POST' ? tokenBody({}) : undefined)).status).toBe(404);
    }
  });

  test('a token expires at its time', async () => {
    const user = await api.user('expiring');
    const path = `/users/${user.id}/authentication-tokens`;
    const end = new Date(api.now() + 10 * MINUTE).toISOString();
    const made = await user.call('POST', path, tokenBody({ 'expired-at': end }));
    expect(made.body.data.attributes['expired-at']).toBe(end);
    const bearer = `Bearer ${made.body.data.attributes.token}`;
    expect(await status(bearer)).toBe(200);
    api.advance(10 * MINUTE - 1);
    expect(await status(bearer)).toBe(200);
    api.advance(1);
    expect(await status(bearer)).toBe(401);

    const past = await user.call('POST', path, tokenBody({ 'expired-at': end }));
    expect(past.status).toBe(422);
    expect(issuesOf(past)).toEqual(['/data/attributes/expired-at: Expired at must be in the future']);
  });

  test('the last use of a token is noted, at most once a minute', async () => {
    const user = await api.user('used');
    const list = await user.call('GET', `/users/${user.id}/authentication-tokens`);
    const { id } = list.body.data[0];
    const lastUsed = async () =>
      (await user.call('GET', `/authentication-tokens/${id}`)).body.data.attributes['last-used-at'];
    const first = new Date(api.now()).toISOString();
    await expect.poll(lastUsed).toBe(first);
    api.advance(MINUTE);
    expect(await lastUsed()).toBe(first);
    api.advance(1);
    await expect.poll(lastUsed).toBe(new Date(api.now()).toISOString());
  });

  test('an operator can choose the text of a token repeatedly', async () => {
    const { id } = await api.workspaces.tenancy.users.create({ username: 'operator', email: 'o@example.com' });
    const input = { description: 'fixed', expiresAt: null };
    await api.workspaces.tenancy.tokens.adopt(id, 'chosen-by-the-operator', input);
    await api.workspaces.tenancy.tokens.adopt(id, 'chosen-by-the-operator', input);
    expect(await status('Bearer chosen-by-the-operator')).toBe(200);
    expect(await status('Bearer chosen-by-the-operator2')).toBe(401);
  });

  test('the log line of a request names the user', async () => {
    const { owner, ownersTeamId } = await newOrganization(api);
    await owner.call('GET', '/account/details');
    expect(api.lastEvent()).toMatchObject({
      actor_kind: 'user',
      actor_id: owner.id,
      actor_name: owner.username,
      actor_team: ownersTeamId,
    });
    expect(JSON.stringify(api.lastEvent())).not.toContain(owner.token);
  });
});

describe.each(databaseKinds)('machines on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('a machine acts for the team of its identity, and stops when the identity is deleted', async () => {
    const { name, owner, team } = await newOrganization(api);
    const teamId = await team('runners', { 'manage-workspaces': true });
    const machine = api.machine({ role: 'build' });
    const path = `/organizations/${name}`;
    expect((await machine.call('GET', path)).status, 'before it is known').toBe(401);

    const identity = await identify(owner, teamId, { mount: '/cert/', role: 'build' });
    expect((await machine.call('GET', path)).status).toBe(200);
    expect((await machine.call('GET', '/organizations')).body.meta.pagination['total-count']).toBe(1);

    await owner.call('DELETE', `/machine-identities/${identity}`);
    expect((await machine.call('GET', path)).status, 'when it is forgotten').toBe(401);
  });

  test('the log line names the certificate', async () => {
    const { owner, team } = await newOrganization(api);
    const teamId = await team('runners');
    await identify(owner, teamId, { mount: 'cert', role: 'logged' });
    await api.machine({ role: 'logged' }).call('GET', '/organizations');
    expect(api.lastEvent()).toMatchObject({
      actor_kind: 'machine',
      actor_mount: 'cert',
      actor_role: 'logged',
      actor_subject: 'CN=runner-1.example.com,O=Example',
      actor_serial: '123456789012345678901234567890',
      actor_accessor: 'accessor-1',
      actor_team: teamId,
    });
  });

  test.each([
    [{ mount: 'cert', role: 'r1' }, { role: 'r1' }, 200],
    [{ mount: 'cert', role: 'r2' }, { role: 'R2' }, 401],
    [{ mount: 'cert', role: 'r3' }, { role: 'r3', mount: 'cert2' }, 401],
    [{ mount: 'cert', role: 'r4', 'common-name': '*.example.com' }, { role: 'r4', commonName: 'a.b.example.com' }, 200],
    [{ mount: 'cert', role: 'r5', 'common-name': '*.example.com' }, { role: 'r5', commonName: 'a.Example.com' }, 401],
    [{ mount: 'cert', role: 'r6', 'common-name': 'a.example.com' }, { role: 'r6', commonName: '' }, 401],
    [{ mount: 'cert', role: 'r7', 'common-name': '!bad' }, { role: 'r7', commonName: 'good' }, 401],
  ])('the identity %j lets %j in: %i', async (identity, machine, expected) => {
    const { owner, team } = await newOrganization(api);
    await identify(owner, await team('runners'), identity);
    expect((await api.machine(machine).call('GET', '/organizations')).status).toBe(expected);
  });

  test('of several matching teams, the most specific identity decides, then the oldest', async () => {
    const { name, owner, team } = await newOrganization(api);
    const [any, oldest, newest] = [await team('any'), await team('oldest'), await team('newest')];
    await identify(owner, any, { mount: 'cert', role: 'many' });
    api.advance(1);
    await identify(owner, oldest, { mount: 'cert', role: 'many', 'common-name': '*.example.com' });
    api.advance(1);
    await identify(owner, newest, { mount: 'cert', role: 'many', 'common-name': 'a.example.com' });
    const seenBy = async (commonName: string) => {
      const teams = await api.machine({ role: 'many', commonName }).call('GET', `/organizations/${name}/teams`);
      return teams.body.data.map(({ id }: { id: string }) => id);
    };
    expect(await seenBy('a.example.com')).toEqual([oldest]);
    expect(await seenBy('a.example.org')).toEqual([any]);
  });

  test('a machine acts for one team in each organization with an identity for it', async () => {
    const [one, two] = [await newOrganization(api), await newOrganization(api)];
    await identify(one.owner, await one.team('a', { 'read-workspaces': true }), { mount: 'cert', role: 'shared' });
    await identify(two.owner, await two.team('b', { 'manage-workspaces': true }), { mount: 'cert', role: 'shared' });
    const machine = api.machine({ role: 'shared' });
    const [inOne, inTwo] = [await one.workspace('w'), await two.workspace('w')];
    expect((await machine.call('POST', `/workspaces/${inOne}/actions/lock`)).status).toBe(404);
    expect((await machine.call('POST', `/workspaces/${inTwo}/actions/lock`)).status).toBe(200);
  });

  test('a machine has no account, and cannot create an organization', async () => {
    const { machine } = await newOrganization(api);
    const runner = await machine('runner');
    const body = { data: { type: 'organizations', attributes: { name: 'mine', email: 'a@b.c' } } };
    expect((await runner.call('GET', '/account/details')).status).toBe(404);
    expect((await runner.call('POST', '/organizations', body)).status).toBe(404);
  });
});

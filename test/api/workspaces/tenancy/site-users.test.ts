import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization } from '../support/organization.ts';

const userBody = (attributes: object) => ({ data: { type: 'users', attributes } });

describe.each(databaseKinds)('users of the server, on %s', (kind) => {
  let api: TestApi;
  let admin: Awaited<ReturnType<TestApi['user']>>;

  beforeAll(async () => {
    api = await startApi(kind);
    admin = await api.user('admin');
    await api.workspaces.tenancy.users.setSiteAdmin('admin', true);
  });
  afterAll(() => api.close());

  const list = async (query = '') => (await admin.call('GET', `/admin/users${query}`)).body;
  const names = async (query = '') =>
    (await list(query)).data.map(({ attributes }: { attributes: { username: string } }) => attributes.username);
  const make = async (attributes: object) => admin.call('POST', '/admin/users', userBody(attributes));

  test('a site administrator creates a user and a token for them, which is shown once', async () => {
    const made = await make({ username: 'newcomer', email: 'newcomer@example.com' });
    expect([made.status, made.body.data]).toMatchObject([
      201,
      {
        type: 'users',
        attributes: { username: 'newcomer', email: 'newcomer@example.com', 'is-admin': false, 'is-suspended': false },
      },
    ]);
    const { id } = made.body.data;
    expect((await admin.call('GET', `/admin/users/${id}`)).body).toEqual(made.body);
    const issued = await admin.call('POST', `/admin/users/${id}/authentication-tokens`);
    expect(issued.status).toBe(201);
    const newcomer = api.holder(issued.body.data.attributes.token);
    const details = await newcomer.call('GET', '/account/details');
    expect(details.body.data).toMatchObject({ id, attributes: { 'is-site-admin': false } });
    const { body } = await newcomer.call('GET', `/users/${id}/authentication-tokens`);
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([{ token: null }]);
  });

  test('a suspended user is refused with each of their tokens, until the suspension ends', async () => {
    const user = await api.user('shut-out');
    const { name } = await newOrganization(api);
    const action = (verb: string) => admin.call('POST', `/admin/users/${user.id}/actions/${verb}`);
    const details = async () => (await user.call('GET', '/account/details')).status;
    expect(await details()).toBe(200);
    const suspended = await action('suspend');
    expect([suspended.status, suspended.body.data.attributes['is-suspended']]).toEqual([200, true]);
    expect(await details()).toBe(401);
    expect((await user.call('GET', `/organizations/${name}`)).status).toBe(401);
    const token = await admin.call('POST', `/admin/users/${user.id}/authentication-tokens`);
    expect([token.status, token.body.errors[0].detail]).toEqual([409, expect.stringContaining('suspended')]);
    expect(await names('?filter[suspended]=true')).toEqual(['shut-out']);
    expect((await action('suspend')).status).toBe(200);
    expect((await action('unsuspend')).body.data.attributes['is-suspended']).toBe(false);
    expect(await details()).toBe(200);
  });

  test('a user becomes an administrator, and loses this role', async () => {
    const user = await api.user('second');
    const action = (verb: string) => admin.call('POST', `/admin/users/${user.id}/actions/${verb}`);
    expect((await user.call('GET', '/admin/users')).status).toBe(404);
    expect((await action('grant_admin')).body.data.attributes['is-admin']).toBe(true);
    expect((await user.call('GET', '/admin/users')).status).toBe(200);
    expect(await names('?filter[admin]=true')).toEqual(['admin', 'second']);
    await action('revoke_admin');
    expect((await user.call('GET', '/admin/users')).status).toBe(404);
  });

  test('administrators cannot suspend themselves', async () => {
    for (const verb of ['suspend', 'revoke_admin']) {
      const { status, body } = await admin.call('POST', `/admin/users/${admin.id}/actions/${verb}`);
      expect([status, body.errors[0].detail]).toEqual([409, expect.stringContaining('another site administrator')]);
    }
    expect((await admin.call('GET', '/admin/users')).status).toBe(200);
  });

  test('are found by a part of the name or email address, only people, page by page', async () => {
    await make({ username: 'Zoe_1', email: 'zoe@sub.example.com' });
    await make({ username: 'zoeX1', email: 'other@example.com' });
    const { owner } = await newOrganization(api);
    expect((await owner.call('GET', '/admin/users')).status).toBe(404);
    expect(await names('?q=zoe_1')).toEqual(['Zoe_1']);
    expect(await names('?q=SUB.example')).toEqual(['Zoe_1']);
    expect((await names()).filter((name: string) => name.startsWith('api-org-'))).toEqual([]);
    const first = await list('?page[size]=1');
    expect(first.data).toHaveLength(1);
    expect(first.meta.pagination['total-count']).toBeGreaterThan(3);
  });

  test.each([
    [{ username: 'admin', email: 'new@example.com' }, 422],
    [{ username: 'new', email: 'admin@example.com' }, 422],
    [{ username: '-', email: 'new@example.com' }, 422],
    [{ username: 'new', email: 'none' }, 422],
    [{ username: 'new' }, 422],
  ])('are not created from %j', async (attributes, status) => {
    expect((await make(attributes)).status).toBe(status);
  });

  test('are not accessible to machines, teams and organizations', async () => {
    const { name, owner, machine, ownersTeamId } = await newOrganization(api);
    const team = await owner.call('POST', `/teams/${ownersTeamId}/authentication-token`);
    const organization = await owner.call('POST', `/organizations/${name}/authentication-token`);
    const tokens = [team, organization].map(({ body }) => body.data.attributes.token as string);
    for (const token of [...tokens, (await machine('m')).token]) {
      expect((await api.holder(token).call('GET', '/admin/users')).status).toBe(404);
    }
    const service = (await api.holder(tokens[1] ?? '').call('GET', `/organizations/${name}`)).body.data;
    expect((await admin.call('GET', `/admin/users/${service.id}`)).status).toBe(404);
    expect((await admin.call('POST', '/admin/users/user-none/actions/suspend')).status).toBe(404);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { ConsolePages } from '../../support/sign-in/console-pages.ts';

const SERVICES = ['access', 'workspaces', 'console'] as const;
const ORGANIZATION = '/api/v2/organizations/acme';

const resource = (type: string, attributes: object, relationships?: object) => ({
  data: { type, attributes, ...(relationships && { relationships }) },
});
const identifiers = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) });

describe.each(databaseKinds)('the link of an invitation on %s', (kind) => {
  let server: TestServer;
  let node: TestServer;
  let owners: string;
  let managers: string;

  beforeAll(async () => {
    server = await startTestServer(kind, { services: SERVICES });
    node = await startTestServer(kind, { services: SERVICES, beside: server });
    const organization = resource('organizations', { name: 'acme', email: 'a@example.com' });
    expect((await server.user('POST', '/api/v2/organizations', organization)).status).toBe(201);
    const { body } = await server.user('GET', `${ORGANIZATION}/teams`);
    owners = body.data.find((one: { attributes: { name: string } }) => one.attributes.name === 'owners').id;
    managers = await team('managers', { 'organization-access': { 'manage-membership': true } });
  });
  afterAll(async () => {
    await node?.stop();
    await server?.stop();
  });

  async function team(name: string, attributes: object): Promise<string> {
    const { status, body } = await server.user(
      'POST',
      `${ORGANIZATION}/teams`,
      resource('teams', { name, ...attributes }),
    );
    expect(status).toBe(201);
    return body.data.id;
  }

  async function newUser(username: string) {
    const { tenancy } = server.application.workspaces;
    const user = await tenancy.users.create({ username, email: `${username}@example.com` });
    const { text: token } = await tenancy.tokens.issue(user.id, { description: '', expiresAt: null });
    return { id: user.id, token };
  }

  async function invite(email: string, ...teams: string[]): Promise<string> {
    const relationships = teams.length > 0 ? { teams: identifiers('teams', ...teams) } : undefined;
    const path = `${ORGANIZATION}/organization-memberships`;
    const { status, body } = await server.user(
      'POST',
      path,
      resource('organization-memberships', { email }, relationships),
    );
    expect(status).toBe(201);
    return body.data.id;
  }

  /** Creates a member who manages other members. */
  async function manager(username: string) {
    const { id, token } = await newUser(username);
    const membership = await invite(`${username}@example.com`, managers);
    const accept = `/api/v2/organization-memberships/${membership}/actions/accept`;
    expect((await server.call('POST', accept, { token })).status).toBe(204);
    return { id, token, membership };
  }

  const create = (id: string, token: string) =>
    server.call('POST', `/api/v2/organization-memberships/${id}/actions/create-link`, { token });
  async function secretOf(id: string, token: string): Promise<string> {
    const { status, body } = await create(id, token);
    expect(status).toBe(201);
    return body.data.attributes.url.split('#')[1];
  }
  const use = (verb: string, token: string, secret: string, at = server) =>
    at.call('POST', `/api/v2/invitation-links/actions/${verb}`, {
      token,
      body: resource('invitation-links', { secret }),
    });
  const show = async (secret: string) => (await new ConsolePages(node).post('/invitations/show', { secret })).status;
  const isThere = async (id: string) =>
    (await server.user('GET', `/api/v2/organization-memberships/${id}`)).status === 200;

  it('is for those who may change the teams of the invitation', async () => {
    const { token } = await manager('mallory');
    const secretTeam = await team('secrets', { visibility: 'secret' });
    const plain = await invite('plain@example.org');
    expect((await create(plain, token)).status).toBe(201);
    for (const teams of [[owners], [secretTeam], [managers, owners]]) {
      const id = await invite(`in-${teams.join('-')}@example.org`, ...teams);
      expect((await create(id, token)).status).toBe(404);
      expect((await create(id, server.userToken)).status).toBe(201);
    }
    const answered = await server.user('POST', `${ORGANIZATION}/authentication-token`);
    expect(answered.status).toBe(201);
    const refused = await create(plain, answered.body.data.attributes.token);
    expect([refused.status, refused.body.errors[0].detail]).toEqual([403, expect.stringContaining('Only users')]);
  });

  it('does not follow the invitation into a team that its creator does not manage', async () => {
    const { token } = await manager('trudy');
    const secretTeam = await team('secrets-2', { visibility: 'secret' });
    for (const into of [owners, secretTeam]) {
      const id = await invite(`promoted-${into}@example.org`);
      const secret = await secretOf(id, token);
      expect(await show(secret)).toBe(200);
      const added = await server.user(
        'POST',
        `/api/v2/teams/${into}/relationships/organization-memberships`,
        identifiers('organization-memberships', id),
      );
      expect(added.status).toBe(204);
      expect(await show(secret)).toBe(404);
      for (const verb of ['accept', 'decline']) expect((await use(verb, token, secret, node)).status).toBe(404);
      expect(await isThere(id)).toBe(true);
      expect((await server.call('GET', `/api/v2/teams/${secretTeam}`, { token })).status).toBe(404);
    }
  });

  it('ends with the permissions of its creator', async () => {
    const { token: late } = await newUser('late');
    const ends: Record<string, (one: { id: string; membership: string }) => Promise<{ status: number }>> = {
      removed: ({ membership }) => server.user('DELETE', `/api/v2/organization-memberships/${membership}`),
      suspended: async ({ id }) => {
        await server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
        return server.user('POST', `/api/v2/admin/users/${id}/actions/suspend`);
      },
      demoted: ({ membership }) =>
        server.user(
          'DELETE',
          `/api/v2/teams/${managers}/relationships/organization-memberships`,
          identifiers('organization-memberships', membership),
        ),
    };
    for (const [name, end] of Object.entries(ends)) {
      const creator = await manager(name);
      const id = await invite(`by-${name}@example.org`);
      const secret = await secretOf(id, creator.token);
      expect(await show(secret)).toBe(200);
      expect((await end(creator)).status).toBeLessThan(300);
      expect(await show(secret)).toBe(404);
      expect((await use('accept', late, secret, node)).status).toBe(404);
      // Somebody else makes a new link of the invitation.
      const next = await secretOf(id, server.userToken);
      expect((await use('decline', late, next)).status).toBe(204);
    }
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf } from '../support/agents.ts';
import { type Answer, type Caller, startApi, type TestApi } from '../support/api.ts';
import { joinOrganization, newOrganization, type TestOrganization } from '../support/organization.ts';
import { beginSession } from '../support/sessions.ts';

const DAY = 86_400_000;
const UNKNOWN = 'The token is missing, unknown or expired';

describe.each(databaseKinds)('a token that was valid earlier and is refused now, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let member: Caller & { readonly id: string };
  let workspace: string;
  let team: string;
  /** Administers the organization, even if it refuses tokens of users. */
  let manager: Caller;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    workspace = await acme.workspace('web');
    team = await acme.team('developers', { 'read-workspaces': true });
    member = await newMember('member-of');
    const made = await acme.owner.call('POST', `/teams/${acme.ownersTeamId}/authentication-token`);
    manager = api.holder(made.body.data.attributes.token);
  });
  afterAll(() => api.close());

  async function newMember(username: string) {
    const user = await api.user(`${username}-${acme.name}`);
    await joinOrganization(acme, user, [team]);
    return user;
  }
  const saidBy = ({ status, body }: Answer) => [status, body?.errors?.[0].detail];
  const set = async (attributes: object) => {
    const body = { data: { type: 'organizations', attributes } };
    expect((await manager.call('PATCH', `/organizations/${acme.name}`, body)).status).toBe(200);
  };
  const limit = async (ms: number) => {
    const policies = [{ 'token-type': 'user', 'max-ttl-ms': ms }];
    const body = {
      data: { type: 'organization-token-ttl-policies', attributes: { 'token-ttl-policies': policies } },
    };
    expect((await manager.call('PATCH', `/organizations/${acme.name}/token-ttl-policies`, body)).status).toBe(200);
  };
  async function tokenOf(user: Caller & { readonly id: string }, days: number): Promise<{ id: string; text: string }> {
    const attributes = { 'expired-at': new Date(api.now() + days * DAY).toISOString() };
    const body = { data: { type: 'authentication-tokens', attributes } };
    const made = await user.call('POST', `/users/${user.id}/authentication-tokens`, body);
    expect(made.status, made.text).toBe(201);
    return { id: made.body.data.id, text: made.body.data.attributes.token };
  }
  /** Paths of the organization, under its name and under ids. */
  const paths = () => [
    `/organizations/${acme.name}`,
    `/organizations/${acme.name}/workspaces`,
    `/organizations/${acme.name}/workspaces/web`,
    `/workspaces/${workspace}`,
    `/projects/${acme.defaultProjectId}`,
    `/teams/${team}`,
    `/workspaces/${workspace}/runs`,
  ];

  async function expectRefused(caller: Caller, reason: string) {
    for (const path of paths()) {
      const answer = await caller.call('GET', path);
      expect([path, ...saidBy(answer)]).toEqual([path, 401, expect.stringContaining(reason)]);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body.errors).toEqual([{ status: '401', title: 'unauthorized', detail: expect.any(String) }]);
    }
  }

  async function expectTaken(caller: Caller) {
    for (const path of paths()) expect([path, (await caller.call('GET', path)).status]).toEqual([path, 200]);
  }

  test('one with a lifetime above a maximum that was set later', async () => {
    const [long, short] = [await tokenOf(member, 31), await tokenOf(member, 30)];
    await expectTaken(api.holder(long.text));
    await limit(30 * DAY);
    await set({ 'max-ttl-enabled': true });
    await expectRefused(api.holder(long.text), 'Create a token that expires within 30 days');
    await expectTaken(api.holder(short.text));
    // The token is still valid for its owner's account, where it can create another token.
    const own = { id: member.id, ...api.holder(long.text) };
    await expectTaken(api.holder((await tokenOf(own, 1)).text));
    await set({ 'max-ttl-enabled': false });
    await expectTaken(api.holder(long.text));
  });

  test('a session longer than the maximum, which ends with the token of its sign-in', async () => {
    await limit(3_600_000);
    await set({ 'max-ttl-enabled': true });
    const session = api.holder((await beginSession(api.workspaces, member.id)).text);
    await expectRefused(session, 'This session lives longer than the 1 hour');
    await expectRefused(session, 'Sign in with a token that expires within 1 hour');
    const shown = await tokenOf(member, 1 / 48);
    await expectTaken(api.holder((await beginSession(api.workspaces, member.id, shown.id)).text));
    await set({ 'max-ttl-enabled': false });
  });

  test('one of a user, in an organization that no longer accepts those', async () => {
    const { text } = await tokenOf(member, 1);
    await set({ 'user-tokens-enabled': false });
    await expectRefused(api.holder(text), 'Use a team token');
    await expectTaken(manager);
    await set({ 'user-tokens-enabled': true });
    await expectTaken(api.holder(text));
  });

  test('and missing resources look like hidden ones: for any request to that organization', async () => {
    const { text } = await tokenOf(member, 1);
    await set({ 'user-tokens-enabled': false });
    const [there, absent] = [`/organizations/${acme.name}/workspaces/web`, `/organizations/${acme.name}/workspaces/no`];
    const holder = api.holder(text);
    expect(saidBy(await holder.call('GET', absent))).toEqual(saidBy(await holder.call('GET', there)));
    const filter = (name: string) =>
      `/state-versions?filter[organization][name]=${acme.name}&filter[workspace][name]=${name}`;
    expect(saidBy(await holder.call('GET', filter('no')))).toEqual(saidBy(await holder.call('GET', filter('web'))));
    expect((await holder.call('GET', '/organizations/another')).status).toBe(404);
    await set({ 'user-tokens-enabled': true });
  });

  test('a stranger gets no information about it, even with a forged token that contains its ID', async () => {
    const { text } = await tokenOf(member, 1);
    await set({ 'user-tokens-enabled': false });
    const stranger = await api.user(`stranger-to-${acme.name}`);
    for (const path of paths()) expect([path, (await stranger.call('GET', path)).status]).toEqual([path, 404]);
    const forged = api.holder(`${text.slice(0, -4)}aaaa`);
    for (const path of paths()) expect([path, ...saidBy(await forged.call('GET', path))]).toEqual([path, 401, UNKNOWN]);
    await set({ 'user-tokens-enabled': true });
  });

  test('one of a suspended user', async () => {
    const user = await newMember('suspended-in');
    const admin = await api.user(`administrator-of-${acme.name}`);
    await api.workspaces.tenancy.users.setSiteAdmin(admin.username, true);
    const act = (action: string) => admin.call('POST', `/admin/users/${user.id}/actions/${action}`);
    expect((await act('suspend')).status).toBe(200);
    await expectRefused(user, 'is suspended. Ask an administrator');
    expect((await act('unsuspend')).status).toBe(200);
    await expectTaken(user);
  });

  test('one that has expired: of a user, a team, an organization and an agent pool', async () => {
    const end = new Date(api.now() + DAY).toISOString();
    const body = { data: { type: 'authentication-tokens', attributes: { 'expired-at': end } } };
    const made = await Promise.all(
      [`/teams/${team}/authentication-token`, `/organizations/${acme.name}/authentication-token`].map((path) =>
        manager.call('POST', path, body),
      ),
    );
    const agents = agentsOf(api, acme);
    const agentToken = await agents.token(await agents.pool('first'), { 'expired-at': end });
    const texts = made.map((answer) => answer.body.data.attributes.token);
    texts.push((await tokenOf(member, 1)).text, agentToken.text);
    api.advance(DAY);
    for (const text of texts) {
      const said = saidBy(await api.holder(text).call('GET', `/organizations/${acme.name}`));
      expect(said).toEqual([401, `The token expired at ${end}. Create another one`]);
      const forged = await api.holder(`${text.slice(0, -4)}aaaa`).call('GET', `/organizations/${acme.name}`);
      expect(saidBy(forged)).toEqual([401, UNKNOWN]);
    }
  });

  test('one of a machine with a deleted identity', async () => {
    const machine = api.machine({ role: `${acme.name}/runner` });
    const made = await manager.call('POST', `/teams/${team}/machine-identities`, {
      data: { type: 'machine-identities', attributes: { mount: 'cert', role: `${acme.name}/runner` } },
    });
    expect(made.status, made.text).toBe(201);
    await expectTaken(machine);
    expect((await manager.call('DELETE', `/machine-identities/${made.body.data.id}`)).status).toBe(204);
    await expectRefused(machine, 'No organization has a machine identity for this certificate');
  });

  test('one that was revoked is unknown', async () => {
    const { id, text } = await tokenOf(member, 1);
    expect((await member.call('DELETE', `/authentication-tokens/${id}`)).status).toBe(204);
    expect(saidBy(await api.holder(text).call('GET', '/account/details'))).toEqual([401, UNKNOWN]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, type Caller, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, joinOrganization, newOrganization, workspaceBody } from '../support/organization.ts';

const DAY = 86_400_000;
const tokenBody = (attributes: object) => ({ data: { type: 'authentication-tokens', attributes } });
const organizationBody = (attributes: object) => ({ data: { type: 'organizations', attributes } });
const idsOf = (answer: Answer) => answer.body.data.map(({ id }: { id: string }) => id);

describe.each(databaseKinds)('tokens of teams and organizations on %s (facts §5.5, §6.5)', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  /** Returns a client that uses the token just created. */
  function holder(made: Answer): Caller {
    expect(made.status, made.text).toBe(201);
    const { token } = made.body.data.attributes;
    const headers = { authorization: `Bearer ${token}` };
    return { token, call: (method, path, body) => api.nobody().call(method, path, body, headers) };
  }

  async function memberOf(organization: { name: string; owner: Caller }, username: string, teams: string[] = []) {
    const user = await api.user(username);
    await joinOrganization(organization, user, teams);
    return user;
  }

  test('a token without an expiry is valid for two years; its expiry is set once', async () => {
    const user = await api.user('two-years');
    const made = await user.call('POST', `/users/${user.id}/authentication-tokens`, tokenBody({}));
    const end = new Date(api.now());
    end.setUTCFullYear(end.getUTCFullYear() + 2);
    expect(made.body.data.attributes['expired-at']).toBe(end.toISOString());
    const none = await user.call('POST', `/users/${user.id}/authentication-tokens`);
    expect(none.status).toBe(201);
    const patch = await user.call('PATCH', `/authentication-tokens/${made.body.data.id}`, tokenBody({}));
    expect(patch.status).toBe(404);
  });

  test('a team has one token without a description: a new one takes its place', async () => {
    const { name, owner, team } = await newOrganization(api);
    const teamId = await team('builders', { 'read-workspaces': true });
    const path = `/teams/${teamId}/authentication-token`;
    expect((await owner.call('GET', path)).status).toBe(404);
    const first = await owner.call('POST', path);
    const { id, attributes, relationships } = first.body.data;
    expect(attributes).toMatchObject({ description: null, 'last-used-at': null });
    expect(relationships.team.data).toEqual({ type: 'teams', id: teamId });
    expect(relationships['created-by'].data).toEqual({ type: 'users', id: owner.id });
    expect((await holder(first).call('GET', `/organizations/${name}`)).status).toBe(200);

    const end = new Date(api.now() + DAY).toISOString();
    const second = await owner.call('POST', path, { data: { type: '', attributes: { 'expired-at': end } } });
    expect(second.body.data.id).not.toBe(id);
    expect((await holder(first).call('GET', `/organizations/${name}`)).status).toBe(401);
    const shown = await owner.call('GET', path);
    expect(shown.body.data).toMatchObject({ id: second.body.data.id, attributes: { token: null, 'expired-at': end } });
    expect((await owner.call('GET', `/authentication-tokens/${second.body.data.id}`)).body).toEqual(shown.body);
    expect((await owner.call('DELETE', path)).status).toBe(204);
    expect((await owner.call('DELETE', path)).status).toBe(404);
    expect((await holder(second).call('GET', `/organizations/${name}`)).status).toBe(401);
  });

  test('a team has many tokens with unique descriptions', async () => {
    const { owner, team } = await newOrganization(api);
    const path = `/teams/${await team('builders')}/authentication-tokens`;
    const made = [];
    for (const description of ['one', 'two', '']) made.push(await owner.call('POST', path, tokenBody({ description })));
    expect(made.map(({ body }) => body.data.attributes.description)).toEqual(['one', 'two', '']);
    expect(idsOf(await owner.call('GET', path)).sort()).toEqual(made.map(({ body }) => body.data.id).sort());

    const twice = await owner.call('POST', path, tokenBody({ description: 'two' }));
    expect(twice.status).toBe(422);
    expect(twice.body.errors).toMatchObject([
      { title: 'invalid attributes', detail: 'Validation failed: Description has already been taken' },
    ]);
    const [first] = made;
    expect((await owner.call('DELETE', `/authentication-tokens/${first?.body.data.id}`)).status).toBe(204);
    expect((await owner.call('POST', path, tokenBody({ description: 'one' }))).status).toBe(201);
  });

  test('a token of a team acts as the team, and has no user account', async () => {
    const { name, owner, team, workspace } = await newOrganization(api);
    const teamId = await team('lockers', { 'manage-workspaces': true });
    const caller = holder(await owner.call('POST', `/teams/${teamId}/authentication-token`));
    const id = await workspace('web');
    const locked = await caller.call('POST', `/workspaces/${id}/actions/lock`, { reason: 'mine' });
    expect(locked.status).toBe(200);
    expect(locked.body.data.relationships['locked-by'].data).toEqual({ type: 'teams', id: teamId });
    expect(api.lastEvent()).toMatchObject({ actor_kind: 'team', actor_id: teamId });
    expect((await caller.call('POST', `/workspaces/${id}/actions/unlock`)).status).toBe(200);
    expect((await caller.call('POST', '/organizations', organizationBody({ name: 'x', email: 'a@b.c' }))).status).toBe(
      404,
    );
    expect((await caller.call('PATCH', `/organizations/${name}`, organizationBody({}))).status).toBe(404);
    expect((await caller.call('POST', `/users/${owner.id}/authentication-tokens`, tokenBody({}))).status).toBe(404);
    expect((await caller.call('GET', '/organization-memberships')).status).toBe(404);
  });

  test('owners, managers of teams and members create tokens of a team; only owners create one of the owners team', async () => {
    const organization = await newOrganization(api);
    const { owner, team, ownersTeamId } = organization;
    const crew = await team('crew');
    const managers = await team('managers', { 'manage-teams': true, 'access-secret-teams': true });
    const member = await memberOf(organization, 'crew-member', [crew]);
    const manager = await memberOf(organization, 'team-manager', [managers]);
    const outsider = await memberOf(organization, 'outsider');
    const make = async (by: Caller, teamId: string) =>
      (await by.call('POST', `/teams/${teamId}/authentication-token`)).status;
    expect(await make(manager, crew)).toBe(201);
    expect(await make(member, crew)).toBe(201);
    expect(await make(outsider, crew)).toBe(404);
    expect(await make(member, managers)).toBe(404);
    expect(await make(manager, ownersTeamId)).toBe(404);
    expect(await make(owner, ownersTeamId)).toBe(201);

    const only = await owner.call('GET', `/teams/${crew}/authentication-token`);
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await outsider.call(method, `/authentication-tokens/${only.body.data.id}`)).status).toBe(404);
    }
    await owner.call('PATCH', `/teams/${crew}`, {
      data: { type: 'teams', attributes: { 'allow-member-token-management': false } },
    });
    expect(await make(member, crew)).toBe(404);
  });

  test('the tokens of all teams are listed, searched and sorted, as far as the caller may see them', async () => {
    const organization = await newOrganization(api);
    const { name, owner, team, ownersTeamId } = organization;
    const [alpha, beta] = [await team('alpha'), await team('beta')];
    const make = async (teamId: string, days: number) => {
      const end = new Date(api.now() + days * DAY).toISOString();
      const made = await owner.call('POST', `/teams/${teamId}/authentication-token`, tokenBody({ 'expired-at': end }));
      return made.body.data.id as string;
    };
    const [second, first, third] = [await make(alpha, 2), await make(beta, 1), await make(ownersTeamId, 3)];
    const path = `/organizations/${name}/team-tokens`;
    expect(idsOf(await owner.call('GET', path))).toEqual([second, first, third]);
    expect(idsOf(await owner.call('GET', `${path}?sort=expired-at`))).toEqual([first, second, third]);
    expect(idsOf(await owner.call('GET', `${path}?sort=-expired-at`))).toEqual([third, second, first]);
    expect(idsOf(await owner.call('GET', `${path}?q=BET`))).toEqual([first]);
    const paged = await owner.call('GET', `${path}?page[size]=1&page[number]=2`);
    expect(idsOf(paged)).toEqual([first]);
    expect(paged.body.meta.pagination['total-count']).toBe(3);

    const managers = await team('managers', { 'manage-teams': true, 'access-secret-teams': true });
    expect(idsOf(await (await memberOf(organization, 'lists-all', [managers])).call('GET', path))).toEqual([
      second,
      first,
    ]);
    expect(idsOf(await (await memberOf(organization, 'lists-own', [beta])).call('GET', path))).toEqual([first]);
    expect(idsOf(await (await memberOf(organization, 'lists-none')).call('GET', path))).toEqual([]);
  });

  test('the token of an organization may set up resources, but not make decisions of owners', async () => {
    const { name, owner, workspace } = await newOrganization(api);
    const path = `/organizations/${name}/authentication-token`;
    expect((await owner.call('GET', path)).status).toBe(404);
    const made = await owner.call('POST', path);
    const caller = holder(made);
    expect((await owner.call('GET', path)).body.data).toMatchObject({
      id: made.body.data.id,
      attributes: { token: null },
      relationships: { 'created-by': { data: { type: 'users', id: owner.id } } },
    });
    expect((await owner.call('GET', `/authentication-tokens/${made.body.data.id}`)).status).toBe(200);

    const created = await caller.call(
      'POST',
      `/organizations/${name}/workspaces`,
      workspaceBody({ name: 'made-by-it' }),
    );
    expect(created.status).toBe(201);
    expect(created.body.data.attributes.permissions).toMatchObject({
      'can-update': true,
      'can-queue-run': false,
      'can-create-state-versions': false,
    });
    const team = { data: { type: 'teams', attributes: { name: 'made-by-it' } } };
    expect((await caller.call('POST', `/organizations/${name}/teams`, team)).status).toBe(201);
    for (const [method, address] of [
      ['PATCH', `/organizations/${name}`],
      ['DELETE', `/organizations/${name}`],
      ['GET', path],
      ['POST', path],
      ['GET', '/account/details'],
    ] as const) {
      const body = method === 'PATCH' ? organizationBody({}) : undefined;
      expect((await caller.call(method, address, body)).status, `${method} ${address}`).toBe(404);
    }
    const other = await newOrganization(api);
    expect((await caller.call('GET', `/organizations/${other.name}`)).status).toBe(404);
    expect((await caller.call('GET', `/workspaces/${await workspace('seen')}`)).status).toBe(200);
  });

  test('where the token of an organization locks, its service account is shown (facts §10.1, 16)', async () => {
    const { name, owner, workspace } = await newOrganization(api);
    const caller = holder(await owner.call('POST', `/organizations/${name}/authentication-token`));
    const id = await workspace('web');
    const locked = await caller.call('POST', `/workspaces/${id}/actions/lock`);
    expect(locked.status).toBe(200);
    const { data } = locked.body.data.relationships['locked-by'];
    expect(data.type).toBe('users');
    const shown = await owner.call('GET', `/users/${data.id}`);
    expect(shown.body.data.attributes).toMatchObject({ username: `api-org-${name}`, 'is-service-account': true });
    expect((await (await api.user(`not-of-${name}`)).call('GET', `/users/${data.id}`)).status).toBe(404);

    // The next token belongs to the same account, so it can unlock. The name of the account follows the
    // organization's name.
    const next = holder(await owner.call('POST', `/organizations/${name}/authentication-token`));
    expect((await caller.call('GET', `/workspaces/${id}`)).status).toBe(401);
    expect((await next.call('POST', `/workspaces/${id}/actions/unlock`)).status).toBe(200);
    await owner.call('PATCH', `/organizations/${name}`, organizationBody({ name: `${name}-x` }));
    const renamed = await owner.call('GET', `/users/${data.id}`);
    expect(renamed.body.data.attributes.username).toBe(`api-org-${name}-x`);
  });

  test('the token for the audit trail is a separate one, and gives no other access', async () => {
    const { name, owner } = await newOrganization(api);
    const path = `/organizations/${name}/authentication-token`;
    const plain = await owner.call('POST', path);
    const audit = await owner.call('POST', `${path}?token=audit-trails`);
    expect((await owner.call('GET', path)).body.data.id).toBe(plain.body.data.id);
    expect((await owner.call('GET', `${path}?token=audit-trails`)).body.data.id).toBe(audit.body.data.id);
    expect((await holder(audit).call('GET', `/organizations/${name}`)).status).toBe(404);
    expect((await holder(plain).call('GET', `/organizations/${name}`)).status).toBe(200);
    expect((await owner.call('DELETE', `${path}?token=audit-trails`)).status).toBe(204);
    expect((await owner.call('DELETE', `${path}?token=audit-trails`)).status).toBe(404);
    expect((await owner.call('GET', path)).status).toBe(200);
  });

  test('only owners manage the token and the maximum lifetimes of an organization', async () => {
    const organization = await newOrganization(api);
    const { name, team } = organization;
    const all = { 'manage-teams': true, 'manage-membership': true, 'manage-workspaces': true };
    const member = await memberOf(organization, `powerful-${name}`, [await team('powerful', all)]);
    for (const address of ['authentication-token', 'token-ttl-policies']) {
      expect((await member.call('GET', `/organizations/${name}/${address}`)).status, address).toBe(404);
    }
    expect((await member.call('POST', `/organizations/${name}/authentication-token`)).status).toBe(404);
  });
});

describe.each(databaseKinds)('the maximum lifetimes of tokens on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const policiesBody = (policies: Readonly<Record<string, number>>) => ({
    data: {
      type: 'organization-token-ttl-policies',
      attributes: {
        'token-ttl-policies': Object.entries(policies).map(([type, ttl]) => ({
          'token-type': type,
          'max-ttl-ms': ttl,
        })),
      },
    },
  });
  const ttlsOf = (answer: Answer) =>
    Object.fromEntries(
      answer.body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
        attributes['token-type'],
        attributes['max-ttl-ms'],
      ]),
    );

  test('there is one for each kind of token; given attributes change, the others stay', async () => {
    const { name, owner } = await newOrganization(api);
    const path = `/organizations/${name}/token-ttl-policies`;
    const standard = 63_113_904_000;
    const all = { organization: standard, team: standard, user: standard, audit_trails: standard };
    expect(ttlsOf(await owner.call('GET', path))).toEqual(all);
    const changed = await owner.call('PATCH', path, policiesBody({ organization: DAY, user: 30 * DAY }));
    expect(changed.status).toBe(200);
    expect(ttlsOf(changed)).toEqual({ ...all, organization: DAY, user: 30 * DAY });
    expect((await owner.call('GET', path)).body.data).toEqual(changed.body.data);
    for (const wrong of [{}, { organization: 0 }, { robot: DAY }]) {
      expect((await owner.call('PATCH', path, policiesBody(wrong))).status).toBe(422);
    }
  });

  test('they take effect once enabled: new tokens expire in time', async () => {
    const { name, owner, ownersTeamId } = await newOrganization(api);
    await owner.call(
      'PATCH',
      `/organizations/${name}/token-ttl-policies`,
      policiesBody({ team: DAY, organization: 2 * DAY }),
    );
    const endOf = (answer: Answer) => Date.parse(answer.body.data.attributes['expired-at']) - api.now();
    const path = `/teams/${ownersTeamId}/authentication-token`;
    expect(endOf(await owner.call('POST', path))).toBeGreaterThan(700 * DAY);

    await owner.call('PATCH', `/organizations/${name}`, organizationBody({ 'max-ttl-enabled': true }));
    expect(endOf(await owner.call('POST', path))).toBe(DAY);
    expect(endOf(await owner.call('POST', `/organizations/${name}/authentication-token`))).toBe(2 * DAY);
    const late = tokenBody({ 'expired-at': new Date(api.now() + DAY + 1).toISOString() });
    const refused = await owner.call('POST', path, late);
    expect(issuesOf(refused)).toEqual([
      '/data/attributes/expired-at: Expired at exceeds the maximum token lifetime of the organization',
    ]);
  });

  test('a token of a user with a longer lifetime is refused in that organization, but not in others', async () => {
    const { name, owner } = await newOrganization(api);
    const other = await owner.call('POST', '/organizations', organizationBody({ name: `${name}-b`, email: 'a@b.c' }));
    expect(other.status).toBe(201);
    const make = async (days: number) => {
      const end = new Date(api.now() + days * DAY).toISOString();
      const made = await owner.call(
        'POST',
        `/users/${owner.id}/authentication-tokens`,
        tokenBody({ 'expired-at': end }),
      );
      return { authorization: `Bearer ${made.body.data.attributes.token}` };
    };
    const [short, long] = [await make(30), await make(31)];
    const status = async (headers: Record<string, string>, organization: string) =>
      (await api.nobody().call('GET', `/organizations/${organization}`, undefined, headers)).status;
    await owner.call('PATCH', `/organizations/${name}/token-ttl-policies`, policiesBody({ user: 30 * DAY }));
    expect(await status(long, name)).toBe(200);
    await owner.call('PATCH', `/organizations/${name}`, organizationBody({ 'max-ttl-enabled': true }));
    expect(await status(short, name)).toBe(200);
    expect(await status(long, name)).toBe(401);
    expect(await status(long, `${name}-b`)).toBe(200);
    // The operator's own token never expires, so its lifetime exceeds any limit.
    expect((await owner.call('GET', `/organizations/${name}`)).status).toBe(401);
  });
});

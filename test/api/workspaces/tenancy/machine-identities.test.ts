import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, type Caller, startApi, type TestApi } from '../support/api.ts';
import {
  created,
  identify,
  joinOrganization,
  namesOf,
  newOrganization,
  newTeamMember,
} from '../support/organization.ts';

const identityBody = (attributes: object) => ({ data: { type: 'machine-identities', attributes } });

describe.each(databaseKinds)('machine identities on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('an identity names a mount, a role and a common name', async () => {
    const { owner, team } = await newOrganization(api);
    const teamId = await team('runners');
    const path = `/teams/${teamId}/machine-identities`;
    const attributes = { mount: 'team-a/cert/', role: 'build server', 'common-name': '*.example.com' };
    const made = await owner.call('POST', path, identityBody(attributes));
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      type: 'machine-identities',
      attributes: { ...attributes, mount: 'team-a/cert' },
      relationships: { team: { data: { type: 'teams', id: teamId } } },
    });
    expect((await owner.call('GET', `/machine-identities/${made.body.data.id}`)).body).toEqual(made.body);
    api.advance(1);
    const any = await owner.call('POST', path, identityBody({ mount: 'cert', role: 'any' }));
    expect(any.body.data.attributes['common-name']).toBeNull();
    const list = await owner.call('GET', `${path}?page[size]=1`);
    expect(list.body.data).toEqual([made.body.data]);
    expect(list.body.meta.pagination).toMatchObject({ 'total-count': 2, 'next-page': 2 });
  });

  test('the same identity is not created twice', async () => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    await identify(owner, id, { mount: 'cert', role: 'build' });
    const again = await owner.call(
      'POST',
      `/teams/${id}/machine-identities`,
      identityBody({ mount: 'cert/', role: 'build' }),
    );
    expect(again.status).toBe(422);
    expect(again.body.errors[0].detail).toContain('already');
  });

  test.each([
    [{ role: 'build' }, '/data/attributes/mount'],
    [{ mount: 'cert' }, '/data/attributes/role'],
    [{ mount: '//', role: 'build' }, '/data/attributes/mount'],
    [{ mount: 'cert', role: '' }, '/data/attributes/role'],
    [{ mount: 'cert', role: 'a\nb' }, '/data/attributes/role'],
    [{ mount: 'cert', role: 'build', 'common-name': 'x'.repeat(256) }, '/data/attributes/common-name'],
    [{ mount: 'cert', role: 'build', 'common-name': 7 }, '/data/attributes/common-name'],
  ])('%j is refused', async (attributes, pointer) => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    const answer = await owner.call('POST', `/teams/${id}/machine-identities`, identityBody(attributes));
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toBe(pointer);
  });

  test('a team has at most a hundred identities', async () => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    for (let i = 0; i < 100; i++) await identify(owner, id, { mount: 'cert', role: `r${i}` });
    const answer = await owner.call(
      'POST',
      `/teams/${id}/machine-identities`,
      identityBody({ mount: 'cert', role: 'r100' }),
    );
    expect(answer.status).toBe(422);
  });

  const poolIdentity = async (by: Caller, organization: string, name: string, attributes: object) => {
    const body = { data: { type: 'agent-pools', attributes: { name } } };
    const pool = created(await by.call('POST', `/organizations/${organization}/agent-pools`, body));
    return created(await by.call('POST', `/agent-pools/${pool}/machine-identities`, identityBody(attributes)));
  };
  const idsOf = ({ body }: Answer) => body.data.map(({ id }: { id: string }) => id);

  test('all of them are listed by role, with the team or pool they act for, only to callers who manage it', async () => {
    const { name, owner, team } = await newOrganization(api);
    const role = `${name}/build`;
    const ofTeam = await identify(owner, await team('deploy'), { mount: 'cert', role });
    const ofPool = await poolIdentity(owner, name, 'rack', { mount: 'cert', role: `${role}-agents` });
    const other = await newOrganization(api);
    const elsewhere = await identify(other.owner, await other.team('deploy'), { mount: 'cert', role });
    const all = await owner.call('GET', '/machine-identities');
    expect(idsOf(all)).toEqual([ofTeam, ofPool]);
    expect(all.body.data[0]).toMatchObject({
      attributes: { 'acts-for': 'deploy', 'last-used-at': null },
      relationships: { organization: { data: { id: name } }, 'agent-pool': { data: null } },
    });
    expect(all.body.data[1].attributes['acts-for']).toBe('rack');
    const byRole = `/machine-identities?filter[mount]=cert/&filter[role]=${role}`;
    expect(idsOf(await owner.call('GET', byRole))).toEqual([ofTeam]);
    expect(idsOf(await other.owner.call('GET', byRole))).toEqual([elsewhere]);
    const page = await owner.call('GET', '/machine-identities?page[size]=1&page[number]=2');
    expect([idsOf(page), page.body.meta.pagination['total-count']]).toEqual([[ofPool], 2]);

    const manager = await newTeamMember(api, await team('racks', { 'manage-agent-pools': true }), `${name}-racks`);
    expect(idsOf(await manager.call('GET', '/machine-identities'))).toEqual([ofPool]);
    const member = await newTeamMember(api, await team('nothing'), `${name}-nothing`);
    expect(idsOf(await member.call('GET', '/machine-identities'))).toEqual([]);
    // A user with permission to manage pools here and everything in the other organization sees both.
    await joinOrganization(other, manager, [other.ownersTeamId]);
    expect(idsOf(await manager.call('GET', '/machine-identities')).toSorted()).toEqual([ofPool, elsewhere].toSorted());
  });

  test('the one that decides for a login is found by its common name', async () => {
    const { name, owner, team } = await newOrganization(api);
    const role = `${name}/build`;
    const any = await identify(owner, await team('any'), { mount: 'cert', role });
    api.advance(1);
    const runners = await identify(owner, await team('runners'), { mount: 'cert', role, 'common-name': 'runner-*' });
    const asked = (commonName: string) =>
      owner.call(
        'GET',
        `/machine-identities?filter[mount]=cert&filter[role]=${role}&filter[common-name]=${commonName}`,
      );
    expect(idsOf(await asked('runner-1'))).toEqual([runners]);
    expect(idsOf(await asked('builder-1'))).toEqual([any]);
    expect(idsOf(await asked(''))).toEqual([any]);
    const other = await newOrganization(api);
    const pool = await poolIdentity(other.owner, other.name, 'rack', { mount: 'cert', role, 'common-name': 'agent-*' });
    // An agent of a pool does not act for a team in any organization.
    expect(idsOf(await asked('agent-1'))).toEqual([]);
    const seen = `/machine-identities?filter[mount]=cert&filter[role]=${role}&filter[common-name]=agent-1`;
    expect(idsOf(await other.owner.call('GET', seen))).toEqual([pool]);
    const half = await owner.call('GET', '/machine-identities?filter[common-name]=runner-1');
    expect([half.status, half.body.errors[0].source.parameter]).toEqual([400, 'filter[common-name]']);
  });

  test('an identity shows the last login of a machine that used it', async () => {
    const { name, owner, machine } = await newOrganization(api);
    const runner = await machine('runner');
    const when = async () => {
      const role = `${name}/runner`;
      const { body } = await owner.call('GET', `/machine-identities?filter[mount]=cert&filter[role]=${role}`);
      return body.data[0].attributes['last-used-at'];
    };
    expect(await when()).toBeNull();
    await runner.call('GET', '/organizations');
    await expect.poll(when).not.toBeNull();
    const first = await when();
    api.advance(61_000);
    await runner.call('GET', '/organizations');
    await expect.poll(when).not.toBe(first);
  });

  test('owners and members of a team see its permissions in each workspace', async () => {
    const { name, owner, team, workspace, machine } = await newOrganization(api);
    const network = await workspace('network');
    await workspace('other');
    const id = await team('deploy');
    const asked = `/teams/${id}/workspaces`;
    expect(namesOf(await owner.call('GET', asked))).toEqual([]);
    await owner.call('POST', '/team-workspaces', {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'plan' },
        relationships: {
          team: { data: { type: 'teams', id } },
          workspace: { data: { type: 'workspaces', id: network } },
        },
      },
    });
    const seen = await owner.call('GET', asked);
    expect(namesOf(seen)).toEqual(['network']);
    const permissions = { 'can-queue-run': true, 'can-queue-apply': false, 'can-lock': false, 'can-update': false };
    expect(seen.body.data[0].attributes.permissions).toMatchObject(permissions);
    const member = await newTeamMember(api, id, `${name}-member`);
    expect(namesOf(await member.call('GET', asked))).toEqual(['network']);
    const colleague = await machine('colleague', { 'manage-teams': true, 'access-secret-teams': true });
    expect((await colleague.call('GET', `/teams/${id}`)).status).toBe(200);
    expect((await colleague.call('GET', asked)).status).toBe(404);
    const page = await owner.call(
      'GET',
      `/teams/${await team('all', { 'read-workspaces': true })}/workspaces?page[size]=1`,
    );
    expect([namesOf(page), page.body.meta.pagination['total-count']]).toEqual([['network'], 2]);
  });
});

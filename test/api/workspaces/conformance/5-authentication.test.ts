import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { withAccess } from './support/members.ts';

type Asks = Pick<Caller, 'call'>;

describe.each(databaseKinds)('spec §5 authentication on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    id = await acme.workspace('guarded');
  });
  afterAll(() => api.close());

  const path = () => `/workspaces/${id}`;
  const workspaces = () => `/organizations/${acme.name}/workspaces`;

  /** Creates a token at this path, and returns a client that uses it. */
  async function holderOf(tokenPath: string): Promise<Asks> {
    const body = { data: { type: 'authentication-tokens', attributes: {} } };
    const made = await acme.owner.call('POST', tokenPath, body);
    expect(made.status, made.text).toBe(201);
    return api.holder(made.body.data.attributes.token);
  }

  test('1: every request needs a bearer token; without a valid one it gets 401, at every path', async () => {
    const { token } = acme.owner;
    const WRONG = ['', token, `Basic ${token}`, `Bearer ${token}x`, `Bearer${token}`, 'Bearer', `Token ${token}`];
    for (const authorization of WRONG) {
      for (const at of [path(), workspaces(), '/workspaces/ws-none']) {
        const { status, body } = await api.nobody().call('GET', at, undefined, { authorization });
        expect([status, body.errors[0].title], authorization).toEqual([401, 'unauthorized']);
      }
    }
    const inQuery = await api.nobody().call('GET', `${path()}?access_token=${token}`);
    expect(inQuery.status, 'a token in an address is none').toBe(401);
    const right = { authorization: `Bearer ${token}` };
    expect((await api.nobody().call('GET', path(), undefined, right)).status).toBe(200);
  });

  test('2: to view takes a team that may read runs', async () => {
    const reader = await withAccess(api, acme, id, { access: 'read' });
    const custom = await withAccess(api, acme, id, { access: 'custom', runs: 'read' });
    for (const caller of [reader, custom]) {
      expect((await caller.call('GET', path())).status).toBe(200);
      expect(namesOf(await caller.call('GET', workspaces()))).toEqual(['guarded']);
    }
    const outputs = { access: 'custom', runs: 'none', 'state-versions': 'read-outputs' };
    for (const caller of [await acme.machine('nothing'), await withAccess(api, acme, id, outputs)]) {
      expect((await caller.call('GET', path())).status).toBe(404);
      expect((await caller.call('GET', workspaces())).body.data).toEqual([]);
    }
    expect((await (await newOrganization(api)).owner.call('GET', workspaces())).status).toBe(404);
  });

  test('3 and 4: settings and force unlocking take an administrator, a lock the right to lock', async () => {
    const rights: readonly [access: object, lock: number, admin: number][] = [
      [{ access: 'plan' }, 404, 404],
      [{ access: 'custom', runs: 'read', 'workspace-locking': true }, 200, 404],
      [{ access: 'write' }, 200, 404],
      [{ access: 'admin' }, 200, 200],
    ];
    for (const [access, lock, admin] of rights) {
      const caller = await withAccess(api, acme, id, access);
      const act = async (action: string) => (await caller.call('POST', `${path()}/actions/${action}`)).status;
      expect([await act('lock'), await act('unlock')], JSON.stringify(access)).toEqual([lock, lock]);
      await acme.owner.call('POST', `${path()}/actions/lock`);
      expect(await act('force-unlock')).toBe(admin);
      await acme.owner.call('POST', `${path()}/actions/force-unlock`);
      for (const attributes of [{ description: 'x' }, { 'auto-destroy-at': null }, {}]) {
        for (const at of [path(), `${workspaces()}/guarded`]) {
          expect((await caller.call('PATCH', at, workspaceBody(attributes))).status).toBe(admin);
        }
      }
    }
  });

  test('5: a workspace is created by owners, those who manage all workspaces, and the token of the organization', async () => {
    const managers = await acme.team('managers', { 'manage-workspaces': true });
    const callers: readonly [who: string, caller: Asks, status: number][] = [
      ['an owner', acme.owner, 201],
      ['a team with manage-workspaces', await acme.machine('manages', { 'manage-workspaces': true }), 201],
      ['the token of such a team', await holderOf(`/teams/${managers}/authentication-token`), 201],
      ['the token of the organization', await holderOf(`/organizations/${acme.name}/authentication-token`), 201],
      ['a team that reads all', await acme.machine('reads', { 'read-workspaces': true }), 404],
      [
        'a team with other rights',
        await acme.machine('vcs', { 'manage-vcs-settings': true, 'manage-teams': true }),
        404,
      ],
      ['a member', await acme.machine('plain'), 404],
      ['an administrator of one workspace', await withAccess(api, acme, id, { access: 'admin' }), 404],
      ['an owner of another organization', (await newOrganization(api)).owner, 404],
    ];
    for (const [who, caller, status] of callers) {
      const answer = await caller.call('POST', workspaces(), workspaceBody({ name: `made-${++names}` }));
      expect(answer.status, who).toBe(status);
    }
  });

  test('8: a move takes an administrator of the project it leaves and of the one it enters', async () => {
    const [from, to] = [await acme.project('Leaving'), await acme.project('Entering')];
    const place = (project: string) => ({ project: { data: { type: 'projects', id: project } } });
    const moved = await acme.workspace('moves', {}, place(from));
    const mover = async (...projects: string[]) => {
      const team = await acme.team(`movers-${++names}`);
      for (const project of projects) {
        const relationships = { team: { data: { type: 'teams', id: team } }, ...place(project) };
        const body = { data: { type: 'team-projects', attributes: { access: 'admin' }, relationships } };
        expect((await acme.owner.call('POST', '/team-projects', body)).status).toBe(201);
      }
      return holderOf(`/teams/${team}/authentication-token`);
    };
    const move = async (caller: Asks, project: string) =>
      (await caller.call('PATCH', `/workspaces/${moved}`, workspaceBody({}, place(project)))).status;
    expect(await move(await mover(from), to), 'where it goes is hidden: as a project that is not there').toBe(422);
    expect(await move(await mover(to), to), 'the workspace is hidden').toBe(404);
    const both = await mover(from, to);
    expect([await move(both, to), await move(both, from)]).toEqual([200, 200]);
    const ofWorkspace = await withAccess(api, acme, moved, { access: 'admin' });
    expect(await move(ofWorkspace, to), 'an administrator of the workspace is none of its project').toBe(404);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { joinTeam, namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

const OUTPUTS = { access: 'custom', runs: 'none', variables: 'none', 'state-versions': 'read-outputs' };

/**
 * A list is cached as long as nothing in it has changed. Each list here is requested until it is cached, before and
 * after a change.
 */
describe.each(databaseKinds)('a list that is requested repeatedly (spec §4.3) on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let member: Awaited<ReturnType<TestApi['user']>>;
  let teamId: string;
  let other: string;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    other = await acme.project('Other');
    for (const name of ['web-1', 'Web-2', 'db-1', 'db-2', 'my-web-3']) ids.set(name, await acme.workspace(name));
    member = await api.user('member');
    teamId = await acme.team('readers');
    await joinTeam(api, teamId, member.id);
  }, 60_000);
  afterAll(() => api.close());

  /** Requests a list several times, and returns its names. Each response must be the same. */
  async function list(caller: Caller, query: string): Promise<string[]> {
    const path = `/organizations/${acme.name}/workspaces?${query}`;
    const answers = [];
    for (let i = 0; i < 8; i++) answers.push(await caller.call('GET', path));
    const all = answers.map((answer) => JSON.stringify([namesOf(answer), answer.body.meta.pagination['total-count']]));
    expect(new Set(all).size, query).toBe(1);
    const [first] = answers;
    if (first === undefined || first.status !== 200) throw new Error(`refused: ${first?.text}`);
    return namesOf(first);
  }
  const patch = (id: string | undefined, data: object) =>
    acme.owner.call('PATCH', `/workspaces/${id}`, { data: { type: 'workspaces', ...data } });

  async function grant(
    type: 'team-workspaces' | 'team-projects',
    target: object,
    attributes: object = { access: 'read' },
  ) {
    const relationships = { team: { data: { type: 'teams', id: teamId } }, ...target };
    const answer = await acme.owner.call('POST', `/${type}`, { data: { type, attributes, relationships } });
    expect(answer.status, answer.text).toBe(201);
    return `/${type}/${answer.body.data.id}`;
  }
  const workspace = (name: string) => ({ workspace: { data: { type: 'workspaces', id: ids.get(name) } } });

  test('is searched by name as it is the first time', async () => {
    expect(await list(acme.owner, 'search[name]=WEB')).toEqual(['Web-2', 'my-web-3', 'web-1']);
    expect(await list(acme.owner, 'search[name]=web&sort=-name')).toEqual(['web-1', 'my-web-3', 'Web-2']);
    expect(await list(acme.owner, 'search[wildcard-name]=web-*')).toEqual(['Web-2', 'web-1']);
    expect(await list(acme.owner, 'search[wildcard-name]=*-1&search[name]=db')).toEqual(['db-1']);
    expect(await list(acme.owner, 'search[name]=_')).toEqual([]);
    expect(await list(acme.owner, 'page[size]=2&page[number]=3')).toEqual(['web-1']);
    expect(await list(acme.owner, 'page[size]=2&page[number]=2&sort=-name')).toEqual(['db-2', 'db-1']);
    expect(await list(acme.owner, 'page[size]=2&page[number]=9')).toEqual([]);
  });

  test('contains workspaces as they are created, renamed, moved, deleted and recovered', async () => {
    expect(await list(acme.owner, 'search[name]=db')).toEqual(['db-1', 'db-2']);
    ids.set('db-3', await acme.workspace('db-3'));
    expect(await list(acme.owner, 'search[name]=db')).toEqual(['db-1', 'db-2', 'db-3']);
    expect((await patch(ids.get('db-3'), { attributes: { name: 'cache-3' } })).status).toBe(200);
    expect(await list(acme.owner, 'search[name]=db')).toEqual(['db-1', 'db-2']);
    expect(await list(acme.owner, 'search[name]=3')).toEqual(['cache-3', 'my-web-3']);

    const ofOther = `search[name]=3&filter[project][id]=${other}`;
    expect(await list(acme.owner, ofOther)).toEqual([]);
    const project = (id: string) => ({ relationships: { project: { data: { type: 'projects', id } } } });
    expect((await patch(ids.get('db-3'), project(other))).status).toBe(200);
    expect(await list(acme.owner, ofOther)).toEqual(['cache-3']);
    expect((await acme.owner.call('DELETE', `/workspaces/${ids.get('db-3')}`)).status).toBe(204);
    expect(await list(acme.owner, ofOther)).toEqual([]);
    expect(await list(acme.owner, 'search[name]=3')).toEqual(['my-web-3']);
  });

  test('contains for a member the newly granted workspaces, and no others', async () => {
    const queries = ['search[name]=1', 'page[size]=100', 'sort=-name&page[size]=100', 'sort=latest-change-at'];
    const seen = async () => {
      const lists = [];
      for (const query of queries) lists.push((await list(member, query)).toSorted());
      return lists;
    };
    expect(await seen()).toEqual([[], [], [], []]);
    const single = await grant('team-workspaces', workspace('db-1'));
    expect(await seen()).toEqual([['db-1'], ['db-1'], ['db-1'], ['db-1']]);
    const change = { data: { type: 'team-workspaces', attributes: OUTPUTS } };
    expect((await acme.owner.call('PATCH', single, change)).status).toBe(200);
    expect(await seen()).toEqual([[], [], [], []]);

    const whole = await grant('team-projects', { project: { data: { type: 'projects', id: other } } });
    expect(await seen()).toEqual([[], [], [], []]);
    await patch(ids.get('web-1'), { relationships: { project: { data: { type: 'projects', id: other } } } });
    expect(await seen()).toEqual([['web-1'], ['web-1'], ['web-1'], ['web-1']]);
    expect((await acme.owner.call('DELETE', whole)).status).toBe(204);
    expect(await seen()).toEqual([[], [], [], []]);
    expect((await acme.owner.call('DELETE', single)).status).toBe(204);
    expect(await list(acme.owner, 'search[name]=1')).toEqual(['db-1', 'web-1']);
  });
});

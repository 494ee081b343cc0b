import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../../support/api.ts';
import { joinTeam, namesOf, newOrganization, type TestOrganization } from '../../support/organization.ts';

/** Workspaces by number: names, tags, bindings and projects are mixed, and the oldest come last by name. */
const COUNT = 30;
const nameOf = (i: number) => `w-${String(COUNT - i).padStart(2, '0')}`;
const PROJECTS = ['default', 'Network', 'Storage'] as const;
const projectOf = (i: number) => PROJECTS[i % 3] ?? 'default';

const OUTPUTS = { access: 'custom', runs: 'none', 'state-versions': 'read-outputs' };
const READ = { access: 'read' };

/** Workspaces that each team sees. Each line is a team, with the workspaces by number and the projects by name. */
interface Team {
  readonly workspaces?: readonly number[];
  readonly outputs?: readonly number[];
  readonly projects?: readonly string[];
}
const all = Array.from({ length: COUNT }, (_, i) => i);
const MEMBERS: Readonly<Record<string, readonly Team[]>> = {
  'nobody to anything': [{}],
  'a few workspaces': [{ workspaces: [2, 3, 17] }],
  'the same workspaces by several teams': [
    { workspaces: [1, 2, 3, 4] },
    { workspaces: [3, 4, 5] },
    { outputs: [6, 3] },
  ],
  'nearly all workspaces': [{ workspaces: all.slice(1) }],
  'a project': [{ projects: ['Network'] }],
  'projects and workspaces in and outside them': [
    { projects: ['Network'], workspaces: [0, 1, 4, 9] },
    { projects: ['Storage', 'Network'], outputs: [12] },
  ],
  'outputs alone': [{ outputs: all }],
  'one workspace by each of many teams': all.slice(0, 24).map((i) => ({ workspaces: [i] })),
};

const QUERIES = [
  '',
  'sort=name',
  'sort=-name',
  'sort=latest-change-at',
  'sort=-latest-change-at',
  'sort=current-run.created-at',
  'page[size]=2&page[number]=2',
  'page[size]=3&page[number]=2&sort=-name',
  'page[size]=4&sort=latest-change-at',
  'page[number]=99',
  'filter[project][id]=:Network',
  'filter[project][id]=:default&sort=-name',
  'filter[project][id]=:Storage&page[size]=2',
  'search[name]=1',
  'search[wildcard-name]=*5',
  'search[tags]=blue',
  'search[tags]=rare',
  'search[tags]=env',
  'search[tags]=blue,env',
  'search[exclude-tags]=blue',
  'filter[tagged][0][key]=env&filter[tagged][0][value]=prod',
  'search[tags]=blue&filter[project][id]=:Network&sort=-name',
  'search[name]=1&search[tags]=blue&sort=latest-change-at',
];

describe.each(databaseKinds)('the list of a caller who does not see all workspaces (spec §4.3) on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  const ids: string[] = [];
  const projects = new Map<string, string>();
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    projects.set('default', acme.defaultProjectId);
    for (const name of PROJECTS.slice(1)) projects.set(name, await acme.project(name));
    for (const i of all) {
      api.advance(1000);
      const tags = [...(i % 2 === 0 ? ['blue'] : []), ...(i === 3 || i === 8 ? ['rare'] : [])];
      const bindings = i % 5 === 0 ? [{ key: 'env', value: i % 2 === 0 ? 'prod' : 'dev' }] : [];
      const relationships = {
        project: { data: { type: 'projects', id: projects.get(projectOf(i)) } },
        tags: { data: tags.map((name) => ({ type: 'tags', attributes: { name } })) },
        'tag-bindings': { data: bindings.map((attributes) => ({ type: 'tag-bindings', attributes })) },
      };
      ids.push(await acme.workspace(nameOf(i), {}, relationships));
    }
  }, 60_000);
  afterAll(() => api.close());

  async function grant(type: string, teamId: string, target: string, id: string | undefined, attributes: object) {
    const relationships = {
      team: { data: { type: 'teams', id: teamId } },
      [target]: { data: { type: `${target}s`, id } },
    };
    const answer = await acme.owner.call('POST', `/${type}`, { data: { type, attributes, relationships } });
    expect(answer.status, answer.text).toBe(201);
  }

  async function member(name: string, teams: readonly Team[]): Promise<Caller> {
    const username = name.replaceAll(' ', '-');
    const user = await api.user(username);
    for (const [index, { workspaces = [], outputs = [], projects: whole = [] }] of teams.entries()) {
      const teamId = await acme.team(`${username}-${index}`);
      await joinTeam(api, teamId, user.id);
      for (const i of workspaces) await grant('team-workspaces', teamId, 'workspace', ids[i], READ);
      for (const i of outputs) {
        if (!workspaces.includes(i)) await grant('team-workspaces', teamId, 'workspace', ids[i], OUTPUTS);
      }
      for (const project of whole) await grant('team-projects', teamId, 'project', projects.get(project), READ);
    }
    return user;
  }

  function seenBy(teams: readonly Team[]): Set<string> {
    const sees = (i: number) =>
      teams.some((team) => team.workspaces?.includes(i) || team.projects?.includes(projectOf(i)));
    return new Set(all.filter(sees).map(nameOf));
  }

  test.each(Object.entries(MEMBERS))(
    'is for %s the list of the owner without hidden workspaces',
    async (name, teams) => {
      const caller = await member(name, teams);
      const seen = seenBy(teams);
      for (const pattern of QUERIES) {
        const query = pattern.replace(/:(\w+)/, (_, project: string) => projects.get(project) ?? project);
        const url = new URLSearchParams(query);
        const size = Number(url.get('page[size]') ?? 20);
        const number = Number(url.get('page[number]') ?? 1);
        url.delete('page[number]');
        url.set('page[size]', '100');
        const path = `/organizations/${acme.name}/workspaces`;
        const whole = namesOf(await acme.owner.call('GET', `${path}?${url}`)).filter((one) => seen.has(one));
        const answer = await caller.call('GET', `${path}?${query}`);
        expect(namesOf(answer), query).toEqual(whole.slice((number - 1) * size, number * size));
        expect(answer.body.meta.pagination['total-count'], query).toBe(whole.length);
      }
    },
  );

  test('stays correct when a workspace is renamed or moved, or when access is removed', async () => {
    const caller = await member('follower', [{ workspaces: [4], projects: ['Storage'] }]);
    const list = async (query = '') =>
      namesOf(await caller.call('GET', `/organizations/${acme.name}/workspaces?page[size]=100${query}`));
    const before = await list();
    const patch = (attributes: object, project: string) =>
      acme.owner.call('PATCH', `/workspaces/${ids[4]}`, {
        data: {
          type: 'workspaces',
          attributes,
          relationships: { project: { data: { type: 'projects', id: projects.get(project) } } },
        },
      });
    expect((await patch({ name: 'a-first' }, 'default')).status).toBe(200);
    expect(await list()).toEqual(['a-first', ...before.filter((name) => name !== nameOf(4))]);
    expect(await list(`&filter[project][id]=${projects.get('default')}`)).toEqual(['a-first']);
    expect(namesOf(await caller.call('GET', `/organizations/${acme.name}/projects`)).toSorted()).toEqual([
      'Default Project',
      'Storage',
    ]);
    // A workspace in a project that the caller sees completely is still counted once.
    expect((await patch({ name: nameOf(4) }, 'Storage')).status).toBe(200);
    expect(await list()).toEqual(before);
    const answer = await caller.call('GET', `/organizations/${acme.name}/workspaces`);
    expect(answer.body.meta.pagination['total-count']).toBe(before.length);
    expect((await patch({}, projectOf(4))).status).toBe(200);
  });
});

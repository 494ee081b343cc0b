import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';
import { stateText, worker } from '../support/states.ts';
import { type Listed, LOCKED, listed, type ProjectBindings, type Query } from './support/list-model.ts';

type Sample = Omit<Listed, 'project' | 'changedAt' | 'run'> & { inNetwork?: boolean; statuses?: string[] };

const PLANNED = ['planning', 'planned'];

/** Workspaces in the order in which they are created. */
const SAMPLES: readonly Sample[] = [
  { name: 'web-prod', tags: ['web', 'prod'], bindings: { env: 'prod', team: 'core' } },
  { name: 'web-dev', tags: ['web'], bindings: { env: 'dev' }, statuses: ['planning'] },
  { name: 'Web_old', tags: ['web', 'old'], bindings: {}, statuses: PLANNED },
  { name: 'net-prod', tags: ['prod'], bindings: {}, inNetwork: true },
  { name: 'net-dev', tags: [], bindings: { env: 'dev' }, inNetwork: true, statuses: PLANNED },
  { name: 'net-flag', tags: ['env'], bindings: { flag: '', env: '', zone: 'us', 'cost:id': '7' }, inNetwork: true },
  { name: 'db', tags: ['old'], bindings: { env: 'prod', flag: '' }, statuses: ['planning'] },
  { name: 'db-web', tags: [], bindings: { flag: 'on', team: '' } },
  { name: 'a', tags: ['web', 'prod', 'old'], bindings: { env: 'test' }, inNetwork: true, statuses: [] },
  { name: 'Z', tags: [], bindings: {} },
];

const parameter = (name: string, ...values: string[]): Query[] => values.map((value) => ({ [name]: value }));
const pair = (i: number, key: string, value?: string): Query => ({
  [`filter[tagged][${i}][key]`]: key,
  ...(value === undefined ? {} : { [`filter[tagged][${i}][value]`]: value }),
});

/** One, two or none of `filter[tagged]`, in each way to put them together. */
const TAGGED: readonly Query[] = [
  {},
  ...[
    pair(0, 'env', 'prod'),
    pair(0, 'env'),
    pair(0, 'zone', 'eu'),
    pair(0, 'cost:id', '7'),
    pair(0, 'flag', ''),
    pair(0, 'flag', 'on'),
  ],
].flatMap((first) =>
  [{}, pair(1, 'team'), pair(1, 'env', 'dev'), pair(1, 'cost:id', '1'), pair(2, 'zone')].flatMap((second) =>
    parameter('filter[tag-union]', 'true', 'false').flatMap((union) =>
      parameter('filter[tag-value-default-null]', 'true', 'false').map((unsaid) => ({
        ...{ ...first, ...second },
        ...{ ...union, ...unsaid },
      })),
    ),
  ),
);

/** Values of each parameter, of which a query takes one or none. */
const CHOICES = (network: string, other: string): readonly (readonly Query[])[] => [
  parameter('search[name]', 'web', 'WEB-', '-', '_', 'd', 'nothing', '%', '*', 'w*b', '*web'),
  parameter('search[wildcard-name]', '*prod', 'net-*', '*e*', 'db', 'DB', '*'),
  parameter('search[tags]', 'web', 'web,old', 'ENV', 'env', 'env,prod', 'zone', 'flag', 'none', 'cost:id'),
  parameter('search[exclude-tags]', 'old', 'prod,flag', 'env', 'zone', 'none'),
  parameter('filter[project][id]', network, other),
  parameter('filter[current-run][status]', 'planned', 'planning', 'pending', 'planned,planning', 'errored'),
  TAGGED,
  parameter('sort', ...['name', 'current-run.created-at', 'latest-change-at'].flatMap((word) => [word, `-${word}`])),
];

/** Returns a pseudo-random generator that yields equal numbers in each run. */
function numbers(): (below: number) => number {
  let seed = 20261121;
  return (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
}

/** Each value of each parameter alone, and combined queries: all of them, or a sample. */
function queries(choices: readonly (readonly Query[])[], step: number): Query[] {
  const below = numbers();
  const mix = () => choices.filter(() => below(3) === 0).map((values) => values[below(values.length)] ?? {});
  const all = [...choices.flat(), ...Array.from({ length: 200 }, () => Object.assign({}, ...mix()))];
  return all.filter((_, i) => i % step === 0);
}

describe.each(databaseKinds)('spec §4.3 list workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let member: Caller;
  let network: string;
  let projects: ProjectBindings;
  const all: Listed[] = [];
  /** Only every tenth query runs on PostgreSQL, because the SQL is almost the same. */
  const step = kind === 'sqlite' ? 1 : 10;
  /** The names of those that the member sees: all in the network, and one more. */
  let seen: ReadonlySet<string>;

  const list = (query: Query, caller: Caller = acme.owner) =>
    caller.call('GET', `/organizations/${acme.name}/workspaces?${new URLSearchParams(query)}`);

  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    network = await acme.project('Network');
    projects = { [network]: { zone: 'eu', env: 'prod', 'cost:id': '1' }, [acme.defaultProjectId]: {} };
    const { owner } = acme;
    await owner.call('PATCH', `/projects/${network}/tag-bindings`, bindings(projects[network] ?? {}));
    for (const sample of SAMPLES) all.push(await made(sample));
    const reserved = { key: LOCKED, 'disable-overrides': true };
    const body = { data: { type: 'reserved-tag-keys', attributes: reserved } };
    expect((await owner.call('POST', `/organizations/${acme.name}/reserved-tag-keys`, body)).status).toBe(201);
    // The state of one that was made early changes last.
    const early = await owner.call('GET', `/organizations/${acme.name}/workspaces/net-prod`);
    const states = worker(api, owner, early.body.data.id);
    await states.lock();
    api.advance(1000);
    await states.write(stateText(1), { serial: 1 });
    const [index, changedAt] = [all.findIndex(({ name }) => name === 'net-prod'), api.now()];
    all.splice(index, 1, { ...all[index], changedAt } as Listed);

    const team = await acme.team('few');
    await owner.call('POST', `/teams/${team}/machine-identities`, {
      data: { type: 'machine-identities', attributes: { mount: 'cert', role: `${acme.name}/few` } },
    });
    const db = await owner.call('GET', `/organizations/${acme.name}/workspaces/db`);
    await grant(team, 'workspace', db.body.data.id);
    await grant(team, 'project', network);
    member = api.machine({ role: `${acme.name}/few` });
    seen = new Set([...all.filter(({ project }) => project === network).map(({ name }) => name), 'db']);
  }, 60_000);
  afterAll(() => api.close());

  const bindings = (pairs: Readonly<Record<string, string>>) => ({
    data: Object.entries(pairs).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
  });

  async function made({ name, tags, bindings: own, inNetwork = false, statuses }: Sample): Promise<Listed> {
    api.advance(1000);
    const project = inNetwork ? network : acme.defaultProjectId;
    const changedAt = api.now();
    const id = await acme.workspace(
      name,
      {},
      {
        tags: { data: tags.map((tag) => ({ type: 'tags', attributes: { name: tag } })) },
        'tag-bindings': bindings(own),
        project: { data: { type: 'projects', id: project } },
      },
    );
    const one = { name, project, tags, bindings: own, changedAt };
    if (statuses === undefined) return one;
    const runs = runsOf(api, acme);
    await runs.uploaded(id);
    const run = await runs.run(id);
    const createdAt = api.now();
    await runs.through(run, ...statuses);
    return { ...one, run: { status: await runs.statusOf(run), createdAt } };
  }

  async function grant(team: string, target: 'workspace' | 'project', id: string): Promise<void> {
    const relationships = {
      team: { data: { type: 'teams', id: team } },
      [target]: { data: { type: `${target}s`, id } },
    };
    const body = { data: { type: `team-${target}s`, attributes: { access: 'read' }, relationships } };
    expect((await acme.owner.call('POST', `/team-${target}s`, body)).status).toBe(201);
  }

  test('every parameter, alone and combined, returns the workspaces of the model, in their order', async () => {
    for (const query of queries(CHOICES(network, acme.defaultProjectId), step)) {
      const answer = await list(query);
      expect(answer.status, answer.text).toBe(200);
      const names = listed(all, projects, query);
      expect(namesOf(answer), JSON.stringify(query)).toEqual(names);
      expect(answer.body.meta.pagination['total-count'], JSON.stringify(query)).toBe(names.length);
    }
  }, 120_000);

  test('a caller who sees some workspaces finds those by the same rules, page by page', async () => {
    const some = all.filter(({ name }) => seen.has(name));
    for (const query of queries(CHOICES(network, acme.defaultProjectId), step)) {
      const names = listed(some, projects, query);
      const pages = [1, 2, 3].map((number) =>
        list({ ...query, 'page[size]': '2', 'page[number]': String(number) }, member),
      );
      const answers = await Promise.all(pages);
      expect(answers.flatMap(namesOf), JSON.stringify(query)).toEqual(names);
      for (const { body } of answers)
        expect(body.meta.pagination['total-count'], JSON.stringify(query)).toBe(names.length);
    }
  }, 120_000);

  test.each([
    'search[name]',
    'search[wildcard-name]',
    'search[tags]',
    'search[exclude-tags]',
    'filter[project][id]',
    'filter[current-run][status]',
    'filter[tagged][0][key]',
    'include',
  ])('%s leaves all of them while it is empty', async (name) => {
    expect(namesOf(await list({ [name]: '' }))).toEqual(listed(all, projects, {}));
  });

  test('space around the words of a list is ignored, and so is an empty word', async () => {
    for (const words of ['web,old', ' web , old ', 'web,,old, ,']) {
      expect(namesOf(await list({ 'search[tags]': words })), words).toEqual(['Web_old', 'a']);
    }
    expect(namesOf(await list({ 'search[exclude-tags]': 'web, , prod,' }))).not.toEqual([]);
    const statuses = await list({ 'filter[current-run][status]': ' planned , planning' });
    expect(namesOf(statuses)).toEqual(['Web_old', 'db', 'net-dev', 'web-dev']);
  });

  test('brackets may be encoded or not, one by one', async () => {
    const path = `/organizations/${acme.name}/workspaces`;
    for (const query of ['search[name]=db-', 'search%5Bname%5D=db-', 'search%5bname]=db-', 'search[name]=db%2d']) {
      expect(namesOf(await acme.owner.call('GET', `${path}?${query}`)), query).toEqual(['db-web']);
    }
  });

  test('filters of one key for two values exclude each other, unless one is enough', async () => {
    const both = { ...pair(0, 'env', 'prod'), ...pair(1, 'env', 'dev') };
    expect(namesOf(await list(both))).toEqual([]);
    const either = await list({ ...both, 'filter[tag-union]': 'true', 'search[name]': 'net' });
    expect(namesOf(either)).toEqual(['net-dev', 'net-prod']);
  });

  test.each([
    ['sort', 'created-at'],
    ['sort', '--name'],
    ['sort', 'NAME'],
    ['filter[tag-union]', 'yes'],
    ['filter[tag-value-default-null]', '1'],
    ['page[number]', '1.0'],
    ['page[size]', '0'],
    ['page[size]', ''],
  ])('%s=%s is a bad request', async (name, value) => {
    const answer = await list({ [name]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ status: '400', source: { parameter: name } }]);
  });

  test('an organization that does not exist, or that the caller may not see, returns 404', async () => {
    const stranger = await api.user(`lister-${kind}`);
    for (const [caller, name] of [
      [acme.owner, 'no-such-organization'],
      [stranger, acme.name],
    ] as const) {
      expect((await caller.call('GET', `/organizations/${name}/workspaces`)).status).toBe(404);
    }
  });

  test('a pattern that fits nothing costs no more than one that does', async () => {
    await acme.workspace('a'.repeat(90));
    for (const pattern of ['*a'.repeat(400), `${'*a'.repeat(40)}b`, '*'.repeat(1000)]) {
      for (const name of ['search[wildcard-name]', 'search[name]']) {
        const { body, status } = await list({ [name]: pattern });
        const fits = name === 'search[wildcard-name]' && /^\*+$/.test(pattern);
        expect([status, body.meta.pagination['total-count'] > 0]).toEqual([200, fits]);
      }
    }
    await acme.owner.call('DELETE', `/organizations/${acme.name}/workspaces/${'a'.repeat(90)}`);
  }, 10_000);
});

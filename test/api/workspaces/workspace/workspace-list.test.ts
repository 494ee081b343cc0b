import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

interface Sample {
  readonly tags?: string[];
  readonly bindings?: Record<string, string>;
  readonly network?: boolean;
}

/** Workspaces in the order of their names. They are created in another order. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'api-dev': { tags: ['api', 'dev'] },
  'api-prod': { tags: ['api', 'prod'], bindings: { env: 'prod', tier: '1' } },
  'api-test': { tags: ['api'], bindings: { env: 'test' } },
  db_prod: { tags: ['prod'], bindings: { env: 'prod' }, network: true },
  'net-dev': { tags: ['dev'], network: true },
  'net-prod': { tags: ['prod', 'core'], network: true },
  Zone: {},
};
const ALL = ['Zone', 'api-dev', 'api-prod', 'api-test', 'db_prod', 'net-dev', 'net-prod'];

describe.each(databaseKinds)('listing workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let network: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    network = await acme.project('Network');
    for (const [name, sample] of Object.entries(SAMPLES).toReversed()) {
      api.advance(1000);
      await acme.workspace(name, {}, relationshipsOf(sample));
    }
    const other = await newOrganization(api);
    await other.workspace('api-elsewhere', {}, relationshipsOf({ tags: ['api', 'prod'], bindings: { env: 'prod' } }));
  });
  afterAll(() => api.close());

  function relationshipsOf({ tags = [], bindings = {}, network: inNetwork = false }: Sample) {
    return {
      tags: { data: tags.map((name) => ({ type: 'tags', attributes: { name } })) },
      'tag-bindings': { data: Object.entries(bindings).map(([key, value]) => ({ attributes: { key, value } })) },
      ...(inNetwork && { project: { data: { type: 'projects', id: network } } }),
    };
  }

  const list = (query: string, caller = acme.owner as Pick<typeof acme.owner, 'call'>) =>
    caller.call('GET', `/organizations/${acme.name}/workspaces${query}`);

  test.each([
    ['', ALL],
    ['?search[name]=api', ['api-dev', 'api-prod', 'api-test']],
    ['?search%5Bname%5D=API-p', ['api-prod']],
    ['?search[name]=_', ['db_prod']],
    ['?search[name]=%25', []],
    ['?search[name]=%5C', []],
    ['?search[name]=', ALL],
    ['?search[name]=nonexisting', []],
    ['?search[wildcard-name]=*-prod', ['api-prod', 'net-prod']],
    ['?search[wildcard-name]=API-*', ['api-dev', 'api-prod', 'api-test']],
    ['?search[wildcard-name]=*i-*', ['api-dev', 'api-prod', 'api-test']],
    ['?search[wildcard-name]=zone', ['Zone']],
    ['?search[wildcard-name]=api', []],
    ['?search[tags]=api', ['api-dev', 'api-prod', 'api-test']],
    ['?search[tags]=API,Prod', ['api-prod']],
    ['?search[tags]=prod,%20core', ['net-prod']],
    ['?search[tags]=api,none', []],
    ['?search[tags]=none', []],
    ['?search[tags]=env', ['api-prod', 'api-test', 'db_prod']],
    ['?search[tags]=env,api', ['api-prod', 'api-test']],
    ['?search[tags]=env,tier', ['api-prod']],
    ['?search[exclude-tags]=api', ['Zone', 'db_prod', 'net-dev', 'net-prod']],
    ['?search[exclude-tags]=api,core,none', ['Zone', 'db_prod', 'net-dev']],
    ['?search[exclude-tags]=env', ['Zone', 'api-dev', 'net-dev', 'net-prod']],
    ['?search[tags]=prod&search[exclude-tags]=env', ['net-prod']],
    ['?filter[tagged][0][key]=env', ['api-prod', 'api-test', 'db_prod']],
    ['?filter[tagged][0][key]=env&filter[tagged][0][value]=', ['api-prod', 'api-test', 'db_prod']],
    ['?filter[tagged][0][key]=env&filter[tagged][0][value]=prod', ['api-prod', 'db_prod']],
    ['?filter[tagged][1][value]=1&filter[tagged][0][key]=env&filter[tagged][1][key]=tier', ['api-prod']],
    ['?search[name]=prod&search[tags]=api', ['api-prod']],
    ['?filter[current-run][status]=applied', []],
    ['?sort=name', ALL],
    ['?sort=-name', ALL.toReversed()],
    ['?sort=-name&search[tags]=api', ['api-test', 'api-prod', 'api-dev']],
    ['?sort=latest-change-at', Object.keys(SAMPLES).toReversed()],
    ['?sort=-latest-change-at', Object.keys(SAMPLES)],
    ['?sort=latest-change-at&search[tags]=dev', ['net-dev', 'api-dev']],
    ['?sort=current-run.created-at', ALL],
  ])('%s', async (query, names) => {
    const answer = await list(query);
    expect(answer.status, answer.text).toBe(200);
    expect(namesOf(answer)).toEqual(names);
    expect(answer.body.meta.pagination['total-count']).toBe(names.length);
  });

  test('is filtered by lock and execution mode, with counts', async () => {
    const own = await newOrganization(api);
    const ids = new Map<string, string>();
    for (const [name, attributes] of [
      ['held', { 'execution-mode': 'local' }],
      ['free', { 'execution-mode': 'remote', 'engine-version': '1.9.0' }],
      ['plain', { engine: 'terraform' }],
    ] as const) {
      ids.set(name, await own.workspace(name, attributes));
    }
    await own.owner.call('POST', `/workspaces/${ids.get('held')}/actions/lock`, { reason: 'mine' });
    const of = async (query: string) => {
      const answer = await own.owner.call('GET', `/organizations/${own.name}/workspaces?${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer;
    };
    expect(namesOf(await of('filter[locked]=true'))).toEqual(['held']);
    expect(namesOf(await of('filter[locked]=false'))).toEqual(['free', 'plain']);
    expect(namesOf(await of('filter[execution-mode]=local'))).toEqual(['held']);
    expect(namesOf(await of('filter[execution-mode]=local,remote,agent'))).toEqual(['free', 'held', 'plain']);
    expect(namesOf(await of('filter[engine]=terraform'))).toEqual(['plain']);
    expect(namesOf(await of('filter[engine]=opentofu'))).toEqual(['free', 'held']);
    expect(namesOf(await of('filter[engine-version]=1.9.0'))).toEqual(['free']);
    expect(namesOf(await of('filter[has-state]=true'))).toEqual([]);
    const counted = await of('counts=true&filter[locked]=true&page[size]=1');
    expect(namesOf(counted)).toEqual(['held']);
    expect(counted.body.meta.counts).toEqual({ total: 3, locked: 1, 'run-status': {} });
    expect(counted.body.data[0].attributes['locked-by-name']).toMatch(/^ada/);
    expect((await of('')).body.meta.counts).toBeUndefined();
    // A caller who sees no workspace gets counts of zero.
    const stranger = await newOrganization(api);
    const refused = await stranger.owner.call('GET', `/organizations/${own.name}/workspaces?counts=true`);
    expect(refused.status).toBe(404);
    for (const query of ['filter[locked]=yes', 'counts=1']) {
      expect((await own.owner.call('GET', `/organizations/${own.name}/workspaces?${query}`)).status).toBe(400);
    }
  });

  test('a project has its own list', async () => {
    const filter = `?filter[project][id]=${network}`;
    const all = await list(filter);
    expect(namesOf(all)).toEqual(['db_prod', 'net-dev', 'net-prod']);
    expect(all.body.meta.pagination['total-count']).toBe(3);
    const tagged = await list(`${filter}&search[tags]=prod&page[size]=1&page[number]=2`);
    expect(namesOf(tagged)).toEqual(['net-prod']);
    expect(tagged.body.meta.pagination['total-count']).toBe(2);
    const other = await newOrganization(api);
    for (const id of ['prj-none', other.defaultProjectId]) {
      expect((await list(`?filter[project][id]=${id}`)).body.data).toEqual([]);
    }
  });

  test('each element equals the document of the single workspace', async () => {
    const { body } = await list('');
    for (const element of body.data) {
      expect((await acme.owner.call('GET', `/workspaces/${element.id}`)).body.data).toEqual(element);
    }
  });

  test('pages follow one another, with absolute links that keep the search', async () => {
    const base = `http://keeper.example.com:8443/api/v2/organizations/${acme.name}/workspaces?search%5Bname%5D=-`;
    const link = (number: number) => `${base}&page%5Bsize%5D=2&page%5Bnumber%5D=${number}`;
    const seen: string[] = [];
    for (const number of [1, 2, 3]) {
      const page = await list(`?search[name]=-&page[size]=2&page[number]=${number}`);
      seen.push(...namesOf(page));
      expect(page.body.links).toEqual({
        self: link(number),
        first: link(1),
        prev: number === 1 ? null : link(number - 1),
        next: number === 3 ? null : link(number + 1),
        last: link(3),
      });
      expect(page.body.meta.pagination).toEqual({
        'current-page': number,
        'page-size': 2,
        'prev-page': number === 1 ? null : number - 1,
        'next-page': number === 3 ? null : number + 1,
        'total-pages': 3,
        'total-count': 5,
      });
    }
    expect(seen).toEqual(['api-dev', 'api-prod', 'api-test', 'net-dev', 'net-prod']);
  });

  test('a page behind the last one is empty, and a page is never larger than a hundred', async () => {
    const behind = await list('?page[number]=999');
    expect(behind.status).toBe(200);
    expect(behind.body.data).toEqual([]);
    expect(behind.body.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 7, 'next-page': null });
    const large = await list('?page[size]=100000');
    expect(large.body.meta.pagination).toMatchObject({ 'page-size': 100, 'total-pages': 1 });
  });

  test.each([
    ['?page[number]=-1', 'page[number]'],
    ['?page[size]=ten', 'page[size]'],
    ['?page[size]=1&page[size]=2', 'page[size]'],
    ['?page[number]=99999999999', 'page[number]'],
    ['?sort=age', 'sort'],
    ['?sort=constructor', 'sort'],
    ['?search[name]=%00', 'search[name]'],
    ['?search[tags]=a&search[tags]=b', 'search[tags]'],
    [`?search[tags]=${Array.from({ length: 21 }, (_, i) => `t${i}`).join()}`, 'search[tags]'],
    ['?filter[tagged][0][key]=%00', 'filter[tagged][0][key]'],
    [`?search[name]=${'x'.repeat(1001)}`, 'search[name]'],
  ])('%s returns 400', async (query, parameter) => {
    const answer = await list(query);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].source).toEqual({ parameter });
    expect(issuesOf(answer)[0]?.length).toBeLessThan(200);
  });

  test('each requested resource is included once', async () => {
    const { body } = await list('?include=organization,project,effective_tag_bindings');
    const types = body.included.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === 'organizations')).toHaveLength(1);
    expect(types.filter((type: string) => type === 'projects')).toHaveLength(2);
    expect(types.filter((type: string) => type === 'effective-tag-bindings')).toHaveLength(4);
    const untagged = body.data.find(({ attributes }: { attributes: { name: string } }) => attributes.name === 'Zone');
    expect(untagged.relationships['effective-tag-bindings'].data).toEqual([]);
  });

  test('only workspaces that the caller can read are listed and counted', async () => {
    const reader = await acme.machine('reader', { 'read-workspaces': true });
    expect((await list('', reader)).body.meta.pagination['total-count']).toBe(7);
    const nobody = await acme.machine('powerless', { 'read-projects': true });
    for (const query of ['', '?search[tags]=api', `?filter[project][id]=${network}`, '?search[name]=api']) {
      const { body } = await list(query, nobody);
      expect(body.data, query).toEqual([]);
      expect(body.meta.pagination['total-count'], query).toBe(0);
    }
  });

  test('a bad Host header returns 400', async () => {
    const answer = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces`, undefined, { host: 'a b' });
    expect(answer.status).toBe(400);
  });
});

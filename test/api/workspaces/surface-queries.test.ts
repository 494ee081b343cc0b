import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { type Answer, startApi, type TestApi } from './support/api.ts';
import { newOrganization, type TestOrganization } from './support/organization.ts';
import { oneOfEverything, requestOf, SURFACE, type Values } from './support/surface/index.ts';

/** Parameters that no route or only a few routes have. */
const UNKNOWN = [
  'filter[nothing]',
  'filter[status][x]',
  'search[nothing]',
  'page[after]',
  'page',
  'per_page',
  'nothing',
];
const OF_SOME = ['include', 'sort', 'q', 'search[name]', 'filter[status]', 'page[number]', 'page[size]', 'counts'];

/** Routes with a signed URL or a token of their own: without it they do not check the query. */
const BY_LINK = new Set([
  'GET /run-logs/:link',
  'PUT /configuration-uploads/:link',
  'PUT /state-versions/:state_version_id/upload',
  'PUT /state-versions/:state_version_id/json-upload',
  'PATCH /task-results/:task_result_id/callback',
]);

/** Parameters that official clients send although they match nothing here. */
const OF_CLIENTS: Readonly<Record<string, string>> = {
  'GET /organizations/:organization_name/policies': 'search[name]=a&filter[kind]=opa&page[size]=100',
  'GET /organizations/:organization_name/policy-sets': 'filter[kind]=opa&filter[versioned]=true&include=policies',
  'GET /runs/:run_id/policy-checks': 'include=run.workspace',
  'GET /github-app/installations': 'filter[name]=a&filter[installation_id]=1',
  'GET /organizations/:organization_name/agent-pools': 'filter[allowed-workspaces][name]=one',
  'GET /organizations/:organization_name/workspaces': 'TagBindings=a&TagBindings=b&filter[tagged][0][key]=a',
  'GET /organizations/:organization_name/projects': 'TagBindings=',
  'GET /workspaces/:workspace_id/notification-configurations': 'SubscribableChoice[Workspace][ID]=ws-1',
  'GET /projects/:project_id/notification-configurations': 'SubscribableChoice[Project][ID]=prj-1',
  'GET /teams/:team_id/notification-configurations': 'SubscribableChoice[Team][ID]=team-1',
  'GET /workspaces/:workspace_id/vars': 'page[number]=1&page[size]=100',
  'GET /runs/:run_id/comments': 'page[number]=1&page[size]=100',
};

/** Parameters that narrow a list, except those that exclude resources or modify other parameters. */
const NARROWS = /^(filter|search)\[|^q/;
const EXCLUDES = /exclude|allowed[_-]|\[value\]$|\[tag-/;

// biome-ignore lint/suspicious/noExplicitAny: a test looks into it
type Parameter = any;

describe.each(databaseKinds)('the query of every route, on %s', { timeout: 120_000 }, (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let values: Values;
  let parametersOf: (route: string) => readonly Parameter[];
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    values = await oneOfEverything(acme);
    await api.workspaces.tenancy.users.setSiteAdmin(acme.owner.username, true);
    const { paths } = (await api.nobody().call('GET', '/openapi.json')).body;
    parametersOf = (route) => {
      const [method = '', path = ''] = route.split(' ');
      const { parameters = [] } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      return parameters.filter((one: Parameter) => one.in === 'query');
    };
  });
  afterAll(() => api.close());

  const knownOf = (route: string): string[] => parametersOf(route).map(({ name }) => name);
  /** Routes that answer the owner of the organization, who administers the server here. */
  const isShown = (route: string) => SURFACE[route]?.owner === 200 || route.startsWith('GET /admin/');
  const routes = () => api.routes.filter((route) => !BY_LINK.has(route));

  /** Sends the valid request of a route, with additional parameters. */
  function ask(route: string, query: string): Promise<Answer> {
    const { method, path, body } = requestOf(route, values);
    return acme.owner.call(method, `${path}${path.includes('?') ? '&' : '?'}${query}`, body);
  }

  const refused = (parameter: string) => ({
    status: 400,
    errors: expect.arrayContaining([
      expect.objectContaining({ status: '400', source: { parameter }, detail: expect.stringContaining(parameter) }),
    ]),
  });
  const shown = ({ status, body }: Answer) => ({ status, errors: body?.errors });

  test('an unknown parameter is refused, for any method', async () => {
    for (const route of routes()) {
      const known = new Set(knownOf(route));
      for (const parameter of [...UNKNOWN, ...OF_SOME].filter((name) => !known.has(name))) {
        const answer = shown(await ask(route, `${encodeURIComponent(parameter)}=1`));
        expect([route, answer]).toEqual([route, refused(parameter)]);
      }
    }
  });

  test('so it is behind a link', async () => {
    const path = `/workspaces/${values.workspace_id}/configuration-versions`;
    const body = { data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } } };
    const announced = await acme.owner.call('POST', path, body);
    const { pathname } = new URL(announced.body.data.attributes['upload-url']);
    const upload = pathname.replace('/api/v2', '');
    const sent = await acme.owner.call('PUT', `${upload}?nothing=1`, 'an archive');
    expect(shown(sent)).toEqual(refused('nothing'));
    const { plan_id } = values;
    const log = new URL((await acme.owner.call('GET', `/plans/${plan_id}`)).body.data.attributes['log-read-url']);
    const read = await api.nobody().call('GET', `${log.pathname.replace('/api/v2', '')}?limit=x&offset=0`);
    expect(shown(read)).toEqual(refused('limit'));
  });

  test('a request with a refused query has no effect', async () => {
    const gone = await acme.owner.call('DELETE', `/workspaces/${values.workspace_id}?force=true`);
    expect(gone.status).toBe(400);
    expect((await acme.owner.call('GET', `/workspaces/${values.workspace_id}`)).status).toBe(200);
  });

  test('a known parameter is limited, and accepted once', async () => {
    for (const route of routes()) {
      for (const name of knownOf(route)) {
        const parameter = encodeURIComponent(name);
        for (const query of [
          `${parameter}=${'9'.repeat(9_000)}`,
          `${parameter}=%00`,
          `${parameter}=1&${parameter}=1`,
        ]) {
          expect([route, name, shown(await ask(route, query))]).toEqual([route, name, refused(name)]);
        }
      }
    }
  });

  test('page[size] is a number from 1 on, and at most 100', async () => {
    const paged = routes().filter((route) => isShown(route) && knownOf(route).includes('page[size]'));
    expect(paged.length).toBeGreaterThan(40);
    for (const route of paged) {
      for (const size of ['0', '-1', 'x', '', '1.5', '+1', '0x10', '99999999999']) {
        const answer = shown(await ask(route, `page[size]=${encodeURIComponent(size)}`));
        expect([route, size, answer]).toEqual([route, size, refused('page[size]')]);
      }
      for (const size of [101, 999_999_999]) {
        const { status, body } = await ask(route, `page[size]=${size}`);
        expect([route, status]).toEqual([route, 200]);
        if (body.meta?.pagination) expect([route, body.meta.pagination['page-size']]).toEqual([route, 100]);
      }
    }
  });

  test('a page behind the last one is empty, and has no next page', async () => {
    const paged = routes().filter((route) => isShown(route) && knownOf(route).includes('page[number]'));
    for (const route of paged) {
      for (const number of [99, 999_999_999]) {
        const { status, body } = await ask(route, `page[number]=${number}&page[size]=100`);
        expect([route, number, status, body.data]).toEqual([route, number, 200, []]);
        if (body.meta?.pagination) expect([route, body.meta.pagination['next-page']]).toEqual([route, null]);
      }
    }
  });

  test('filters by tag are numbered, and a value has its key', async () => {
    const lists = ['workspaces', 'projects'].map((what) => `GET /organizations/:organization_name/${what}`);
    const tag = (rest: string) => `filter[tagged]${rest}`;
    for (const route of lists) {
      for (const wrong of ['[a][key]', '[][key]', '[-1][key]', '[01][key]', '[1000][key]', '[0]', '[0][name]', '']) {
        const answer = shown(await ask(route, `${encodeURIComponent(tag(wrong))}=x`));
        expect([route, answer]).toEqual([route, refused(tag(wrong))]);
      }
      for (const alone of [
        '[0][value]=x',
        '[0][key]=&filter[tagged][0][value]=x',
        '[0][key]=a&filter[tagged][1][value]=x',
      ]) {
        const { status, body } = await ask(route, tag(alone));
        expect([route, status, body.errors?.[0].detail]).toEqual([route, 400, expect.stringContaining('][key]')]);
      }
      for (const fine of [
        '[0][key]=x',
        '[7][key]=x&filter[tagged][7][value]=y',
        '[0][key]=&filter[tagged][0][value]=',
      ]) {
        expect([route, (await ask(route, tag(fine))).status]).toEqual([route, 200]);
      }
    }
  });

  test.each(Object.entries(OF_CLIENTS))('requests of official clients are accepted: %s?%s', async (route, query) => {
    expect(shown(await ask(route, query))).toEqual({ status: 200, errors: undefined });
  });

  test('a filter never widens a list', async () => {
    const lists = routes().filter((route) => isShown(route) && knownOf(route).includes('page[size]'));
    for (const route of lists) {
      // Filters by a value that no resource has. A parameter with a fixed set of values refuses it instead.
      for (const name of knownOf(route).filter((one) => NARROWS.test(one) && !EXCLUDES.test(one))) {
        if (SURFACE[route]?.query?.includes(name)) continue;
        const { status, body } = await ask(route, `${encodeURIComponent(name)}=no-such-thing`);
        if (status === 400 || status === 404) continue;
        expect([route, name, status, body.data.length]).toEqual([route, name, 200, 0]);
      }
    }
  });
});

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventName } from '../../../src/workspaces/audit-trail/event-names.ts';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';
import { newOrganization } from './support/organization.ts';
import { oneOfEverything, requestOf, SURFACE } from './support/surface/index.ts';

/** Expected statuses of unauthenticated requests. Uploads and logs need a signed URL; these paths are not signed. */
const OPEN: Readonly<Record<string, number>> = {
  'GET /openapi.json': 200,
  'GET /ping': 204,
  'GET /run-logs/:link': 404,
  'PUT /configuration-uploads/:link': 404,
  'PUT /state-versions/:state_version_id/json-upload': 401,
  'PUT /state-versions/:state_version_id/upload': 401,
};

/** These actions belong to no organization, or delete it. Only the audit log contains them. */
const IN_NO_TRAIL = new Set(['DELETE /authentication-tokens/:token_id', 'DELETE /organizations/:organization_name']);

/**
 * Returns whether other requests may have other results after this one. Such a request has an organization of its own:
 * deletions, actions, and requests of agents.
 */
function isDisturbing(route: string): boolean {
  const { agent = 404 } = SURFACE[route] ?? {};
  return route.startsWith('DELETE ') || route.includes('/actions/') || agent < 400;
}

type World = Awaited<ReturnType<typeof newWorld>>;

/** An organization with one of everything, and a user without access to it. */
async function newWorld(api: TestApi) {
  const organization = await newOrganization(api);
  const values = await oneOfEverything(organization);
  return { organization, values, stranger: await api.user(`stranger-of-${organization.name}`) };
}

/** Returns the path with a trailing slash. */
const withSlash = (path: string) => path.replace(/(?=\?|$)/, '/');

describe.each(databaseKinds)('the whole surface on %s', (kind) => {
  let api: TestApi;
  /** World of reads and refused requests. */
  let shared: Promise<World> | undefined;
  /** World of other writes. */
  let written: Promise<World> | undefined;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  /** Requests share an organization as long as they do not change the results of each other. */
  function worldFor(route: string): Promise<World> {
    const { owner = 200, stranger = 404, agent = stranger } = SURFACE[route] ?? {};
    const isRefused = Math.min(owner, stranger, agent) >= 400;
    if (route.startsWith('GET ') || isRefused) {
      shared ??= newWorld(api);
      return shared;
    }
    if (isDisturbing(route)) return newWorld(api);
    written ??= newWorld(api);
    return written;
  }

  test('has no route that is not listed here, and lists none that is gone', () => {
    expect(api.routes.toSorted()).toEqual(Object.keys(SURFACE).toSorted());
  });

  test('each route has the name of its event in the audit trail', async () => {
    const names = api.routes.toSorted().flatMap((route) => {
      const [method = '', path = ''] = route.split(' ');
      const { type, action } = eventName(method, path) ?? {};
      return method === 'GET' && type === undefined ? [] : [`${route}: ${type ? `${type} ${action}` : 'none'}`];
    });
    await expect(`${names.join('\n')}\n`).toMatchFileSnapshot('../../golden/audit-trail-events.txt');
  });

  /** Returns the latest event in the audit trail of the organization. */
  async function lastEvent({ organization: { name, owner } }: World) {
    const token = await owner.call('POST', `/organizations/${name}/authentication-token?token=audit-trails`);
    const reader = api.holder(token.body.data.attributes.token);
    const { body } = await reader.call('GET', '/organization/audit-trail?page[size]=2');
    return body.data[1];
  }

  test('needs no authentication only if this file lists it', async () => {
    const { paths } = (await api.nobody().call('GET', '/openapi.json')).body;
    const open = api.routes.filter((route) => {
      const [method = '', path = ''] = route.split(' ');
      return paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()].security?.length === 0;
    });
    expect(open.toSorted()).toEqual(Object.keys(OPEN).toSorted());
  });

  test.each(Object.entries(SURFACE))(
    '%s',
    async (route, { owner: expected, stranger: expectedOfStranger = 404, agent: expectedOfAgent, contentType }) => {
      const world = await worldFor(route);
      const { organization, values, stranger } = world;
      const { method, path, body } = requestOf(route, values);

      const byNobody = await api.nobody().call(method, path, body);
      if (OPEN[route] !== undefined) {
        expect(byNobody.status).toBe(OPEN[route]);
      } else {
        expect(byNobody.status).toBe(401);
        expect(byNobody.headers['www-authenticate']).toBe('Bearer');
        expect(byNobody.body.errors).toMatchObject([{ status: '401', title: 'unauthorized' }]);
      }
      expect((await api.nobody().call(method, path, body, { authorization: 'Bearer lku.forged' })).status).toBe(
        byNobody.status,
      );

      const byStranger = await stranger.call(method, path, body);
      expect(byStranger.status, byStranger.text).toBe(expectedOfStranger);
      if (byStranger.status === 404) {
        expect(byStranger.body.errors).toMatchObject([{ status: '404', title: 'not found' }]);
        const nothing = requestOf(route, {});
        const absent = await stranger.call(method, nothing.path, nothing.body);
        expect(absent.body, 'what is hidden looks like what is absent').toEqual(byStranger.body);
      }

      const agent = api.holder(values.agent_token ?? '');
      const byAgent = await agent.call(method, path, body, { 'agent-id': values.agent_id ?? '' });
      expect(byAgent.status, byAgent.text).toBe(expectedOfAgent ?? expectedOfStranger);

      const byOwner = await organization.owner.call(method, withSlash(path), body);
      expect(byOwner.status, byOwner.text).toBe(expected);
      if (byOwner.text !== '') expect(byOwner.headers['content-type']).toBe(contentType ?? 'application/vnd.api+json');
      const [, pattern = ''] = route.split(' ');
      const event = eventName(method, pattern);
      if (event && byOwner.status < 300 && !IN_NO_TRAIL.has(route)) {
        const { auth, resource } = await lastEvent(world);
        expect(auth).toMatchObject({ accessor_id: organization.owner.id, description: organization.owner.username });
        expect(resource).toMatchObject(event);
        expect(resource.id).not.toBe('');
      }
      if (method === 'GET') expect((await organization.owner.call(method, path)).text).toBe(byOwner.text);
    },
  );

  test('page 0 of every list is its first page', { timeout: 120_000 }, async () => {
    const { organization, values } = await worldFor('GET ');
    const { paths } = (await api.nobody().call('GET', '/openapi.json')).body;
    const lists = api.routes.filter((route) => {
      const [method = '', path = ''] = route.split(' ');
      const { parameters = [] } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      // The audit trail needs a token of the organization, and has its own test.
      const isPaged = parameters.some(({ name }: { name: string }) => name === 'page[number]');
      const isShown = SURFACE[route]?.owner === 200 || path.startsWith('/admin/');
      return isPaged && isShown && path !== '/organization/audit-trail';
    });
    expect(lists.length).toBeGreaterThan(20);
    const asSiteAdmin = (is: boolean) => api.workspaces.tenancy.users.setSiteAdmin(organization.owner.username, is);
    await asSiteAdmin(true);
    onTestFinished(() => asSiteAdmin(false));
    for (const route of lists) {
      const { path } = requestOf(route, values);
      const page = async (number: string) => {
        const sign = path.includes('?') ? '&' : '?';
        return organization.owner.call('GET', `${path}${sign}page[number]=${number}&page[size]=1`);
      };
      const [none, first] = [await page('0'), await page('1')];
      expect([route, none.status, none.body]).toEqual([route, 200, first.body]);
      for (const number of ['-1', 'x', '1.5', '99999999999']) {
        expect([route, number, (await page(number)).status]).toEqual([route, number, 400]);
      }
    }
  });

  test('a path without a route is a 404 in the shape of the API', async () => {
    const { owner } = await newOrganization(api);
    const answer = await owner.call('GET', '/nowhere');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/vnd.api+json');
    expect(answer.body.errors[0].title).toBe('not found');
  });

  test('ping shows official clients which features exist', async () => {
    const { headers } = await api.nobody().call('GET', '/ping');
    expect(headers['tfp-api-version']).toBe('2.6');
    expect(headers['x-tfe-version']).toMatch(/^v\d{6}-\d$/);
  });
});

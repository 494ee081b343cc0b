import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from './support/api.ts';
import { keepRows, LastingBlobs } from './support/kept-rows.ts';
import { issuesOf, newOrganization, type TestOrganization } from './support/organization.ts';
import { oneOfEverything, requestOf, SURFACE, type Values } from './support/surface/index.ts';

/**
 * Routes that take any `data.type`: clients and the documentation of HCP Terraform send another one, or the route
 * exists only here (compatibility.md). The test fails for any other route that accepts it.
 */
const TAKE_ANY: ReadonlySet<string> = new Set([
  'PATCH /ssh-keys/:ssh_key_id',
  'PATCH /team-projects/:team_project_id',
  'PATCH /team-workspaces/:team_workspace_id',
  'PATCH /teams/:team_id',
  'POST /agent-pools/:agent_pool_id/authentication-tokens',
  'POST /applies/:id/actions/append-log',
  'POST /organizations/:organization_name/authentication-token',
  'POST /organizations/:organization_name/teams',
  'POST /plans/:id/actions/append-log',
  'POST /runs/:run_id/actions/advance',
  'POST /team-projects',
  'POST /teams/:team_id/authentication-token',
  'POST /teams/:team_id/authentication-tokens',
  'POST /users/:user_id/authentication-tokens',
  'POST /admin/scim-tokens',
  'POST /admin/users/:user_id/authentication-tokens',
  'POST /workspaces/:workspace_id/actions/lock',
  'POST /workspaces/:workspace_id/configuration-versions',
  'POST /workspaces/:workspace_id/run-triggers',
]);

/** Routes that need `data.type`: the specification requires it (§4.1, §4.2, §4.8, §4.10), or several types are possible. */
const NEED_ONE: ReadonlySet<string> = new Set([
  'POST /organizations/:organization_name/workspaces',
  'PATCH /organizations/:organization_name/workspaces/:workspace_name',
  'PATCH /workspaces/:workspace_id',
  'PATCH /workspaces/:workspace_id/relationships/ssh-key',
  'POST /workspaces/:workspace_id/relationships/tags',
  'DELETE /workspaces/:workspace_id/relationships/tags',
  'PATCH /organizations/:organization_name/relationships/data-retention-policy',
  'POST /organizations/:organization_name/relationships/data-retention-policy',
  'PATCH /workspaces/:workspace_id/relationships/data-retention-policy',
  'POST /workspaces/:workspace_id/relationships/data-retention-policy',
]);

/** Routes that create resources with names that are unique on a server. Each request has another name. */
const ONCE: Readonly<Record<string, (count: number) => object>> = {
  'POST /admin/users': (count) => ({ username: `made-${count}`, email: `made-${count}@example.com` }),
  'POST /organizations': (count) => ({ name: `new-${count}`, email: 'a@b.c' }),
};

/** Responses to administrators whose directory has sent no group. */
const WITHOUT_GROUPS: Readonly<Record<string, number>> = {
  'POST /admin/teams/:team_id/scim-group-mapping': 404,
  'PATCH /admin/teams/:team_id/scim-group-mapping': 409,
};

// biome-ignore lint/suspicious/noExplicitAny: a test changes what it sends
type Body = any;

/** Returns the body with another type, or without one, for the resource or the first resource of a list. */
function retyped(body: Body, type: string | undefined): Body {
  const change = ({ type: _, ...resource }: Body) => ({ ...(type !== undefined && { type }), ...resource });
  const { data } = body;
  return { ...body, data: Array.isArray(data) ? data.map(change) : change(data) };
}

/** Removes the types of resource identifiers in the body. */
function withoutTypes(body: Body): Body {
  const bare = ({ type: _, ...resource }: Body) => resource;
  const without = (related: Body) =>
    related?.data
      ? { ...related, data: Array.isArray(related.data) ? related.data.map(bare) : bare(related.data) }
      : related;
  const change = (resource: Body) =>
    resource?.relationships
      ? {
          ...resource,
          relationships: Object.fromEntries(
            Object.entries(resource.relationships).map(([name, related]) => [name, without(related)]),
          ),
        }
      : resource;
  const { data } = body;
  return { ...body, data: Array.isArray(data) ? data.map(change) : change(data) };
}

/** Adds members without an effect, and members that clients send too. */
function decorated(
  body: Body,
  { attributes, relationships }: { attributes: boolean; relationships: readonly string[] },
): Body {
  const { data } = body;
  if (Array.isArray(data) || data === null) return { jsonapi: { version: '1.1' }, meta: null, ...body };
  const nothing = relationships.map((name, index) => [name, index % 2 ? { links: { related: '/x' } } : null]);
  const related = { 'of-later': null, ...Object.fromEntries(nothing), ...data.relationships };
  const isBare = data.relationships === undefined && relationships.length === 0;
  return {
    ...{ jsonapi: { version: '1.1' }, included: [] },
    data: {
      ...(attributes && { attributes: null }),
      ...data,
      ...{ links: { self: '/x' }, meta: {}, relationships: isBare ? null : related },
    },
  };
}

describe('the type that a body names', () => {
  let api: TestApi;
  let typed: string[];
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into the document
  let paths: any;
  let organization: TestOrganization;
  let values: Values;
  let restore: () => Promise<void>;
  let sent = 0;
  beforeAll(async () => {
    api = await startApi('sqlite', LastingBlobs);
    organization = await newOrganization(api);
    values = await oneOfEverything(organization);
    restore = await keepRows(api.workspaces.database);
    ({ paths } = (await api.nobody().call('GET', '/openapi.json')).body);
    typed = api.routes.filter((route) => {
      // Routes with a token of their own have other tests.
      if (SURFACE[route]?.owner === 401) return false;
      const [method = '', path = ''] = route.split(' ');
      const { requestBody } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      return requestBody?.content['application/vnd.api+json'].schema.properties?.data !== undefined;
    });
  });
  afterAll(() => api.close());

  /** Members that a body may leave out of its resource, by the document. */
  function optionalOf(route: string): { attributes: boolean; relationships: readonly string[] } {
    const [method = '', path = ''] = route.split(' ');
    const { requestBody } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    const { data } = requestBody.content['application/vnd.api+json'].schema.properties;
    const { required = [], properties = {} } = data;
    const related = properties.relationships ?? {};
    const names = Object.keys(related.properties ?? {}).filter((name) => !related.required?.includes(name));
    return { attributes: !required.includes('attributes'), relationships: names };
  }

  /**
   * Sends the changed body of a route.
   * @param isTaken whether the request succeeds: its effect is undone for the next one
   */
  async function send(route: string, change: (body: Body) => Body, isTaken: boolean) {
    const { method, path, body: given = { data: { attributes: {} } } } = requestOf(route, values);
    sent += 1;
    const attributes = ONCE[route]?.(sent);
    const body: Body = attributes ? { data: { ...(given as Body).data, attributes } } : given;
    const agent = api.holder(values.agent_token ?? '');
    const forSiteAdmins = path.startsWith('/admin/');
    if (forSiteAdmins) await api.workspaces.tenancy.users.setSiteAdmin(organization.owner.username, true);
    const forAgents = (SURFACE[route]?.owner ?? 0) === 404 && !forSiteAdmins;
    const answer = forAgents
      ? await agent.call(method, path, change(body), { 'agent-id': values.agent_id ?? '' })
      : await organization.owner.call(method, path, change(body));
    if (isTaken || forSiteAdmins) await restore();
    const { owner = 0, agent: ofAgent = owner } = SURFACE[route] ?? { owner: 0 };
    // The administrator creates resources that an owner of an organization cannot.
    const done = WITHOUT_GROUPS[route] ?? (method === 'PATCH' ? 200 : 201);
    const isOther = forSiteAdmins || attributes !== undefined;
    return { answer, expected: isOther ? done : forAgents ? ofAgent : owner };
  }

  const pointers = (issues: readonly string[]) => issues.map((issue) => issue.split(':')[0]);
  const refused = expect.arrayContaining([expect.stringMatching(/^\/data(\/0)?\/type$/)]);

  test('exceptions are routes that exist', () => {
    expect([...TAKE_ANY, ...NEED_ONE].filter((route) => !typed.includes(route))).toEqual([]);
    expect(typed.length).toBeGreaterThan(60);
  });

  test('a wrong type is refused, except on routes where HCP Terraform accepts it', async () => {
    for (const route of typed) {
      const isTaken = TAKE_ANY.has(route);
      const { answer, expected } = await send(route, (body) => retyped(body, 'banana'), isTaken);
      expect([route, answer.status, answer.text]).toEqual([route, isTaken ? expected : 422, answer.text]);
      if (!isTaken) expect([route, pointers(issuesOf(answer))]).toEqual([route, refused]);
    }
  }, 240_000);

  test('none at all is taken, but where several are possible or the specification requires it', async () => {
    for (const route of typed) {
      const isTaken = !NEED_ONE.has(route);
      const { answer, expected } = await send(route, (body) => retyped(body, undefined), isTaken);
      expect([route, answer.status, answer.text]).toEqual([route, isTaken ? expected : 422, answer.text]);
      if (!isTaken) expect([route, pointers(issuesOf(answer))]).toEqual([route, refused]);
    }
  }, 240_000);

  test('identifiers may omit the type, and empty members are ignored: null, a relationship without data', async () => {
    for (const route of typed) {
      const { answer, expected } = await send(route, (body) => decorated(withoutTypes(body), optionalOf(route)), true);
      expect([route, answer.status, answer.text]).toEqual([route, expected, answer.text]);
    }
  }, 240_000);
});

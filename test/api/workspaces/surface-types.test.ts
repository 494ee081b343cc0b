import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';
import { issuesOf, newOrganization } from './support/organization.ts';
import { oneOfEverything, requestOf, SURFACE } from './support/surface/index.ts';

/**
 * Routes that take a body without `data.type`, and those that take any: clients and the documentation of the original leave it
 * out or send another one, or the route is ours alone (compatibility.md). Whatever is declared so and is not here fails.
 */
const TAKES: Readonly<Record<string, 'none' | 'any'>> = {
  'PATCH /ssh-keys/:ssh_key_id': 'any',
  'PATCH /team-projects/:team_project_id': 'any',
  'PATCH /team-workspaces/:team_workspace_id': 'any',
  'PATCH /teams/:team_id': 'any',
  'POST /agent-pools/:agent_pool_id/authentication-tokens': 'any',
  'POST /applies/:id/actions/append-log': 'any',
  'POST /organizations/:organization_name/authentication-token': 'any',
  'POST /organizations/:organization_name/teams': 'any',
  'POST /plans/:id/actions/append-log': 'any',
  'POST /runs/:run_id/actions/advance': 'any',
  'POST /team-projects': 'any',
  'POST /teams/:team_id/authentication-token': 'any',
  'POST /teams/:team_id/authentication-tokens': 'any',
  'POST /users/:user_id/authentication-tokens': 'any',
  'POST /admin/scim-tokens': 'any',
  'POST /admin/users/:user_id/authentication-tokens': 'any',
  'POST /workspaces/:workspace_id/actions/lock': 'any',
  'POST /workspaces/:workspace_id/configuration-versions': 'any',
  'POST /workspaces/:workspace_id/run-triggers': 'any',

  'PATCH /projects/:project_id/relationships/tag-bindings': 'none',
  'PATCH /projects/:project_id/tag-bindings': 'none',
  'PATCH /vars/:variable_id': 'none',
  'PATCH /varsets/:varset_id': 'none',
  'PATCH /varsets/:varset_id/relationships/vars/:variable_id': 'none',
  'PATCH /workspaces/:workspace_id/relationships/tag-bindings': 'none',
  'PATCH /workspaces/:workspace_id/relationships/vars': 'none',
  'PATCH /workspaces/:workspace_id/tag-bindings': 'none',
  'PATCH /workspaces/:workspace_id/vars/:variable_id': 'none',
  'POST /organizations/:organization_name/varsets': 'none',
  'POST /projects/:project_id/relationships/tag-bindings': 'none',
  'POST /vars': 'none',
  'POST /varsets/:varset_id/relationships/projects': 'none',
  'POST /varsets/:varset_id/relationships/vars': 'none',
  'POST /varsets/:varset_id/relationships/workspaces': 'none',
  'POST /workspaces/:workspace_id/relationships/tag-bindings': 'none',
  'POST /workspaces/:workspace_id/vars': 'none',
  'PUT /varsets/:varset_id': 'none',
  'DELETE /varsets/:varset_id/relationships/projects': 'none',
  'DELETE /varsets/:varset_id/relationships/workspaces': 'none',
};

// biome-ignore lint/suspicious/noExplicitAny: a test changes what it sends
type Body = any;

/** The body with another type, or with none: of the resource, or of the first one in a list. */
function retyped(body: Body, type: string | undefined): Body {
  const change = ({ type: _, ...resource }: Body) => ({ ...(type !== undefined && { type }), ...resource });
  const { data } = body;
  return { ...body, data: Array.isArray(data) ? data.map(change) : change(data) };
}

describe.each(databaseKinds)('the type that a body names, on %s', (kind) => {
  let api: TestApi;
  let typed: string[];
  let shared: ReturnType<typeof newWorld>;
  beforeAll(async () => {
    api = await startApi(kind);
    shared = newWorld();
    const { paths } = (await api.nobody().call('GET', '/openapi.json')).body;
    typed = api.routes.filter((route) => {
      // What is opened by a token of its own alone has a test of its own.
      if (SURFACE[route]?.owner === 401) return false;
      const [method = '', path = ''] = route.split(' ');
      const { requestBody } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      return requestBody?.content['application/vnd.api+json'].schema.properties?.data !== undefined;
    });
  });
  afterAll(() => api.close());

  async function newWorld() {
    const organization = await newOrganization(api);
    return { organization, values: await oneOfEverything(organization) };
  }

  async function send(route: string, type: string | undefined, isTaken: boolean) {
    // What is refused leaves everything as it was, for the next one.
    const { organization, values } = isTaken ? await newWorld() : await shared;
    const { method, path, body = { data: { attributes: {} } } } = requestOf(route, values);
    const agent = api.holder(values.agent_token ?? '');
    const forSiteAdmins = path.startsWith('/admin/');
    if (forSiteAdmins) await api.workspaces.tenancy.users.setSiteAdmin(organization.owner.username, true);
    const forAgents = (SURFACE[route]?.owner ?? 0) === 404 && !forSiteAdmins;
    const answer = forAgents
      ? await agent.call(method, path, retyped(body, type), { 'agent-id': values.agent_id ?? '' })
      : await organization.owner.call(method, path, retyped(body, type));
    const { owner = 0, agent: ofAgent = owner } = SURFACE[route] ?? { owner: 0 };
    // What is not there for the owner of an organization, the administrator makes.
    return { answer, expected: forSiteAdmins ? 201 : forAgents ? ofAgent : owner };
  }

  const pointers = (issues: readonly string[]) => issues.map((issue) => issue.split(':')[0]);
  const refused = expect.arrayContaining([expect.stringMatching(/^\/data(\/0)?\/type$/)]);

  test('tolerance is for routes that exist', () => {
    expect(Object.keys(TAKES).filter((route) => !typed.includes(route))).toEqual([]);
    expect(typed.length).toBeGreaterThan(60);
  });

  test('a wrong one is refused where it is said to be, and taken where the original takes it', async () => {
    for (const route of typed) {
      const isTaken = TAKES[route] === 'any';
      const { answer, expected } = await send(route, 'banana', isTaken);
      expect([route, answer.status, answer.text]).toEqual([route, isTaken ? expected : 422, answer.text]);
      if (!isTaken) expect([route, pointers(issuesOf(answer))]).toEqual([route, refused]);
    }
  }, 240_000);

  test('so is none at all', async () => {
    for (const route of typed) {
      const isTaken = TAKES[route] !== undefined;
      const { answer, expected } = await send(route, undefined, isTaken);
      expect([route, answer.status, answer.text]).toEqual([route, isTaken ? expected : 422, answer.text]);
      if (!isTaken) expect([route, pointers(issuesOf(answer))]).toEqual([route, refused]);
    }
  }, 240_000);
});

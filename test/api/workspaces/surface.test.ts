import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';
import { identify, newOrganization, type TestOrganization, workspaceBody } from './support/organization.ts';

interface Expectation {
  readonly owner: number;
  /** Somebody with a valid token who belongs nowhere. Default: 404. */
  readonly stranger?: number;
  readonly body?: object;
}

const tags = { data: [{ type: 'tags', attributes: { name: 'blue' } }] };
const resource = (type: string, attributes: object = {}) => ({ data: { type, attributes } });

/** Every route of the service: a new one without an entry here fails. */
const SURFACE: Readonly<Record<string, Expectation>> = {
  'GET /ping': { owner: 204, stranger: 204 },
  'GET /account/details': { owner: 200, stranger: 200 },
  'GET /users/:user_id': { owner: 200 },
  'POST /users/:user_id/authentication-tokens': { owner: 201, body: resource('authentication-tokens') },
  'GET /users/:user_id/authentication-tokens': { owner: 200 },
  'GET /authentication-tokens/:token_id': { owner: 200 },
  'DELETE /authentication-tokens/:token_id': { owner: 204 },
  // Once each: the stranger has taken the name when the owner asks.
  'POST /organizations': {
    owner: 422,
    stranger: 201,
    body: resource('organizations', { name: 'new', email: 'a@b.c' }),
  },
  'GET /organizations': { owner: 200, stranger: 200 },
  'GET /organizations/:organization_name': { owner: 200 },
  'GET /organizations/:organization_name/entitlement-set': { owner: 200 },
  'POST /organizations/:organization_name/projects': { owner: 201, body: resource('projects', { name: 'Network' }) },
  'GET /organizations/:organization_name/projects': { owner: 200 },
  'GET /projects/:project_id': { owner: 200 },
  'POST /organizations/:organization_name/teams': { owner: 201, body: resource('teams', { name: 'ops' }) },
  'GET /organizations/:organization_name/teams': { owner: 200 },
  'GET /teams/:team_id': { owner: 200 },
  'PATCH /teams/:team_id': { owner: 200, body: resource('teams', { visibility: 'organization' }) },
  'DELETE /teams/:team_id': { owner: 204 },
  'POST /teams/:team_id/machine-identities': {
    owner: 201,
    body: resource('machine-identities', { mount: 'cert', role: 'deploy' }),
  },
  'GET /teams/:team_id/machine-identities': { owner: 200 },
  'GET /machine-identities/:machine_identity_id': { owner: 200 },
  'DELETE /machine-identities/:machine_identity_id': { owner: 204 },
  'POST /organizations/:organization_name/workspaces': { owner: 201, body: workspaceBody({ name: 'two' }) },
  'GET /organizations/:organization_name/workspaces': { owner: 200 },
  'GET /workspaces/:workspace_id': { owner: 200 },
  'PATCH /workspaces/:workspace_id': { owner: 200, body: workspaceBody({ 'auto-apply': true }) },
  'DELETE /workspaces/:workspace_id': { owner: 204 },
  'POST /workspaces/:workspace_id/actions/safe-delete': { owner: 204 },
  'GET /organizations/:organization_name/workspaces/:workspace_name': { owner: 200 },
  'PATCH /organizations/:organization_name/workspaces/:workspace_name': {
    owner: 200,
    body: workspaceBody({ 'auto-apply': true }),
  },
  'DELETE /organizations/:organization_name/workspaces/:workspace_name': { owner: 204 },
  'POST /organizations/:organization_name/workspaces/:workspace_name/actions/safe-delete': { owner: 204 },
  'POST /workspaces/:workspace_id/actions/lock': { owner: 200 },
  'POST /workspaces/:workspace_id/actions/unlock': { owner: 409 },
  'POST /workspaces/:workspace_id/actions/force-unlock': { owner: 409 },
  'GET /workspaces/:workspace_id/relationships/tags': { owner: 200 },
  'POST /workspaces/:workspace_id/relationships/tags': { owner: 204, body: tags },
  'DELETE /workspaces/:workspace_id/relationships/tags': { owner: 204, body: tags },
  'GET /workspaces/:workspace_id/tag-bindings': { owner: 200 },
  'PATCH /workspaces/:workspace_id/tag-bindings': {
    owner: 200,
    body: { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] },
  },
  'GET /workspaces/:workspace_id/effective-tag-bindings': { owner: 200 },
};

describe.each(databaseKinds)('the whole surface on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  /** The parameters of every path, all of things that exist. */
  async function parameters(organization: TestOrganization): Promise<Record<string, string>> {
    const { owner, name } = organization;
    const teamId = await organization.team('runners');
    const token = await owner.call(
      'POST',
      `/users/${owner.id}/authentication-tokens`,
      resource('authentication-tokens'),
    );
    return {
      organization_name: name,
      workspace_name: 'one',
      workspace_id: await organization.workspace('one'),
      project_id: organization.defaultProjectId,
      team_id: teamId,
      machine_identity_id: await identify(owner, teamId, { mount: 'cert', role: 'runner' }),
      user_id: owner.id,
      token_id: token.body.data.id,
    };
  }

  function fill(path: string, values: Record<string, string>): string {
    return path.replace(/:(\w+)/g, (_, parameter: string) => values[parameter] ?? parameter);
  }

  test('has no route that is not listed here, and lists none that is gone', () => {
    expect(api.routes.toSorted()).toEqual(Object.keys(SURFACE).toSorted());
  });

  test.each(Object.entries(SURFACE))(
    '%s',
    async (route, { owner: expected, stranger: expectedOfStranger = 404, body }) => {
      const [method = '', pattern = ''] = route.split(' ');
      const organization = await newOrganization(api);
      const path = fill(pattern, await parameters(organization));
      const stranger = await api.user(`stranger-of-${organization.name}`);

      const byNobody = await api.nobody().call(method, path, body);
      if (pattern !== '/ping') {
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
        const absent = await stranger.call(method, fill(pattern, {}), body);
        expect(absent.body, 'what is hidden looks like what is absent').toEqual(byStranger.body);
      }

      const byOwner = await organization.owner.call(method, path, body);
      expect(byOwner.status, byOwner.text).toBe(expected);
      if (byOwner.text !== '') expect(byOwner.headers['content-type']).toBe('application/vnd.api+json');
    },
  );

  test('a path without a route is a 404 in the shape of the API', async () => {
    const { owner } = await newOrganization(api);
    const answer = await owner.call('GET', '/nowhere');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/vnd.api+json');
    expect(answer.body.errors[0].title).toBe('not found');
  });

  test('ping tells official clients what they may ask for', async () => {
    const { headers } = await api.nobody().call('GET', '/ping');
    expect(headers['tfp-api-version']).toBe('2.6');
    expect(headers['x-tfe-version']).toMatch(/^v\d{6}-\d$/);
  });
});

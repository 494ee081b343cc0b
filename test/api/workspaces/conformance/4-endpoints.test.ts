import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { fill, oneOfEverything, type Values } from '../support/surface/index.ts';

const workspace = (attributes: object) => ({ data: { type: 'workspaces', attributes } });
const others = ({ other_workspace_id: id = '' }: Values) => ({ data: [{ type: 'workspaces', id }] });
const tags = { data: [{ type: 'tags', attributes: { name: 'blue' } }] };
const policy = { data: { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': 7 } } };

type Body = object | ((values: Values) => object);

/** Endpoints of specification §4 in its order, with the owner's status and the response kind. */
const ENDPOINTS: readonly [method: string, path: string, status: number, answer: 'one' | 'list' | '', body?: Body][] = [
  ['POST', '/organizations/:organization_name/workspaces', 201, 'one', workspace({ name: 'new' })],
  ['GET', '/organizations/:organization_name/workspaces', 200, 'list'],
  ['GET', '/organizations/:organization_name/workspaces/:workspace_name', 200, 'one'],
  ['GET', '/workspaces/:workspace_id', 200, 'one'],
  ['PATCH', '/workspaces/:workspace_id', 200, 'one', workspace({ 'auto-apply': true })],
  [
    'PATCH',
    '/organizations/:organization_name/workspaces/:workspace_name',
    200,
    'one',
    workspace({ 'auto-apply': true }),
  ],
  ['POST', '/workspaces/:workspace_id/actions/safe-delete', 204, ''],
  ['POST', '/organizations/:organization_name/workspaces/:workspace_name/actions/safe-delete', 204, ''],
  ['DELETE', '/workspaces/:workspace_id', 204, ''],
  ['DELETE', '/organizations/:organization_name/workspaces/:workspace_name', 204, ''],
  ['POST', '/workspaces/:workspace_id/actions/lock', 200, 'one', { reason: 'work' }],
  ['POST', '/workspaces/:workspace_id/actions/unlock', 409, ''],
  ['POST', '/workspaces/:workspace_id/actions/force-unlock', 409, ''],
  [
    'PATCH',
    '/workspaces/:workspace_id/relationships/ssh-key',
    200,
    'one',
    ({ ssh_key_id: id }) => workspace({ id: id ?? '' }),
  ],
  ['GET', '/workspaces/:workspace_id/relationships/remote-state-consumers', 200, 'list'],
  ['POST', '/workspaces/:workspace_id/relationships/remote-state-consumers', 204, '', others],
  ['PATCH', '/workspaces/:workspace_id/relationships/remote-state-consumers', 204, '', others],
  ['DELETE', '/workspaces/:workspace_id/relationships/remote-state-consumers', 204, '', others],
  ['GET', '/workspaces/:workspace_id/relationships/tags', 200, 'list'],
  ['POST', '/workspaces/:workspace_id/relationships/tags', 204, '', tags],
  ['DELETE', '/workspaces/:workspace_id/relationships/tags', 204, '', tags],
  ['GET', '/workspaces/:workspace_id/tag-bindings', 200, 'list'],
  ['GET', '/workspaces/:workspace_id/effective-tag-bindings', 200, 'list'],
  ['GET', '/workspaces/:workspace_id/relationships/data-retention-policy', 200, 'one'],
  ['POST', '/workspaces/:workspace_id/relationships/data-retention-policy', 200, 'one', policy],
  ['DELETE', '/workspaces/:workspace_id/relationships/data-retention-policy', 204, ''],
];

/** ../surface.test.ts checks every route on each database. */
describe('spec §4 endpoints', () => {
  let api: TestApi;
  let acme: TestOrganization;
  let values: Values;
  beforeAll(async () => {
    api = await startApi('sqlite');
    acme = await newOrganization(api);
    values = { ...(await oneOfEverything(acme)), workspace_name: 'subject' };
  });
  afterAll(() => api.close());

  test('there are 26', () => {
    expect(new Set(ENDPOINTS.map(([method, path]) => `${method} ${path}`)).size).toBe(26);
  });

  test.each(ENDPOINTS)('%s %s: %i', async (method, path, status, answer, body) => {
    const id = await acme.workspace('subject');
    if (path.endsWith('data-retention-policy')) {
      await acme.owner.call('POST', `/workspaces/${id}/relationships/data-retention-policy`, policy);
    }
    const here = { ...values, workspace_id: id };
    const payload = typeof body === 'function' ? body(here) : body;
    const result = await acme.owner.call(method, fill(path, here), payload);
    expect(result.status, result.text).toBe(status);
    if (status === 204) expect(result.text).toBe('');
    else expect(result.headers['content-type']).toBe('application/vnd.api+json');
    if (answer === 'list') expect(result.body.data).toBeInstanceOf(Array);
    if (answer === 'one') expect(result.body.data).toMatchObject({ id: expect.any(String), type: expect.any(String) });
    if (status >= 400) expect(result.body.errors).toMatchObject([{ status: String(status), title: 'conflict' }]);
    await acme.owner.call('DELETE', `/workspaces/${id}`);
    await acme.owner.call('DELETE', `/organizations/${acme.name}/workspaces/new`);
  });

  test.each(ENDPOINTS)(
    '%s %s: a missing resource returns 404, and a request without a token gets 401',
    async (method, path, ...rest) => {
      const body = rest[2];
      const payload = typeof body === 'function' ? body(values) : body;
      const absent = { ...values, workspace_id: 'ws-none', workspace_name: 'none' };
      const nowhere = path.includes(':workspace') ? absent : { ...absent, organization_name: 'none' };
      const missing = await acme.owner.call(method, fill(path, nowhere), payload);
      expect(missing.status, missing.text).toBe(404);
      expect(missing.body.errors).toMatchObject([{ status: '404', title: 'not found' }]);
      expect((await api.nobody().call(method, fill(path, values), payload)).status).toBe(401);
    },
  );

  test.each([
    ['PUT', '/workspaces/:workspace_id'],
    ['POST', '/workspaces/:workspace_id'],
    ['GET', '/workspaces/:workspace_id/actions/lock'],
    ['DELETE', '/organizations/:organization_name/workspaces'],
    ['PUT', '/workspaces/:workspace_id/relationships/tags'],
  ])('%s %s is not among them', async (method, path) => {
    const answer = await acme.owner.call(method, fill(path, values));
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/vnd.api+json');
  });
});

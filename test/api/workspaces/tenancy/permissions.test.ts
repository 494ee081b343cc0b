import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

type Role = 'owner' | 'manages projects' | 'manages workspaces' | 'reads workspaces' | 'reads projects' | 'member';

const ACCESS: Readonly<Record<Exclude<Role, 'owner'>, object>> = {
  'manages projects': { 'manage-projects': true },
  'manages workspaces': { 'manage-workspaces': true },
  'reads workspaces': { 'read-workspaces': true },
  'reads projects': { 'read-projects': true },
  member: {},
};
const ROLES: readonly Role[] = ['owner', ...(Object.keys(ACCESS) as Exclude<Role, 'owner'>[])];

const resource = (type: string, attributes: object) => ({ data: { type, attributes } });
const tags = { data: [{ type: 'tags', attributes: { name: 'blue' } }] };
const bindings = { data: [{ type: 'tag-bindings', attributes: { key: 'env' } }] };

/** Permissions: a status for each role, in the order of ROLES. */
const MATRIX: readonly [method: string, path: string, body: object | undefined, statuses: readonly number[]][] = [
  ['GET', '/organizations/:org', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET', '/organizations/:org/workspaces', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET', '/organizations/:org/projects', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET', '/projects/:project', undefined, [200, 200, 200, 200, 200, 404]],
  ['POST', '/organizations/:org/projects', resource('projects', { name: 'New' }), [201, 201, 404, 404, 404, 404]],
  ['POST', '/organizations/:org/teams', resource('teams', { name: 'new' }), [201, 404, 404, 404, 404, 404]],
  ['POST', '/organizations/:org/workspaces', workspaceBody({ name: 'new' }), [201, 201, 201, 404, 404, 404]],
  ['GET', '/workspaces/:ws', undefined, [200, 200, 200, 200, 404, 404]],
  ['GET', '/organizations/:org/workspaces/w', undefined, [200, 200, 200, 200, 404, 404]],
  ['PATCH', '/workspaces/:ws', workspaceBody({ 'auto-apply': true }), [200, 200, 200, 404, 404, 404]],
  ['POST', '/workspaces/:ws/actions/lock', undefined, [200, 200, 200, 404, 404, 404]],
  ['POST', '/workspaces/:ws/actions/unlock', undefined, [409, 409, 409, 404, 404, 404]],
  ['POST', '/workspaces/:ws/actions/force-unlock', undefined, [409, 409, 409, 404, 404, 404]],
  ['GET', '/workspaces/:ws/relationships/tags', undefined, [200, 200, 200, 200, 404, 404]],
  ['POST', '/workspaces/:ws/relationships/tags', tags, [204, 204, 204, 404, 404, 404]],
  ['DELETE', '/workspaces/:ws/relationships/tags', tags, [204, 204, 204, 404, 404, 404]],
  ['GET', '/workspaces/:ws/tag-bindings', undefined, [200, 200, 200, 200, 404, 404]],
  ['PATCH', '/workspaces/:ws/tag-bindings', bindings, [200, 200, 200, 404, 404, 404]],
  ['GET', '/workspaces/:ws/effective-tag-bindings', undefined, [200, 200, 200, 200, 404, 404]],
  ['POST', '/workspaces/:ws/actions/safe-delete', undefined, [204, 204, 204, 404, 404, 404]],
  ['DELETE', '/workspaces/:ws', undefined, [204, 403, 403, 404, 404, 404]],
];

interface Member {
  readonly organization: TestOrganization;
  readonly caller: Caller;
}

describe.each(databaseKinds)('permissions on %s', (kind) => {
  let api: TestApi;
  /** Each test has its own organization. */
  const members = new Map<Role, Member>();
  beforeAll(async () => {
    api = await startApi(kind);
    for (const role of ROLES) {
      const organization = await newOrganization(api);
      const caller = role === 'owner' ? organization.owner : await organization.machine('machine', ACCESS[role]);
      members.set(role, { organization, caller });
    }
  });
  afterAll(() => api.close());

  test.each(MATRIX)('%s %s', async (method, pattern, body, statuses) => {
    const found: [Role, number][] = [];
    for (const [role, { organization, caller }] of members) {
      const path = pattern
        .replace(':org', organization.name)
        .replace(':project', organization.defaultProjectId)
        .replace(':ws', await organization.workspace('w'));
      found.push([role, (await caller.call(method, path, body)).status]);
      await organization.owner.call('DELETE', `/organizations/${organization.name}/workspaces/w`);
    }
    expect(found).toEqual(ROLES.map((role, i) => [role, statuses[i]]));
  });

  test('the permissions that a reader sees are those that the server enforces', async () => {
    const organization = await newOrganization(api);
    const id = await organization.workspace('w');
    const reader = await organization.machine('reader', { 'read-workspaces': true });
    const { permissions } = (await reader.call('GET', `/workspaces/${id}`)).body.data.attributes;
    const allowed = Object.entries(permissions).flatMap(([key, value]) => (value ? [key] : []));
    expect(allowed.toSorted()).toEqual([
      'can-read-assessment-results',
      'can-read-run',
      'can-read-settings',
      'can-read-state-outputs',
      'can-read-state-versions',
      'can-read-variable',
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';

/** Each level of access includes those before it. */
const LEVELS = ['read', 'plan', 'write', 'admin', 'owner'] as const;

/** The keys of §2.4, each with the first level that has it. */
const KEYS: Readonly<Record<string, (typeof LEVELS)[number]>> = {
  'can-update': 'admin',
  'can-destroy': 'admin',
  'can-queue-run': 'plan',
  'can-read-run': 'read',
  'can-read-variable': 'read',
  'can-update-variable': 'write',
  'can-read-state-versions': 'read',
  'can-read-state-outputs': 'read',
  'can-create-state-versions': 'write',
  'can-queue-apply': 'write',
  'can-lock': 'write',
  'can-unlock': 'write',
  'can-force-unlock': 'admin',
  'can-read-settings': 'read',
  'can-manage-tags': 'write',
  'can-manage-run-tasks': 'admin',
  'can-force-delete': 'owner',
  'can-manage-assessments': 'admin',
  'can-manage-ephemeral-workspaces': 'admin',
  'can-read-assessment-results': 'read',
  'can-queue-destroy': 'write',
};

/** ../permissions.test.ts tests on both databases which permissions are granted. */
describe('spec §2.4 permission keys', () => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  const callers = new Map<string, Caller>();
  beforeAll(async () => {
    api = await startApi('sqlite');
    acme = await newOrganization(api);
    id = await acme.workspace('subject');
    callers.set('owner', acme.owner);
    for (const level of LEVELS.slice(0, -1)) callers.set(level, await granted(level));
  });
  afterAll(() => api.close());

  async function granted(access: string): Promise<Caller> {
    const team = await acme.team(access);
    const relationships = {
      team: { data: { type: 'teams', id: team } },
      workspace: { data: { type: 'workspaces', id } },
    };
    const body = { data: { type: 'team-workspaces', attributes: { access }, relationships } };
    expect((await acme.owner.call('POST', '/team-workspaces', body)).status).toBe(201);
    const identity = { mount: 'cert', role: `${acme.name}/${access}` };
    await acme.owner.call('POST', `/teams/${team}/machine-identities`, {
      data: { type: 'machine-identities', attributes: identity },
    });
    return api.machine(identity);
  }

  test('are 21, all of them booleans, for every caller and every request', async () => {
    for (const [level, caller] of callers) {
      const shown = (await caller.call('GET', `/workspaces/${id}`)).body.data.attributes.permissions;
      expect(Object.keys(shown).toSorted(), level).toEqual(Object.keys(KEYS).toSorted());
      expect(Object.values(shown).every((value) => typeof value === 'boolean')).toBe(true);
      const list = await caller.call('GET', `/organizations/${acme.name}/workspaces`);
      expect(list.body.data[0].attributes.permissions, level).toEqual(shown);
    }
    expect(Object.keys(KEYS)).toHaveLength(21);
  });

  test.each(Object.entries(KEYS))('%s starts with the level %s', async (key, first) => {
    for (const [index, level] of LEVELS.entries()) {
      const { body } = (await callers.get(level)?.call('GET', `/workspaces/${id}`)) ?? {};
      expect(body.data.attributes.permissions[key], level).toBe(index >= LEVELS.indexOf(first));
    }
  });
});

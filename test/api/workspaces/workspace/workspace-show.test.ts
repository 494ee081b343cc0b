import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('showing workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    const bindings = [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }];
    id = await acme.workspace('shown', {}, { 'tag-bindings': { data: bindings } });
  });
  afterAll(() => api.close());

  const show = (query: string) => acme.owner.call('GET', `/workspaces/${id}${query}`);

  test('nothing is included without a request', async () => {
    expect((await show('')).body).not.toHaveProperty('included');
    expect((await show('?include=')).body).not.toHaveProperty('included');
  });

  test('both addresses give the same', async () => {
    const byName = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces/shown?include=project`);
    expect(byName.body).toEqual((await show('?include=project')).body);
  });

  test('the organization, the project and the holder of the lock are included in full', async () => {
    await acme.owner.call('POST', `/workspaces/${id}/actions/lock`);
    const { body } = await show('?include=organization,project,locked_by');
    expect(body.included).toMatchObject([
      { type: 'organizations', id: acme.name, attributes: { email: 'ops@example.com' } },
      { type: 'projects', id: acme.defaultProjectId, attributes: { name: 'Default Project' } },
      { type: 'users', id: acme.owner.id, attributes: { username: acme.owner.username } },
    ]);
    await acme.owner.call('POST', `/workspaces/${id}/actions/unlock`);
    expect((await show('?include=locked-by')).body).not.toHaveProperty('included');
  });

  test('a team that holds the lock is included as a team', async () => {
    const machine = await acme.machine('locker', { 'manage-workspaces': true });
    await machine.call('POST', `/workspaces/${id}/actions/lock`);
    const { body } = await show('?include=locked_by');
    expect(body.included).toMatchObject([{ type: 'teams', attributes: { name: 'locker' } }]);
    expect(body.data.relationships['locked-by'].data).toEqual({ type: 'teams', id: body.included[0].id });
    await machine.call('POST', `/workspaces/${id}/actions/unlock`);
  });

  test('effective tag bindings are referenced and included, without links', async () => {
    const { body } = await show('?include=effective_tag_bindings');
    const [binding] = body.included;
    expect(binding).toEqual({
      id: expect.stringMatching(/^tb-/),
      type: 'effective-tag-bindings',
      attributes: { key: 'env', value: 'prod' },
    });
    const { data } = body.data.relationships['effective-tag-bindings'];
    expect(data).toEqual([{ type: 'effective-tag-bindings', id: binding.id }]);
  });

  test('resources that do not exist yet may be requested, with dashes or underscores', async () => {
    const names =
      'current-state-version,current_run.plan,readme,outputs,current_configuration_version.ingress-attributes';
    const { status, body } = await show(`?include=${names}`);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('included');
  });

  test.each(['nonsense', 'organization,nonsense', 'organization.owners', 'constructor', '__proto__'])(
    'a request for %s is refused with the message that official clients know',
    async (include) => {
      for (const path of [`/workspaces/${id}`, `/organizations/${acme.name}/workspaces`]) {
        const { status, body } = await acme.owner.call('GET', `${path}?include=${include}`);
        expect(status).toBe(400);
        expect(body.errors[0]).toMatchObject({ status: '400', source: { parameter: 'include' } });
        expect(body.errors[0].detail).toContain('include parameter');
      }
    },
  );

  test('a document without an identifier refers to nothing', async () => {
    for (const name of ['%00', 'ws-1%00', 'a%20b', '%F0%9F%9A%A2', "'--", '..%2F..', 'x'.repeat(101)]) {
      const answer = await acme.owner.call('GET', `/workspaces/${name}`);
      expect(answer.status, name).toBe(404);
    }
  });
});

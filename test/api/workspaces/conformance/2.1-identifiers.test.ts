import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { oneOfEverything, type Values } from '../support/surface/index.ts';

describe('spec §2.1 identifiers', () => {
  let api: TestApi;
  let acme: TestOrganization;
  let values: Values;
  beforeAll(async () => {
    api = await startApi('sqlite');
    acme = await newOrganization(api);
    values = await oneOfEverything(acme);
  });
  afterAll(() => api.close());

  test.each([
    ['workspace_id', 'ws'],
    ['tag_id', 'tag'],
    ['ssh_key_id', 'sshkey'],
    ['agent_pool_id', 'apool'],
    ['project_id', 'prj'],
    ['run_id', 'run'],
    ['state_version_id', 'sv'],
    ['configuration_version_id', 'cv'],
    ['variable_id', 'var'],
    ['user_id', 'user'],
  ])('a %s starts with %s-', (name, prefix) => {
    expect(values[name]).toMatch(new RegExp(`^${prefix}-[1-9A-HJ-NP-Za-km-z]{16}$`));
  });

  test('a tag binding starts with tb-, its own and an inherited one alike', async () => {
    const body = { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] };
    for (const target of [`/workspaces/${values.workspace_id}`, `/projects/${values.project_id}`]) {
      const { body: answer } = await acme.owner.call('PATCH', `${target}/tag-bindings`, body);
      expect(answer.data[0].id).toMatch(/^tb-[1-9A-HJ-NP-Za-km-z]{16}$/);
    }
  });

  test('an output of a workspace starts with wsout-', async () => {
    const { body } = await acme.owner.call('GET', `/workspaces/${values.workspace_id}?include=outputs`);
    const [output] = body.data.relationships.outputs.data;
    expect(output).toEqual({ type: 'workspace-outputs', id: expect.stringMatching(/^wsout-/) });
    expect(body.included).toMatchObject([output]);
  });

  test('an organization is known by its name', async () => {
    const { body } = await acme.owner.call('GET', `/workspaces/${values.workspace_id}`);
    expect(body.data.relationships.organization.data).toEqual({ type: 'organizations', id: acme.name });
    expect((await acme.owner.call('GET', `/organizations/${acme.name}`)).body.data.id).toBe(acme.name);
  });

  test.each(['a', '0', '-', '_', '-a', 'A_b-9', 'x'.repeat(90), 'ws-123', 'null', '__proto__', 'constructor'])(
    'a workspace may be called %s, and is found by it',
    async (name) => {
      const id = await acme.workspace(name);
      const found = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces/${name}`);
      expect(found.body.data).toMatchObject({ id, attributes: { name } });
    },
  );

  test('a name is one in its organization and no other; an id is no name, and a name no id', async () => {
    const other = await newOrganization(api);
    const id = await other.workspace('one');
    expect(id).not.toBe(values.workspace_id);
    const byNames = await other.owner.call('GET', `/organizations/${other.name}/workspaces/one`);
    expect(byNames.body.data.id).toBe(id);
    expect((await other.owner.call('GET', `/organizations/${other.name}/workspaces/${id}`)).status).toBe(404);
    expect((await other.owner.call('GET', '/workspaces/one')).status).toBe(404);
  });

  test('names that differ in case are different', async () => {
    const ids = [await acme.workspace('cased'), await acme.workspace('CASED')];
    for (const [index, name] of ['cased', 'CASED'].entries()) {
      const { body } = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces/${name}`);
      expect(body.data.id).toBe(ids[index]);
    }
  });
});

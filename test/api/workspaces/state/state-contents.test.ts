import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { atAddress, lockedWorkspace, resource, stateText } from '../support/states.ts';

const OUTPUTS = {
  text: { value: 's3cret', type: 'string', sensitive: true },
  list: { value: ['a'], type: ['list', 'string'] },
  object: { value: { a: 1 }, type: ['object', { a: 'number' }] },
  number: { value: 5, type: 'number' },
  yes: { value: true, type: 'bool' },
};

describe.each(databaseKinds)('parsed states on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const locked = () => lockedWorkspace(api, acme, `c-${++names}`);
  const get = (path: string) => acme.owner.call('GET', path);

  test('facts §4.4: outputs of a version show every value, those of the workspace keep sensitive ones back', async () => {
    const { path, write } = await locked();
    expect((await get(`${path}/current-state-version-outputs`)).body.data).toEqual([]);
    const { id, relationships } = await write(stateText(1, { outputs: OUTPUTS }), { serial: 1 });
    const all = await get(`/state-versions/${id}/outputs`);
    expect(all.body.meta.pagination['total-count']).toBe(5);
    expect(all.body.data.map((one: { attributes: { name: string } }) => one.attributes)).toEqual([
      { name: 'list', sensitive: false, type: 'array', value: ['a'], 'detailed-type': ['list', 'string'] },
      { name: 'number', sensitive: false, type: 'number', value: 5, 'detailed-type': 'number' },
      {
        name: 'object',
        sensitive: false,
        type: 'object',
        value: { a: 1 },
        'detailed-type': ['object', { a: 'number' }],
      },
      { name: 'text', sensitive: true, type: 'string', value: 's3cret', 'detailed-type': 'string' },
      { name: 'yes', sensitive: false, type: 'bool', value: true, 'detailed-type': 'bool' },
    ]);
    const references = all.body.data.map((one: { id: string; type: string }) => ({ type: one.type, id: one.id }));
    expect(relationships.outputs.data).toEqual(references);

    const current = (await get(`${path}/current-state-version-outputs`)).body.data;
    expect(current.map((one: { attributes: { value: unknown } }) => one.attributes.value)).toEqual([
      ['a'],
      5,
      { a: 1 },
      null,
      true,
    ]);
    expect(JSON.stringify(current)).not.toContain('s3cret');
    const one = await get(`/state-version-outputs/${current[3].id}`);
    expect(one.body.data).toEqual(all.body.data[3]);
    const page = await get(`/state-versions/${id}/outputs?page[size]=2&page[number]=3`);
    expect(page.body.data).toEqual([all.body.data[4]]);
    for (const unknown of [`wsout-${id.slice(3)}-5`, `wsout-${id.slice(3)}`, 'wsout-J2zM24JPAAAAAAAA', 'x']) {
      expect((await get(`/state-version-outputs/${unknown}`)).status, unknown).toBe(404);
    }
  });

  test('spec §4.4: a workspace refers to its outputs, and includes them without sensitive values', async () => {
    const { id, path, write } = await locked();
    const version = await write(stateText(1, { outputs: OUTPUTS }), { serial: 1 });
    const shown = (await get(`${path}?include=outputs`)).body;
    expect(shown.data.relationships.outputs.data).toHaveLength(5);
    expect(shown.data.relationships.outputs.data.map((one: { id: string }) => one.id)).toEqual(
      version.relationships.outputs.data.map((one: { id: string }) => one.id),
    );
    expect(shown.included).toHaveLength(5);
    expect(shown.included[3]).toMatchObject({
      type: 'workspace-outputs',
      attributes: { name: 'text', sensitive: true, value: null, 'output-type': 'string' },
    });
    expect((await get(path)).body.data).toEqual(shown.data);
    const list = (await get(`/organizations/${acme.name}/workspaces?page[size]=100`)).body.data;
    expect(list.find((one: { id: string }) => one.id === id)).toEqual(shown.data);
  });

  test('facts §1.15: current outputs are 503 while the first state is still to come', async () => {
    const { path, create } = await locked();
    await create(stateText(1), { serial: 1 });
    expect((await get(`${path}/current-state-version-outputs`)).status).toBe(503);
  });

  /** One VPC with two subnets in it. One subnet is in a module. */
  const dependent = (serial: number, more: readonly object[] = []) => {
    const needs = (...dependencies: string[]) => ({ instances: [{ attributes: { id: serial }, dependencies }] });
    const resources = [
      resource('aws_vpc', 'main', [{ id: 'v' }]),
      resource('aws_subnet', 'a', [], needs('aws_vpc.main', 'data.aws_ami.base')),
      resource('aws_subnet', '<script>', [], { module: 'module.net["x"]', ...needs('aws_vpc.main') }),
      ...more,
    ];
    return stateText(serial, { resources });
  };
  const attributesOf = ({ attributes }: { attributes: Record<string, unknown> }) => attributes;

  test('resources list their dependencies, are searched and filtered, and keep their IDs', async () => {
    const { path, write } = await locked();
    await write(dependent(1), { serial: 1 });
    const all = (await get(`${path}/resources`)).body.data;
    expect(all.map(attributesOf)).toMatchObject([
      { address: 'aws_vpc.main', dependencies: [] },
      { address: 'aws_subnet.a', dependencies: ['aws_vpc.main', 'data.aws_ami.base'] },
      { module: 'net["x"]', dependencies: ['aws_vpc.main'] },
    ]);
    const chosen = async (query: string) => {
      const { body } = await get(`${path}/resources?${query}`);
      expect(body.meta.pagination['total-count']).toBe(body.data.length);
      return body.data;
    };
    expect(await chosen('q=SUBNET.A')).toEqual([all[1]]);
    expect(await chosen('filter[module]=net%5B%22x%22%5D')).toEqual([all[2]]);
    expect(await chosen('filter[type]=aws_subnet&filter[provider]=hashicorp/aws')).toEqual([all[1], all[2]]);
    expect(await chosen('filter[address]=aws_subnet.a')).toEqual([all[1]]);
    expect(await chosen(`filter[address]=${encodeURIComponent(all[2].attributes.address)}`)).toEqual([all[2]]);
    expect(await chosen('filter[address]=subnet.a')).toEqual([]);
    expect(await chosen('filter[module]=none')).toEqual([]);
    const [last] = (await get(`${path}/resources?filter[type]=aws_subnet&page[size]=1&page[number]=2`)).body.data;
    expect(last).toEqual(all[2]);
    expect((await get(`${path}/resources?q=${'x'.repeat(1001)}`)).status).toBe(400);
  });

  test('returns the dependencies of a version at once, or the reason why there are none', async () => {
    const { id: workspace, path, write } = await locked();
    const { id } = await write(dependent(1), { serial: 1 });
    const graph = async (version: string) => (await get(`/state-versions/${version}/graph`)).body.data.attributes;
    const { resources, ...about } = await graph(id);
    expect(about).toEqual({ reason: null, 'resource-count': 3 });
    expect(resources).toMatchObject([
      { address: 'aws_vpc.main', module: '', instances: 1, dependencies: [] },
      { address: 'aws_subnet.a', provider: 'hashicorp/aws', dependencies: [0] },
      { address: 'module.net.aws_subnet.<script>', module: 'module.net', dependencies: [0] },
    ]);
    const many = Array.from({ length: 2_000 }, (_, at) => resource('t', `n${at}`, [{ id: 1 }]));
    const large = await write(dependent(2, many), { serial: 2 });
    expect(await graph(large.id)).toMatchObject({
      reason: expect.stringContaining('too many'),
      'resource-count': 2_003,
      resources: [],
    });
    const encrypted = await write('{"encryption_version":"v0"}', { serial: 3 });
    expect(await graph(encrypted.id)).toMatchObject({ reason: expect.stringContaining('encrypted'), resources: [] });
    const { status } = await api.nobody().call('GET', `/state-versions/${id}/graph`);
    expect(status).toBe(401);
    expect((await get('/state-versions/sv-none/graph')).status).toBe(404);

    // The row as an older release left it.
    await api.workspaces.database.transaction((tx) => tx.run(sql('UPDATE state_content SET dependencies = NULL'), {}));
    expect(await graph(id)).toMatchObject({ reason: expect.stringContaining('before the server stored dependencies') });
    await write(stateText(4), { serial: 4, force: true });
    await api.workspaces.database.transaction((tx) => tx.run(sql('UPDATE state_content SET dependencies = NULL'), {}));
    expect((await get(`${path}/resources`)).body.data[0].attributes.dependencies).toBeNull();
    await write(dependent(5), { serial: 5 });
    expect((await get(`/workspaces/${workspace}/resources`)).body.data[1].attributes.dependencies).toHaveLength(2);
  });

  test('facts §6.16: resources of a workspace, with the version that last changed each of them', async () => {
    const { path, write } = await locked();
    expect((await get(`${path}/resources`)).body.data).toEqual([]);
    const module = { module: 'module.media_bucket' };
    const web = (...ids: string[]) =>
      resource(
        'aws_instance',
        'web',
        ids.map((id) => ({ id })),
      );
    const bucket = (id: string) => resource('aws_s3_bucket', 'this', [{ id }, { id: 'b' }], module);
    const first = await write(stateText(1, { resources: [web('i-1'), bucket('a')] }), { serial: 1 });
    api.advance(60_000);
    const second = await write(stateText(2, { resources: [web('i-1'), bucket('c')] }), { serial: 2 });
    const { data, meta } = (await get(`${path}/resources`)).body;
    expect(meta.pagination['total-count']).toBe(3);
    expect(data.map((one: { attributes: object }) => one.attributes)).toMatchObject([
      {
        address: 'aws_instance.web',
        module: 'root',
        provider: 'hashicorp/aws',
        'provider-type': 'aws_instance',
        'name-index': null,
        'modified-by-state-version-id': first.id,
        'created-at': first.attributes['created-at'],
      },
      {
        address: 'media_bucket.aws_s3_bucket.this[0]',
        module: 'media_bucket',
        'name-index': '0',
        'modified-by-state-version-id': second.id,
        'created-at': first.attributes['created-at'],
        'updated-at': second.attributes['created-at'],
      },
      { address: 'media_bucket.aws_s3_bucket.this[1]', 'modified-by-state-version-id': first.id },
    ]);
    expect((await get(`${path}/resources?page[number]=999`)).body.data).toEqual([]);
  });

  test('issue 6: changes between two versions, with their author, and without values', async () => {
    const { write } = await locked();
    const web = (...ids: string[]) =>
      resource(
        'aws_instance',
        'web',
        ids.map((id) => ({ id, password: `pw-${id}` })),
      );
    const outputs = (value: string) => ({
      ip: { value, type: 'string' },
      pw: { value, type: 'string', sensitive: true },
    });
    const one = await write(
      stateText(1, { resources: [web('1', '2'), resource('null_resource', 'gone', [{}])], outputs: outputs('a') }),
      { serial: 1 },
    );
    const two = await write(stateText(2, { resources: [web('1', '3', '4')], outputs: outputs('b') }), { serial: 2 });
    const three = await write(stateText(3, { resources: [web('1', '3', '4')], outputs: outputs('b') }), { serial: 3 });
    const diff = await get(`/state-versions/${three.id}/diff?from=${one.id}`);
    expect(diff.status, diff.text).toBe(200);
    const { attributes, relationships } = diff.body.data;
    const addresses = (list: { address: string }[]) => list.map(({ address }) => address);
    expect(addresses(attributes.resources.added)).toEqual(['aws_instance.web[2]']);
    expect(addresses(attributes.resources.changed)).toEqual(['aws_instance.web[1]']);
    expect(addresses(attributes.resources.removed)).toEqual(['null_resource.gone']);
    expect(attributes.outputs.changed).toEqual([
      { name: 'ip', sensitive: false },
      { name: 'pw', sensitive: true },
    ]);
    expect(diff.text).not.toContain('pw-');
    expect(attributes['changed-by']).toEqual({ type: 'users', id: acme.owner.id, certificate: null });
    expect(relationships.from.data.id).toBe(one.id);
    const step = (await get(`/state-versions/${three.id}/diff`)).body.data;
    expect(step.relationships.from.data.id).toBe(two.id);
    expect(step.attributes.resources).toEqual({ added: [], changed: [], removed: [] });
    const start = (await get(`/state-versions/${one.id}/diff`)).body.data;
    expect(start.relationships.from.data).toBeNull();
    expect(start.attributes.resources.added).toHaveLength(3);
    const elsewhere = await (await locked()).write(stateText(1), { serial: 1 });
    expect((await get(`/state-versions/${three.id}/diff?from=${elsewhere.id}`)).status).toBe(404);
    expect((await get(`/state-versions/${three.id}/diff?from=sv-none`)).status).toBe(404);
  });

  test('an encrypted state cannot be compared, and the error contains the reason', async () => {
    const { write } = await locked();
    await write(stateText(1), { serial: 1 });
    const { id } = await write('{"encryption_version":"v0"}', { serial: 2 });
    const { attributes } = (await get(`/state-versions/${id}/diff`)).body.data;
    expect(attributes).toMatchObject({ comparable: false, reason: expect.stringContaining('encrypted') });
  });

  test('facts §5.4: a user who may read only outputs sees those, and neither states nor the workspace', async () => {
    const { id, path, write } = await locked();
    const version = await write(stateText(1, { outputs: OUTPUTS }), { serial: 1 });
    const reader = await acme.machine(`outputs-${names}`);
    const teams = (await get(`/organizations/${acme.name}/teams?page[size]=100`)).body.data;
    const team = teams.find((one: { attributes: { name: string } }) => one.attributes.name === `outputs-${names}`);
    const granted = await acme.owner.call('POST', '/team-workspaces', {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'custom', runs: 'none', variables: 'none', 'state-versions': 'read-outputs' },
        relationships: {
          team: { data: { type: 'teams', id: team.id } },
          workspace: { data: { type: 'workspaces', id } },
        },
      },
    });
    // A grant allows reading runs by default; this one forbids it.
    expect(granted.status, granted.text).toBe(201);
    const statusOf = async (to: string) => (await reader.call('GET', to)).status;
    expect(await statusOf(`${path}/current-state-version-outputs`)).toBe(200);
    expect(await statusOf(`/state-versions/${version.id}/outputs`)).toBe(200);
    const [output] = version.relationships.outputs.data;
    expect(await statusOf(`/state-version-outputs/${output.id}`)).toBe(200);
    for (const to of [
      `${path}/current-state-version`,
      `${path}/resources`,
      `/state-versions/${version.id}`,
      `/state-versions/${version.id}/download`,
      `/state-versions/${version.id}/diff`,
    ]) {
      expect(await statusOf(to), to).toBe(404);
    }
  });

  test('facts §4.5: a consumer that may not read finds no workspace, and cannot make one of that name', async () => {
    const { id, path, write } = await locked();
    await write(stateText(1), { serial: 1 });
    const consumer = await acme.machine(`consumer-${names}`);
    expect((await consumer.call('GET', `/organizations/${acme.name}/workspaces/c-${names}`)).status).toBe(404);
    expect((await consumer.call('GET', `${path}/current-state-version`)).status).toBe(404);
    const body = { data: { type: 'workspaces', attributes: { name: `c-${names}` } } };
    expect((await consumer.call('POST', `/organizations/${acme.name}/workspaces`, body)).status).toBe(404);
    const reader = await acme.machine(`reader-${names}`, { 'read-workspaces': true });
    const current = await reader.call('GET', `/workspaces/${id}/current-state-version`);
    expect(current.status).toBe(200);
    const { attributes } = current.body.data;
    expect((await atAddress(api, 'GET', attributes['hosted-state-download-url'])).text).toBe(stateText(1));
    expect(attributes).toMatchObject({ 'hosted-state-upload-url': null, 'hosted-json-state-upload-url': null });
  });
});

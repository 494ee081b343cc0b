import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';
import { ROWS } from './support/attributes.ts';

const BINDING = '/data/relationships/tag-bindings/data/0';

function workspaceOf(members: object): object {
  return { data: { type: 'workspaces', attributes: { name: 'never-made' }, ...members } };
}

function related(relationships: object): object {
  return workspaceOf({ relationships });
}

function binding(data: unknown, more: object = {}): object {
  return related({ 'tag-bindings': { data, ...more } });
}

// Single attributes depend only on the schema, so one database is enough.
describe('spec §4.1 create workspace, attribute by attribute', () => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi('sqlite');
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const create = (attributes: object, relationships?: object) =>
    acme.owner.call(
      'POST',
      `/organizations/${acme.name}/workspaces`,
      workspaceBody({ name: `w-${++names}`, ...attributes }, relationships),
    );

  test.each(ROWS)('$name is $standard when it is absent, and when it is null', async ({ name, standard }) => {
    for (const attributes of [{}, { [name]: null }]) {
      const { status, body } = await create(attributes);
      expect(status).toBe(201);
      expect(body.data.attributes[name]).toEqual(standard);
    }
  });

  test.each(ROWS)('$name is kept as it is given', async ({ name, accepted }) => {
    for (const value of accepted) {
      const { status, body, text } = await create({ [name]: value });
      expect(status, text).toBe(201);
      expect(body.data.attributes[name]).toEqual(value);
    }
  });

  test.each(ROWS)('$name is refused in a wrong form, and nothing is made', async ({ name, refused }) => {
    for (const value of refused) {
      const { status, body } = await create({ name: 'never-made', [name]: value });
      expect(status, JSON.stringify(value)).toBe(422);
      expect(body.errors[0]).toMatchObject({ status: '422', title: 'invalid attribute' });
      expect(body.errors[0].source.pointer.startsWith(`/data/attributes/${name}`), body.errors[0].source.pointer).toBe(
        true,
      );
    }
    expect((await acme.owner.call('GET', `/organizations/${acme.name}/workspaces/never-made`)).status).toBe(404);
  });

  test('times are shown in UTC with milliseconds, from any source', async () => {
    const { body } = await create({ 'auto-destroy-at': '2030-01-01T01:30:00+05:30' });
    expect(body.data.attributes['auto-destroy-at']).toBe('2029-12-31T20:00:00.000Z');
  });

  test.each<[what: string, body: unknown, pointer: string]>([
    ['no member data', {}, '/data'],
    ['null as data', { data: null }, '/data'],
    ['a list as data', { data: [] }, '/data'],
    ['a text as data', { data: 'workspaces' }, '/data'],
    ['no type', { data: { attributes: { name: 'x' } } }, '/data/type'],
    ['a type of another resource', { data: { type: 'workspace', attributes: { name: 'x' } } }, '/data/type'],
    ['a type of null', { data: { type: null, attributes: { name: 'x' } } }, '/data/type'],
    ['no attributes', { data: { type: 'workspaces' } }, '/data/attributes'],
    ['attributes of null', { data: { type: 'workspaces', attributes: null } }, '/data/attributes'],
    ['no name', { data: { type: 'workspaces', attributes: {} } }, '/data/attributes/name'],
    ['a number as name', { data: { type: 'workspaces', attributes: { name: 7 } } }, '/data/attributes/name'],
    ['a list as relationships', workspaceOf({ relationships: [] }), '/data/relationships'],
    ['a project that is a text', related({ project: { data: 'prj-1' } }), '/data/relationships/project/data'],
    ['a project that is a list', related({ project: { data: [] } }), '/data/relationships/project/data'],
    ['a numeric project', related({ project: { data: { id: 7 } } }), '/data/relationships/project/data/id'],
    ['bindings that are no list', binding({}, {}), '/data/relationships/tag-bindings/data'],
    ['another type of binding', binding([{ type: 'tags', attributes: { key: 'a' } }]), `${BINDING}/type`],
    ['a binding without attributes', binding([{ type: 'tag-bindings' }]), `${BINDING}/attributes`],
    ['a binding without a key', binding([{ attributes: { value: 'x' } }]), `${BINDING}/attributes/key`],
    ['a binding with an empty key', binding([{ attributes: { key: '' } }]), `${BINDING}/attributes/key`],
    ['a key of 129 characters', binding([{ attributes: { key: 'x'.repeat(129) } }]), `${BINDING}/attributes/key`],
    ['a key of two words', binding([{ attributes: { key: 'a b' } }]), `${BINDING}/attributes/key`],
    ['a numeric value', binding([{ attributes: { key: 'a', value: 7 } }]), `${BINDING}/attributes/value`],
    [
      'a value of 257 characters',
      binding([{ attributes: { key: 'a', value: 'x'.repeat(257) } }]),
      `${BINDING}/attributes/value`,
    ],
    [
      'a key that is given twice',
      binding([{ attributes: { key: 'a', value: '1' } }, { attributes: { key: 'a', value: '2' } }]),
      '/data/relationships/tag-bindings/data/1/attributes/key',
    ],
  ])('a body with %s is refused', async (_, body, pointer) => {
    const answer = await acme.owner.call('POST', `/organizations/${acme.name}/workspaces`, body);
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors[0].source).toEqual({ pointer });
  });

  test.each([
    ['{', 400],
    ['', 422],
    ['[]', 422],
    ['null', 422],
    ['"workspaces"', 422],
  ])('%j is no body: %i', async (text, status) => {
    const answer = await acme.owner.call('POST', `/organizations/${acme.name}/workspaces`, text);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.body.errors[0].status).toBe(String(status));
  });

  test.each([
    ['application/json', 201],
    ['application/vnd.api+json; charset=utf-8', 201],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
  ])('the content type %s: %i', async (contentType, status) => {
    const body = workspaceBody({ name: `typed-${++names}` });
    const path = `/organizations/${acme.name}/workspaces`;
    expect((await acme.owner.call('POST', path, body, { 'content-type': contentType })).status).toBe(status);
  });
});

describe.each(databaseKinds)('spec §4.1 create workspace, attributes that depend on other resources, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let pool: string;
  let token: string;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    const made = async (type: string, attributes: object) => {
      const answer = await acme.owner.call('POST', `/organizations/${acme.name}/${type}`, {
        data: { type, attributes },
      });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data;
    };
    pool = (await made('agent-pools', { name: 'pool' })).id;
    const client = await made('oauth-clients', {
      'service-provider': 'github',
      'http-url': 'https://github.example.com',
      'api-url': 'https://api.github.example.com',
      'oauth-token-string': 'not-a-real-token',
    });
    token = client.relationships['oauth-tokens'].data[0].id;
  });
  afterAll(() => api.close());

  const create = (attributes: object, relationships?: object) =>
    acme.owner.call(
      'POST',
      `/organizations/${acme.name}/workspaces`,
      workspaceBody({ name: `w-${++names}`, ...attributes }, relationships),
    );
  const own = { 'setting-overwrites': { 'execution-mode': true, 'agent-pool': true } };

  /** `pool` stands for the ID of a pool, which is unknown here. */
  test.each<[attributes: Record<string, unknown>, mode: string | undefined]>([
    [{}, 'remote'],
    [{ 'execution-mode': 'remote' }, 'remote'],
    [{ 'execution-mode': 'local' }, 'local'],
    [{ 'execution-mode': 'agent', 'agent-pool-id': 'pool' }, 'agent'],
    [{ 'execution-mode': 'agent', 'agent-pool-id': 'pool', ...own }, 'agent'],
    [{ 'execution-mode': 'agent' }, undefined],
    [{ 'execution-mode': 'agent', 'agent-pool-id': null }, undefined],
    [{ 'execution-mode': 'agent', 'agent-pool-id': '' }, undefined],
    [{ 'execution-mode': 'agent', 'agent-pool-id': 'apool-none' }, undefined],
    [{ 'execution-mode': 'remote', 'agent-pool-id': 'pool' }, undefined],
    [{ 'execution-mode': 'local', 'agent-pool-id': 'pool' }, undefined],
    [{ 'agent-pool-id': 'pool' }, undefined],
    [{ operations: true }, 'remote'],
    [{ operations: false }, 'local'],
    [{ operations: null }, 'remote'],
    [{ operations: true, 'agent-pool-id': 'pool' }, undefined],
    [{ operations: false, 'agent-pool-id': 'pool' }, undefined],
    [{ operations: true, 'execution-mode': 'remote' }, undefined],
    [{ operations: false, 'execution-mode': 'local' }, undefined],
    [{ operations: true, 'execution-mode': 'agent', 'agent-pool-id': 'pool' }, undefined],
    [{ operations: false, 'execution-mode': null }, 'local'],
    [{ operations: null, 'execution-mode': 'local' }, 'local'],
    [{ operations: 'false' }, undefined],
    [{ 'execution-mode': '' }, undefined],
    [{ 'execution-mode': 'LOCAL' }, undefined],
    [{ 'execution-mode': ['local'] }, undefined],
    [{ 'execution-mode': 'local', ...own }, 'local'],
    [own, undefined],
    [{ ...own, 'execution-mode': null }, undefined],
    [{ 'setting-overwrites': { 'agent-pool': true } }, undefined],
    [{ 'setting-overwrites': {} }, 'remote'],
    [{ 'setting-overwrites': {}, 'execution-mode': 'local' }, 'local'],
    [{ 'setting-overwrites': { 'execution-mode': false }, 'execution-mode': 'local' }, 'remote'],
    [{ 'setting-overwrites': { 'execution-mode': 'false' } }, undefined],
    [{ 'setting-overwrites': [] }, undefined],
    [{ 'setting-overwrites': true }, undefined],
    [{ 'setting-overwrites': { 'execution-mode': true, 'agent-pool': false }, 'execution-mode': 'local' }, undefined],
  ])('%j is executed %s', async (attributes, mode) => {
    const given = attributes['agent-pool-id'] === 'pool' ? { ...attributes, 'agent-pool-id': pool } : attributes;
    const answer = await create(given);
    expect(answer.status, answer.text).toBe(mode === undefined ? 422 : 201);
    if (mode === undefined) return;
    const { attributes: shown, relationships } = answer.body.data;
    expect(shown).toMatchObject({ 'execution-mode': mode, operations: mode !== 'local' });
    expect(relationships['agent-pool'].data).toEqual(mode === 'agent' ? { type: 'agent-pools', id: pool } : null);
  });

  /** `token` stands for the ID of a VCS token, like `pool` above. */
  test.each<[repository: Record<string, unknown>, shown: object | undefined]>([
    [{ identifier: 'acme/infra' }, { branch: '', 'ingress-submodules': false, 'tags-regex': null }],
    [{ identifier: 'acme/platform/_git/infra' }, { identifier: 'acme/platform/_git/infra' }],
    [{ identifier: 'acme/infra', branch: '' }, { branch: '' }],
    [{ identifier: 'acme/infra', branch: null }, { branch: '' }],
    [{ identifier: 'acme/infra', branch: 'release/1' }, { branch: 'release/1' }],
    [{ identifier: 'acme/infra', 'ingress-submodules': true }, { 'ingress-submodules': true }],
    [{ identifier: 'acme/infra', 'tags-regex': '^v\\d+' }, { 'tags-regex': '^v\\d+' }],
    [{ identifier: 'acme/infra', 'tags-regex': '' }, { 'tags-regex': null }],
    [{ identifier: 'acme/infra', 'github-app-installation-id': null }, { identifier: 'acme/infra' }],
    [{ identifier: 'infra' }, undefined],
    [{ identifier: 'acme/' }, undefined],
    [{ identifier: '/infra' }, undefined],
    [{ identifier: '' }, undefined],
    [{ identifier: null }, undefined],
    [{ identifier: 7 }, undefined],
    [{}, undefined],
    [{ identifier: 'acme/infra', 'oauth-token-id': null }, undefined],
    [{ identifier: 'acme/infra', 'oauth-token-id': '' }, undefined],
    [{ identifier: 'acme/infra', 'oauth-token-id': 'ot-none' }, undefined],
    [{ identifier: 'acme/infra', 'ingress-submodules': 'yes' }, undefined],
    [{ identifier: 'acme/infra', branch: 7 }, undefined],
    [{ identifier: 'acme/infra', 'github-app-installation-id': 'ghain-1' }, undefined],
  ])('the repository %j', async (repository, shown) => {
    const answer = await create({ 'vcs-repo': { 'oauth-token-id': token, ...repository } });
    expect(answer.status, answer.text).toBe(shown === undefined ? 422 : 201);
    if (shown === undefined) expect(answer.body.errors[0].source.pointer).toMatch(/^\/data\/attributes\/vcs-repo/);
    else expect(answer.body.data.attributes['vcs-repo']).toMatchObject({ 'oauth-token-id': token, ...shown });
  });

  test.each([
    ['latest', '1.12.6'],
    [undefined, '1.12.6'],
    ['~> 1.5.0', '1.5.7'],
    ['>= 1.0, < 1.3.0', '1.2.9'],
    ['1.4', '1.4.0'],
    ['1.6.0-beta1', '1.6.0-beta1'],
    ['99.1.0', '99.1.0'],
  ])(
    'a workspace on %s keeps that, and its runs are of the newest release that matches: %s',
    async (given, release) => {
      const { body } = await create(given === undefined ? {} : { 'engine-version': given });
      const { id, attributes } = body.data;
      expect(attributes['engine-version']).toBe(given ?? 'latest');
      const runs = runsOf(api, acme);
      await runs.uploaded(id);
      expect((await runs.show(await runs.run(id))).attributes['terraform-version']).toBe(release);
    },
  );

  test('without a project it is made in the one that the organization has by default', async () => {
    const other = await acme.project('Soon the default');
    expect((await create({})).body.data.relationships.project.data.id).toBe(acme.defaultProjectId);
    for (const project of [{ data: null }, { data: {} }, { data: { type: 'projects', id: '' } }]) {
      expect((await create({}, { project })).body.data.relationships.project.data.id).toBe(acme.defaultProjectId);
    }
    const named = await create({}, { project: { data: { type: 'projects', id: other } } });
    expect(named.body.data.relationships.project.data.id).toBe(other);
  });

  test('creating takes permission in the project, and that in another is none', async () => {
    const [mine, theirs] = [await acme.project('Mine'), await acme.project('Theirs')];
    const team = await acme.team('builders');
    const grant = (id: string, access: string) =>
      acme.owner.call('POST', '/team-projects', {
        data: {
          type: 'team-projects',
          attributes: { access },
          relationships: { team: { data: { type: 'teams', id: team } }, project: { data: { type: 'projects', id } } },
        },
      });
    expect((await grant(mine, 'maintain')).status).toBe(201);
    expect((await grant(theirs, 'write')).status).toBe(201);
    await acme.owner.call('POST', `/teams/${team}/machine-identities`, {
      data: { type: 'machine-identities', attributes: { mount: 'cert', role: `${acme.name}/builders` } },
    });
    const builder = api.machine({ role: `${acme.name}/builders` });
    const statuses: number[] = [];
    for (const id of [mine, theirs, acme.defaultProjectId]) {
      const body = workspaceBody({ name: `b-${++names}` }, { project: { data: { type: 'projects', id } } });
      statuses.push((await builder.call('POST', `/organizations/${acme.name}/workspaces`, body)).status);
    }
    // The caller cannot see the last project, and gets 422 as if the request contained none.
    expect(statuses).toEqual([201, 404, 422]);
  });

  test('an unknown organization returns 404, like one of others', async () => {
    const other = await newOrganization(api);
    for (const name of ['no-such-organization', other.name]) {
      const answer = await acme.owner.call('POST', `/organizations/${name}/workspaces`, workspaceBody({ name: 'x' }));
      expect(answer.status).toBe(404);
    }
  });

  test('key-value tags of every allowed character are attached; a value may be missing', async () => {
    const pairs = [
      { key: 'a'.repeat(128), value: 'v'.repeat(256) },
      { key: 'Az_.=+-@:9', value: 'Az_.=+-@: 9' },
      { key: 'none' },
      { key: '__proto__', value: '1' },
      { key: 'constructor', value: '2' },
      { key: 'null', value: null },
    ];
    const data = pairs.map((attributes) => ({ type: 'tag-bindings', attributes }));
    const { status, body, text } = await create({}, { 'tag-bindings': { data } });
    expect(status, text).toBe(201);
    const bound = await acme.owner.call('GET', `/workspaces/${body.data.id}/tag-bindings`);
    const shown = bound.body.data.map(({ attributes: { key, value } }: never) => ({ key, value }));
    expect(shown).toHaveLength(pairs.length);
    expect(shown).toEqual(expect.arrayContaining(pairs.map(({ key, value }) => ({ key, value: value ?? '' }))));
  });
});

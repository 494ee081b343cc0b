import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('facts §6.9, variables of workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const newWorkspace = () => acme.workspace(`v-${++names}`);
  const body = (attributes: object) => ({ data: { type: 'vars', attributes } });
  const create = (workspaceId: string, attributes: object = {}) =>
    acme.owner.call(
      'POST',
      `/workspaces/${workspaceId}/vars`,
      body({ key: 'k', category: 'terraform', ...attributes }),
    );
  const list = (workspaceId: string) => acme.owner.call('GET', `/workspaces/${workspaceId}/vars`);
  const pairsOf = (answer: Answer) =>
    answer.body.data
      .map(({ attributes }: { attributes: Record<string, string> }) => `${attributes.key}=${attributes.value}`)
      .sort();

  test('a variable is created with defaults, shown equally everywhere, and refers to its workspace', async () => {
    const id = await newWorkspace();
    const created = await create(id, { key: 'region', value: 'eu-1', description: 'where' });
    expect(created.status).toBe(201);
    const { data } = created.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^var-/),
      type: 'vars',
      attributes: {
        key: 'region',
        value: 'eu-1',
        description: 'where',
        category: 'terraform',
        hcl: false,
        sensitive: false,
        'apply-only': false,
        'created-at': new Date(api.now()).toISOString(),
        'version-id': expect.stringMatching(/^\w{24}$/),
      },
      relationships: {
        configurable: {
          data: { type: 'workspaces', id },
          links: { related: expect.stringMatching(`^/api/v2/organizations/${acme.name}/workspaces/v-\\d+$`) },
        },
      },
      links: { self: `/api/v2/workspaces/${id}/vars/${data.id}` },
    });
    expect((await acme.owner.call('GET', `/workspaces/${id}/vars/${data.id}`)).body.data).toEqual(data);
    expect((await list(id)).body.data).toEqual([data]);
    expect(created.body.meta ?? (await list(id)).body.meta, 'a list is not paged').toBeUndefined();
  });

  test('the older paths take the workspace from a relationship or from filters', async () => {
    const id = await newWorkspace();
    const relationships = { workspace: { data: { type: 'workspaces', id } } };
    const attributes = { key: 'OLD', category: 'env' };
    const created = await acme.owner.call('POST', '/vars', { data: { type: 'vars', attributes, relationships } });
    expect(created.status).toBe(201);
    const { id: variableId } = created.body.data;
    const query = `filter[organization][name]=${acme.name}&filter[workspace][name]=v-${names}`;
    expect((await acme.owner.call('GET', `/vars?${query}`)).body.data).toEqual([created.body.data]);
    const changed = await acme.owner.call('PATCH', `/vars/${variableId}`, body({ value: 'new' }));
    expect(changed.body.data.attributes.value).toBe('new');
    expect((await acme.owner.call('DELETE', `/vars/${variableId}`)).status).toBe(204);
    expect((await list(id)).body.data).toEqual([]);
    expect((await acme.owner.call('DELETE', `/vars/${variableId}`)).status).toBe(404);
    expect((await acme.owner.call('GET', '/vars')).status, 'filters are required').toBe(400);
  });

  test('absent attributes keep their value, null clears, and each change creates a version', async () => {
    const id = await newWorkspace();
    const { data } = (await create(id, { value: 'one', description: 'd', hcl: true })).body;
    const path = `/workspaces/${id}/vars/${data.id}`;
    const same = (await acme.owner.call('PATCH', path, { data: { type: 'vars', id: data.id } })).body.data;
    expect(same.attributes).toMatchObject({ key: 'k', value: 'one', description: 'd', hcl: true });
    expect(same.attributes['version-id']).not.toBe(data.attributes['version-id']);
    const cleared = await acme.owner.call('PATCH', path, body({ value: null, description: null, hcl: null }));
    expect(cleared.body.data.attributes).toMatchObject({ value: '', description: null, hcl: false });
    const moved = await acme.owner.call('PATCH', path, body({ key: 'other', category: 'env' }));
    expect(moved.body.data.attributes).toMatchObject({ key: 'other', category: 'env' });
  });

  test('a sensitive value is written and never read, and stays sensitive', async () => {
    const id = await newWorkspace();
    const secret = 'correct horse battery staple';
    const created = await create(id, { key: 'pw', value: secret, sensitive: true });
    expect(created.body.data.attributes).toMatchObject({ value: null, sensitive: true });
    const path = `/workspaces/${id}/vars/${created.body.data.id}`;
    const plain = await create(id, { key: 'later', value: secret });
    const later = `/workspaces/${id}/vars/${plain.body.data.id}`;
    const hidden = await acme.owner.call('PATCH', later, body({ sensitive: true }));
    expect(hidden.body.data.attributes.value).toBeNull();

    for (const attributes of [{ sensitive: false }, { sensitive: null }, { sensitive: false, value: 'x' }]) {
      const refused = await acme.owner.call('PATCH', path, body(attributes));
      expect(refused.status).toBe(422);
      expect(issuesOf(refused)[0]).toContain('/data/attributes/sensitive: Sensitive cannot be switched off');
    }
    const bulk = await acme.owner.call('PATCH', `/workspaces/${id}/relationships/vars`, {
      data: [{ type: 'vars', id: created.body.data.id, attributes: { sensitive: false } }],
    });
    expect(bulk.status).toBe(422);
    const everything = [await list(id), await acme.owner.call('GET', `/workspaces/${id}/all-vars`), bulk];
    for (const answer of everything) expect(answer.text).not.toContain(secret);
  });

  test('values are sealed in the database, sensitive or not', async () => {
    const id = await newWorkspace();
    await create(id, { key: 'plain', value: 'findme-plain' });
    await create(id, { key: 'secret', value: 'findme-secret', sensitive: true });
    const rows = await api.workspaces.database.dynamic<{ value: Uint8Array }>({
      sql: 'SELECT value FROM variable',
      parameters: [],
    });
    expect(rows.length).toBeGreaterThan(1);
    for (const { value } of rows) expect(Buffer.from(value).toString('latin1')).not.toContain('findme');
  });

  test('a key is taken once in a category', async () => {
    const id = await newWorkspace();
    const first = await create(id);
    const twice = await create(id);
    expect(twice.status).toBe(422);
    expect(twice.body.errors).toEqual([
      {
        status: '422',
        title: 'invalid attribute',
        detail: 'Key has already been taken',
        source: { pointer: '/data/attributes/key' },
      },
    ]);
    const second = await create(id, { category: 'env' });
    expect(second.status).toBe(201);
    const path = `/workspaces/${id}/vars/${second.body.data.id}`;
    expect((await acme.owner.call('PATCH', path, body({ category: 'terraform' }))).status).toBe(422);
    expect((await acme.owner.call('PATCH', path, body({ key: 'k' }))).status, 'its own').toBe(200);
    expect((await acme.owner.call('DELETE', `/workspaces/${id}/vars/${first.body.data.id}`)).status).toBe(204);
    expect((await acme.owner.call('PATCH', path, body({ category: 'terraform' }))).status).toBe(200);
  });

  test('of many that make the same variable at once, one does', async () => {
    const id = await newWorkspace();
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
  });

  test.each([
    [{ key: '' }, '/data/attributes/key'],
    [{ key: 'a b' }, '/data/attributes/key'],
    [{ key: 'a=b', category: 'env' }, '/data/attributes/key'],
    [{ key: 'x'.repeat(129) }, '/data/attributes/key'],
    [{ key: undefined }, '/data/attributes/key'],
    [{ category: undefined }, '/data/attributes/category'],
    [{ category: 'policy-set' }, '/data/attributes/category'],
    [{ value: 7 }, '/data/attributes/value'],
    [{ value: 'x'.repeat(262_145) }, '/data/attributes/value'],
    [{ value: 'ü'.repeat(131_073) }, '/data/attributes/value'],
    [{ value: 'a\u0000b' }, '/data/attributes/value'],
    [{ description: 'x'.repeat(513) }, '/data/attributes/description'],
    [{ hcl: 'true' }, '/data/attributes/hcl'],
  ])(
    '%# attributes that break a rule are refused with a pointer, and nothing is echoed',
    async (attributes, pointer) => {
      const id = await newWorkspace();
      const answer = await create(id, { value: 'do-not-repeat', ...attributes });
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].source.pointer).toBe(pointer);
      expect(answer.text).not.toContain('do-not-repeat');
      expect((await list(id)).body.data).toEqual([]);
    },
  );

  test('limits: a key of 128 characters, a value of 256 KB and a description of 512 are fine', async () => {
    const id = await newWorkspace();
    const answer = await create(id, {
      key: 'x'.repeat(128),
      value: 'y'.repeat(262_144),
      description: 'z'.repeat(512),
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data.attributes.value).toHaveLength(262_144);
  });

  test('a stored value is looked at again where it gets another key or category', async () => {
    const id = await newWorkspace();
    for (const [attributes, change] of [
      [{ category: 'env', value: '-state=x' }, { key: 'TF_CLI_ARGS' }],
      [{ category: 'terraform', value: 'x'.repeat(200_000) }, { category: 'env' }],
    ] as const) {
      const made = await create(id, { key: `k${++names}`, ...attributes });
      const path = `/workspaces/${id}/vars/${made.body.data.id}`;
      const { status, body: answer } = await acme.owner.call('PATCH', path, body(change));
      expect([status, answer.errors?.[0].detail]).toEqual([422, expect.stringContaining('The environment variable')]);
      expect((await acme.owner.call('PATCH', path, body({ key: `k${++names}` }))).body.data.attributes).toMatchObject({
        ...attributes,
      });
    }
  });

  test.each(['é', 'a\u0301', 'a٣', 'Ⅷ', 'a·b'])('a key that engines know is taken: %s', async (key) => {
    expect((await create(await newWorkspace(), { key })).status).toBe(201);
  });

  test.each([
    [{ key: '1st' }, 'key: Key must contain only letters, digits, - and _, and start with a letter or _'],
    [{ key: '-a' }, 'key: Key must contain only letters, digits, - and _, and start with a letter or _'],
    [{ key: 'a.b' }, 'key: Key must contain only letters, digits, - and _, and start with a letter or _'],
    [{ key: 'a²' }, 'key: Key must contain only letters, digits, - and _, and start with a letter or _'],
    [{ key: 'A=B', category: 'env' }, 'key: Key must not contain spaces, = or control characters'],
    [{ key: 'TF_CLI_ARGS_plan', category: 'env', value: '-lock=false -state=x' }, 'value: The environment variable'],
    [{ key: 'TF_CLI_ARGS', category: 'env', value: '"-backend-config" x' }, 'value: The environment variable'],
    [{ key: 'LONG', category: 'env', value: 'x'.repeat(131_072) }, 'value: The environment variable LONG is longer'],
  ])('one that no run could have is refused at every door: %j', async (attributes, issue) => {
    const [id, refused] = [await newWorkspace(), { category: 'terraform', ...attributes }];
    const made = await create(id, { key: 'ok', category: refused.category });
    const path = `/workspaces/${id}/vars`;
    const set = await acme.owner.call('POST', `/organizations/${acme.name}/varsets`, {
      data: { type: 'varsets', attributes: { name: `set-${++names}`, global: false } },
    });
    for (const answer of [
      await create(id, refused),
      await acme.owner.call('PATCH', `${path}/${made.body.data.id}`, body(attributes)),
      await acme.owner.call('PATCH', `/workspaces/${id}/relationships/vars`, { data: [{ attributes: refused }] }),
      await acme.owner.call('POST', `/varsets/${set.body.data.id}/relationships/vars`, body(refused)),
    ]) {
      expect(answer.status).toBe(422);
      expect(issuesOf(answer)).toEqual([expect.stringContaining(issue)]);
    }
    expect(pairsOf(await list(id))).toEqual([`ok=${made.body.data.attributes.value}`]);
  });

  test('PATCH relationships/vars leaves those given: kept, changed, swapped and new', async () => {
    const id = await newWorkspace();
    const [a, b, gone] = await Promise.all(['a', 'b', 'gone'].map((key) => create(id, { key, value: `of ${key}` })));
    const ids = [a, b].map((answer) => answer?.body.data.id);
    const path = `/workspaces/${id}/relationships/vars`;
    const replaced = await acme.owner.call('PATCH', path, {
      data: [
        { type: 'vars', id: ids[0], attributes: { key: 'b' } },
        { type: 'vars', id: ids[1], attributes: { key: 'a', value: 'changed' } },
        { type: 'vars', attributes: { key: 'c', category: 'env', value: 'new' } },
      ],
    });
    expect(replaced.status, replaced.text).toBe(204);
    expect(pairsOf(await list(id))).toEqual(['a=changed', 'b=of a', 'c=new']);
    expect((await list(id)).body.data.map((item: { id: string }) => item.id)).toEqual(expect.arrayContaining(ids));

    const unknown = await acme.owner.call('PATCH', path, { data: [{ type: 'vars', id: gone?.body.data.id }] });
    expect(unknown.status).toBe(404);
    const twice = await acme.owner.call('PATCH', path, {
      data: [
        { type: 'vars', id: ids[0] },
        { type: 'vars', attributes: { key: 'b', category: 'terraform' } },
      ],
    });
    expect(issuesOf(twice)).toEqual(['/data/1/attributes/key: Key has already been taken']);
    expect(pairsOf(await list(id)), 'nothing is half done').toEqual(['a=changed', 'b=of a', 'c=new']);
    expect((await acme.owner.call('PATCH', path, { data: [] })).status).toBe(204);
    expect((await list(id)).body.data).toEqual([]);
  });

  test('a workspace has at most 500 variables', async () => {
    const id = await newWorkspace();
    const data = Array.from({ length: 500 }, (_, i) => ({ attributes: { key: `k${i}`, category: 'env' } }));
    expect((await acme.owner.call('PATCH', `/workspaces/${id}/relationships/vars`, { data })).status).toBe(204);
    const more = await create(id, { key: 'more' });
    expect(issuesOf(more)).toEqual([': There are at most 500 variables']);
    expect((await list(id)).body.data).toHaveLength(500);
  });

  test('the document of a workspace points at its variables, for callers who may read them', async () => {
    const id = await newWorkspace();
    const { id: variableId } = (await create(id)).body.data;
    const shown = await acme.owner.call('GET', `/workspaces/${id}?include=vars`);
    expect(shown.body.data.relationships.vars.data).toEqual([{ type: 'vars', id: variableId }]);
    expect(shown.body.included).toMatchObject([{ type: 'vars', id: variableId, attributes: { key: 'k' } }]);
    const listed = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces?search[name]=v-${names}`);
    const item = listed.body.data.find((workspace: { id: string }) => workspace.id === id);
    expect(item.relationships.vars.data).toEqual([{ type: 'vars', id: variableId }]);
  });

  test('variables of other workspaces and organizations are not found', async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    const { id } = (await create(one)).body.data;
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await acme.owner.call(
        method,
        `/workspaces/${two}/vars/${id}`,
        method === 'PATCH' ? body({}) : undefined,
      );
      expect(answer.status, method).toBe(404);
    }
    const stranger = await newOrganization(api);
    expect((await stranger.owner.call('GET', `/workspaces/${one}/vars`)).status).toBe(404);
    expect((await stranger.owner.call('DELETE', `/vars/${id}`)).status).toBe(404);
    expect((await list(one)).body.data).toHaveLength(1);
  });

  test('§5.2: reading variables and writing them are two permissions', async () => {
    const id = await newWorkspace();
    const { id: variableId } = (await create(id, { value: 'seen' })).body.data;
    const reader = await acme.machine('var-reader', { 'read-workspaces': true });
    expect(pairsOf(await reader.call('GET', `/workspaces/${id}/vars`))).toEqual(['k=seen']);
    const writes: [string, string, object?][] = [
      ['POST', `/workspaces/${id}/vars`, body({ key: 'n', category: 'env' })],
      ['PATCH', `/workspaces/${id}/vars/${variableId}`, body({ value: 'x' })],
      ['DELETE', `/workspaces/${id}/vars/${variableId}`],
      ['PATCH', `/workspaces/${id}/relationships/vars`, { data: [] }],
      ['PATCH', `/vars/${variableId}`, body({ value: 'x' })],
      ['DELETE', `/vars/${variableId}`],
    ];
    for (const [method, path, sent] of writes) {
      expect((await reader.call(method, path, sent)).status, `${method} ${path}`).toBe(404);
    }
    const runs = await acme.machine('runs-only', { 'manage-policies': true });
    expect((await runs.call('GET', `/workspaces/${id}`)).status).toBe(200);
    expect((await runs.call('GET', `/workspaces/${id}/vars`)).status).toBe(404);
    expect((await runs.call('GET', `/workspaces/${id}/all-vars`)).status).toBe(404);
    expect((await runs.call('GET', `/workspaces/${id}`)).body.data.relationships.vars.data).toEqual([]);
    expect((await list(id)).body.data).toHaveLength(1);
  });

  test('variables go with their workspace', async () => {
    const id = await newWorkspace();
    const { id: variableId } = (await create(id)).body.data;
    await acme.owner.call('DELETE', `/workspaces/${id}`);
    expect((await acme.owner.call('PATCH', `/vars/${variableId}`, body({ value: 'x' }))).status).toBe(404);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { identityOf, told } from '../../../support/identity.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(databaseKinds)('aliases that an operator writes, on %s', (kind) => {
  let server: TestServer;
  let beside: TestServer;
  let identity: ReturnType<typeof identityOf>;
  let numbers = 0;
  let name: string;
  let cert: string;
  let other: string;
  const ca = createRoot({ subject: 'Client CA' });
  const anotherCa = createRoot({ subject: 'Another CA' });

  const loginWith = (authority: typeof ca, commonName: string, mount = 'cert') =>
    server.call('POST', `/v1/auth/${mount}/login`, { certificate: authority.issue({ subject: commonName }) });
  const entityOf = async (commonName: string, authority = ca): Promise<string> =>
    (await loginWith(authority, commonName)).body.auth.entity_id;
  const alias = (body: object) => identity.write('entity-alias', body);
  const data = async (id: string) => (await identity.read(`entity-alias/id/${id}`)).body.data;
  const aliasesOf = async (id: string) => (await identity.read(`entity/id/${id}`)).body.data.aliases;

  beforeAll(async () => {
    server = await startTestServer(kind);
    beside = await startTestServer(kind, { beside: server });
    identity = identityOf(server);
    await server.root('POST', '/v1/sys/auth/other', { type: 'cert' });
    for (const mount of ['cert', 'other']) {
      await server.root('POST', `/v1/auth/${mount}/certs/web`, { certificate: ca.pem });
      await server.root('POST', `/v1/auth/${mount}/certs/another`, { certificate: anotherCa.pem });
    }
    [cert, other] = [await identity.accessor('cert'), await identity.accessor('other')];
  });
  afterAll(async () => {
    await beside.stop();
    await server.stop();
  });
  beforeEach(() => {
    name = `web-${++numbers}`;
  });

  it('are found by the login of a certificate, from any CA', async () => {
    const entity = await identity.create('entity', { name: `entity of ${name}`, policies: ['made-before'] });
    const made = await alias({ name: ` ${name}`, mount_accessor: cert, canonical_id: entity });
    expect(made.body.data).toEqual({ id: expect.any(String), canonical_id: entity });
    for (const authority of [ca, anotherCa]) {
      const { auth } = (await loginWith(authority, name)).body;
      expect(auth).toMatchObject({
        entity_id: entity,
        policies: ['default', 'made-before'],
        token_policies: ['default'],
        identity_policies: ['made-before'],
      });
    }
    expect((await loginWith(ca, name, 'other')).body.auth.entity_id).not.toBe(entity);
    expect(await entityOf(name.toUpperCase())).not.toBe(entity);
  });

  it('get a new entity if the write names none', async () => {
    const made = await alias({ name, mount_accessor: cert });
    const { id, canonical_id: entity } = made.body.data;
    expect(await data(id)).toMatchObject({
      id,
      canonical_id: entity,
      name,
      mount_accessor: cert,
      mount_path: 'auth/cert/',
      mount_type: 'cert',
      custom_metadata: {},
      metadata: null,
      merged_from_canonical_ids: null,
      namespace_id: 'root',
      local: false,
    });
    expect(await aliasesOf(entity)).toMatchObject([{ id, name }]);
    expect(await entityOf(name)).toBe(entity);
    expect((await identity.list('entity-alias/id')).body.data.key_info[id]).toMatchObject({
      name,
      canonical_id: entity,
    });
  });

  it.each([
    ['nothing', { custom_metadata: { a: '1' } }, {}, { a: '1' }, 204],
    ['what it is already', { custom_metadata: { a: '1' } }, { custom_metadata: { a: '1' } }, { a: '1' }, 204],
    ['another name', { custom_metadata: { a: '1' } }, { name: 'another' }, { a: '1' }, 200],
    ['other metadata', { custom_metadata: { a: '1' } }, { custom_metadata: { b: '2' } }, { b: '2' }, 200],
    ['no metadata', { custom_metadata: { a: '1' } }, { custom_metadata: {} }, {}, 200],
    ['its first metadata', {}, { custom_metadata: { a: '1' } }, { a: '1' }, 200],
  ])('are given %s', async (_, first, second, metadata, status) => {
    const { id } = (await alias({ name, mount_accessor: cert, ...first })).body.data;
    const changed = await identity.write(`entity-alias/id/${id}`, second);
    expect(changed.status).toBe(status);
    expect(await data(id)).toMatchObject({
      custom_metadata: metadata,
      name: 'another' in second ? 'another' : expect.any(String),
    });
    await identity.remove(`entity-alias/id/${id}`);
  });

  it('are changed by another write of the same name at the same mount: that of a login too', async () => {
    const entity = await entityOf(name);
    const [known] = await aliasesOf(entity);
    const same = await alias({ name, mount_accessor: cert });
    expect([same.status, same.text]).toEqual([204, '']);
    const changed = await alias({ name, mount_accessor: cert, custom_metadata: { team: 'blue' } });
    expect(changed.body.data).toEqual({ id: known.id, canonical_id: entity });
    const owner = await identity.create('entity', { name: `owner of ${name}` });
    expect((await alias({ name, mount_accessor: cert, canonical_id: owner })).status).toBe(200);
    expect(await aliasesOf(entity)).toEqual([]);
    expect(await entityOf(name)).toBe(owner);
    expect(await entityOf(name, anotherCa)).not.toBe(owner);
    expect(told(await alias({ name, mount_accessor: cert, canonical_id: entity }))).toEqual([
      400,
      expect.stringContaining('two issuers'),
    ]);
  });

  it('are moved to another entity, and the next login belongs to that', async () => {
    const { client_token: token, entity_id: before } = (await loginWith(ca, name)).body.auth;
    const [{ id }] = await aliasesOf(before);
    const after = await identity.create('entity', { policies: 'p' });
    const moved = await identity.write(`entity-alias/id/${id}`, { canonical_id: after });
    expect(moved.body.data).toEqual({ id, canonical_id: after });
    expect(await entityOf(name)).toBe(after);
    const look = await server.call('GET', '/v1/auth/token/lookup-self', { token });
    expect(look.body.data.entity_id).toBe(before);
  });

  it('fill templates with their metadata', async () => {
    await server.root('PUT', '/v1/sys/policies/acl/custom', {
      policy: `path "auth/cert/certs/{{identity.entity.aliases.${cert}.custom_metadata.role}}" { capabilities = ["read"] }`,
    });
    await alias({ name, mount_accessor: cert, custom_metadata: { role: 'web' } });
    const { client_token: token, entity_id: id } = (await loginWith(ca, name)).body.auth;
    const reads = async () => (await server.call('GET', '/v1/auth/cert/certs/web', { token })).status;
    await identity.write(`entity/id/${id}`, { policies: 'custom' });
    expect(await reads()).toBe(200);
    await alias({ name, mount_accessor: cert, custom_metadata: { role: 'w+b' } });
    expect(await reads()).toBe(403);
  });

  it('are refused where they cannot be, and nothing is made', async () => {
    const [one, two] = [await identity.create('entity'), await identity.create('entity')];
    await alias({ name, mount_accessor: cert, canonical_id: one });
    const second = (await alias({ name: `${name}-2`, mount_accessor: cert, canonical_id: two })).body.data.id;
    const third = (await alias({ name, mount_accessor: other, canonical_id: two })).body.data.id;
    const before = (await identity.list('entity/id')).body.data.keys.length;
    const long = Object.fromEntries(Array.from({ length: 65 }, (_, number) => [`k${number}`, '']));
    for (const [path, body, message] of [
      ['', {}, "'id' or 'mount_accessor' and 'name' must be provided"],
      ['', { name: 'x' }, "'id' or 'mount_accessor' and 'name' must be provided"],
      ['', { name: 'x', mount_accessor: 'none' }, 'invalid mount accessor "none"'],
      ['', { name: 'x\u0007', mount_accessor: cert }, 'without control characters'],
      ['', { name: 'x'.repeat(2049), mount_accessor: cert }, '2048 bytes'],
      ['', { name: 'x', mount_accessor: cert, canonical_id: 'nobody' }, 'invalid canonical ID'],
      ['', { name: 'x', mount_accessor: cert, entity_id: one }, 'Alias already exists for requested entity'],
      ['', { name: 'x', mount_accessor: cert, custom_metadata: long }, 'at most 64 strings'],
      ['', { id: 'nothing', name: 'x' }, 'invalid alias ID provided'],
      ['/id/nothing', { name: 'x' }, 'invalid alias ID provided'],
      [`/id/${second}`, { canonical_id: one }, 'the given entity already has an alias for this mount'],
      [`/id/${second}`, { canonical_id: 'nobody' }, "'canonical_id' is not associated with an entity"],
      [`/id/${second}`, { name }, 'combination of mount accessor and name already exists'],
      [
        `/id/${third}`,
        { mount_accessor: cert, name: 'x' },
        "the entity already has an alias for the given 'mount_accessor'",
      ],
    ] as const) {
      const [status, text] = told(await identity.write(`entity-alias${path}`, body));
      expect([path, body, status, text]).toEqual([path, body, 400, expect.stringContaining(message)]);
    }
    expect((await identity.list('entity/id')).body.data.keys).toHaveLength(before);
    expect(await aliasesOf(two)).toHaveLength(2);
  });

  it('are created once when several clients write them at the same time on different nodes', async () => {
    const nodes = [server, beside];
    const body = { name, mount_accessor: cert };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, number) => nodes[number % 2]?.root('POST', '/v1/identity/entity-alias', body)),
    );
    expect(answers.map((answer) => answer?.status).toSorted()).toEqual([200, 204, 204, 204, 204, 204]);
    const entity = await identity.create('entity');
    const names = Array.from({ length: 4 }, (_, number) => `${name}-${number}`);
    const added = await Promise.all(
      names.map((one, number) =>
        nodes[number % 2]?.root('POST', '/v1/identity/entity-alias', { ...body, name: one, canonical_id: entity }),
      ),
    );
    expect(added.map((answer) => answer?.status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(await aliasesOf(entity)).toHaveLength(1);
  });

  it('are known to the token store in upper and lower case', async () => {
    const made = await alias({ name: `CI-${name}`, mount_accessor: 'auth_token' });
    await server.root('POST', '/v1/auth/token/roles/ci', { allowed_policies: 'default', allowed_entity_aliases: '*' });
    const token = await server.root('POST', '/v1/auth/token/create/ci', { entity_alias: `Ci-${name}` });
    expect(token.body.auth.entity_id).toBe(made.body.data.canonical_id);
  });

  it('go with their mount', async () => {
    await server.root('POST', '/v1/sys/auth/brief', { type: 'cert' });
    const accessor = await identity.accessor('brief');
    const { id, canonical_id: entity } = (await alias({ name, mount_accessor: accessor })).body.data;
    await server.root('DELETE', '/v1/sys/auth/brief');
    expect((await identity.read(`entity-alias/id/${id}`)).status).toBe(404);
    expect(await aliasesOf(entity)).toEqual([]);
    expect(told(await alias({ name, mount_accessor: accessor }))[0]).toBe(400);
  });
});

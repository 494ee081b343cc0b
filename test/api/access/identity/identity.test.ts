import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const REFUSED = { errors: ['failed to match all constraints for this login certificate'] };
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

describe.each(databaseKinds)('identity, on %s', (kind) => {
  let server: TestServer;
  let names = 0;
  const root = createRoot({ subject: 'Client CA' });
  const accessors: Record<string, string> = {};

  const login = (commonName: string, mount = 'cert') =>
    server.call('POST', `/v1/auth/${mount}/login`, { certificate: root.issue({ subject: commonName }) });
  const auth = async (commonName: string, mount?: string) => (await login(commonName, mount)).body.auth;
  const entityOf = async (commonName: string, mount?: string): Promise<string> =>
    (await auth(commonName, mount)).entity_id;
  const read = (id: string) => server.root('GET', `/v1/identity/entity/id/${id}`);
  const write = (id: string, body: object) => server.root('POST', `/v1/identity/entity/id/${id}`, body);
  const lookup = (body: object) => server.root('POST', '/v1/identity/lookup/entity', body);
  const role = (mount: string, settings: object = {}) =>
    server.root('POST', `/v1/auth/${mount}/certs/web`, { certificate: root.pem, ...settings });
  const aliasMetadata = async (id: string) => (await read(id)).body.data.aliases[0].metadata;

  /** Each test has a name of its own. */
  let name: string;
  beforeEach(() => {
    name = `web-${++names}`;
  });
  beforeAll(async () => {
    server = await startTestServer(kind);
    for (const mount of ['one', 'two']) await server.root('POST', `/v1/sys/auth/${mount}`, { type: 'cert' });
    const { data } = (await server.root('GET', '/v1/sys/auth')).body;
    for (const mount of ['cert', 'one', 'two']) {
      accessors[mount] = data[`${mount}/`].accessor;
      await server.root('POST', `/v1/auth/${mount}/config`, { strict_dns_names: false });
      await role(mount);
    }
  });
  afterAll(() => server.stop());

  it('is created at the first login, and service and batch tokens carry it', async () => {
    const first = await auth(name);
    expect(first.entity_id).toMatch(UUID);
    const look = (token: string) => server.call('GET', '/v1/auth/token/lookup-self', { token });
    expect((await look(first.client_token)).body.data.entity_id).toBe(first.entity_id);
    await role('cert', { token_type: 'batch' });
    const batch = await auth(name);
    await role('cert', { token_type: 'default' });
    expect(batch).toMatchObject({ token_type: 'batch', entity_id: first.entity_id });
    expect((await look(batch.client_token)).body.data.entity_id).toBe(first.entity_id);
  });

  it('is one for logins at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => entityOf(name)));
    expect(new Set(ids).size).toBe(1);
  });

  it('is another for another mount, and for another case of the name; space around it means nothing', async () => {
    const id = await entityOf(name);
    expect(await entityOf(name, 'one')).not.toBe(id);
    expect(await entityOf(name.toUpperCase())).not.toBe(id);
    expect(await entityOf(` ${name} `)).toBe(id);
  });

  it('is found by an alias of the mount that is meant, and never by that of another', async () => {
    const [one, two] = [await entityOf(name, 'one'), await entityOf(name, 'two')];
    const at = async (mount: string, alias_name: string) =>
      (await lookup({ alias_name, alias_mount_accessor: accessors[mount] })).body?.data.id;
    expect([await at('one', name), await at('two', name), await at('cert', name)]).toEqual([one, two, undefined]);
    expect([await at('one', ` ${name}`), await at('one', name.toUpperCase())]).toEqual([one, undefined]);
    expect((await lookup({ alias_name: name, alias_mount_accessor: 'auth_cert_00000000' })).status).toBe(204);
  });

  it('is shown as clients read it', async () => {
    const id = await entityOf(name, 'one');
    const { body } = await read(id);
    const [alias] = body.data.aliases;
    expect(body.data).toEqual({
      aliases: [
        {
          canonical_id: id,
          creation_time: expect.stringMatching(TIME),
          custom_metadata: null,
          id: expect.stringMatching(UUID),
          last_update_time: expect.stringMatching(TIME),
          local: false,
          merged_from_canonical_ids: null,
          metadata: null,
          mount_accessor: accessors.one,
          mount_path: 'auth/one/',
          mount_type: 'cert',
          name,
        },
      ],
      creation_time: expect.stringMatching(TIME),
      direct_group_ids: [],
      disabled: false,
      group_ids: [],
      id,
      inherited_group_ids: [],
      last_update_time: expect.stringMatching(TIME),
      merged_entity_ids: null,
      metadata: {},
      name: expect.stringMatching(/^entity_[\da-f]{16}$/),
      namespace_id: 'root',
      policies: [],
    });
    expect((await server.root('GET', `/v1/identity/entity/name/${body.data.name}`)).body.data).toEqual(body.data);
    expect((await server.root('GET', `/v1/identity/entity-alias/id/${alias.id}`)).body.data).toEqual({
      ...alias,
      namespace_id: 'root',
    });
    for (const query of [{ id }, { name: body.data.name }, { alias_id: alias.id }]) {
      expect((await lookup(query)).body.data).toEqual(body.data);
    }
  });

  it('is listed by id, by name and by alias', async () => {
    const id = await entityOf(name);
    const entity = (await read(id)).body.data;
    const list = async (path: string) => (await server.root('LIST', `/v1/identity/${path}`)).body.data;
    const byId = await list('entity/id');
    expect(byId.keys).toContain(id);
    expect(byId.key_info[id]).toMatchObject({
      name: entity.name,
      disabled: false,
      aliases: [{ name, canonical_id: id }],
    });
    expect((await list('entity/name')).keys).toContain(entity.name);
    const aliases = await list('entity-alias/id');
    expect(aliases.key_info[entity.aliases[0].id]).toEqual({
      canonical_id: id,
      custom_metadata: null,
      local: false,
      metadata: null,
      mount_accessor: accessors.cert,
      mount_path: 'auth/cert/',
      mount_type: 'cert',
      name,
    });
    const paged = await server.root('GET', `/v1/identity/entity/id?list=true&limit=1&after=${byId.keys[0]}`);
    expect(paged.body.data.keys).toEqual([byId.keys[1]]);
  });

  it('is renamed and given metadata; an invalid write changes nothing', async () => {
    const id = await entityOf(name);
    const other = await entityOf(`${name}-other`);
    expect((await write(id, { name: `front-${name}`, metadata: { team: 'blue' }, policies: [] })).status).toBe(204);
    expect((await read(id)).body.data).toMatchObject({ name: `front-${name}`, metadata: { team: 'blue' } });
    await write(id, { disabled: false });
    expect((await read(id)).body.data).toMatchObject({ name: `front-${name}`, metadata: { team: 'blue' } });
    const before = (await read(other)).body.data;
    for (const body of [
      { name: `front-${name}` },
      { name: 'a//b' },
      { name: '../b' },
      { name: 'x'.repeat(257) },
      { metadata: ['a'], name: 'not-this' },
      { metadata: { a: {} }, name: 'not-this' },
      { metadata: { a: 'x'.repeat(513) } },
      { policies: ['root'], name: 'not-this' },
      { disabled: 'perhaps' },
    ]) {
      expect([body, (await write(other, body)).status]).toEqual([body, 400]);
    }
    expect((await read(other)).body.data).toEqual(before);
    expect((await write('no-such-entity', { name: 'x' })).status).toBe(400);
  });

  it('that is disabled logs in nowhere under its name', async () => {
    const id = await entityOf(name);
    await write(id, { disabled: true });
    const refused = await login(name);
    expect([refused.status, refused.body]).toEqual([400, REFUSED]);
    expect((await login(name, 'one')).status).toBe(200);
    await write(id, { disabled: false });
    expect(await entityOf(name)).toBe(id);
  });

  it('keeps the metadata of logins where the mount is configured to', async () => {
    const configure = (enable: boolean) =>
      server.root('POST', '/v1/auth/two/config', { enable_identity_alias_metadata: enable });
    const id = await entityOf(name, 'two');
    expect(await aliasMetadata(id)).toBeNull();
    await configure(true);
    await entityOf(name, 'two');
    expect(await aliasMetadata(id)).toMatchObject({ cert_name: 'web', common_name: name });
    await configure(false);
    await entityOf(name, 'two');
    expect(await aliasMetadata(id)).toBeNull();
  });

  it('fills templates, until it is deleted: then a login makes a new one', async () => {
    const policy = `path "auth/cert/certs/{{identity.entity.aliases.${accessors.cert}.name}}" { capabilities = ["read"] }
      path "identity/entity/id/{{identity.entity.id}}" { capabilities = ["read"] }`;
    await server.root('PUT', '/v1/sys/policies/acl/own', { policy });
    await role('cert', { token_policies: 'own' });
    await server.root('POST', `/v1/auth/cert/certs/${name}`, { certificate: root.pem, allowed_common_names: 'nobody' });
    const { client_token: token, entity_id: id } = await auth(name);
    const other = await auth(`${name}-other`);
    const get = async (path: string, as = token) => (await server.call('GET', `/v1/${path}`, { token: as })).status;
    expect(await get(`auth/cert/certs/${name}`)).toBe(200);
    expect(await get(`identity/entity/id/${id}`)).toBe(200);
    expect(await get(`auth/cert/certs/${name}`, other.client_token)).toBe(403);
    expect(await get(`identity/entity/id/${id}`, other.client_token)).toBe(403);
    expect((await server.root('DELETE', `/v1/identity/entity/id/${id}`)).status).toBe(204);
    expect(await get(`auth/cert/certs/${name}`)).toBe(403);
    expect((await read(id)).status).toBe(404);
    expect(await entityOf(name)).not.toBe(id);
    await role('cert', { token_policies: '' });
    await server.root('DELETE', `/v1/auth/cert/certs/${name}`);
  });

  describe('that is deleted revokes its tokens', () => {
    const look = (token: string) => server.call('GET', '/v1/auth/token/lookup-self', { token });
    const remove = async (id: string) =>
      expect((await server.root('DELETE', `/v1/identity/entity/id/${id}`)).status).toBe(204);
    const asRoot = async (path: string, body: object) =>
      (await server.root('POST', `/v1/auth/token/${path}`, body)).status;

    it('service and batch, disabled before or not; look-ups and renewals fail', async () => {
      const { client_token: token, accessor, entity_id: id } = await auth(name);
      await role('cert', { token_type: 'batch' });
      const { client_token: batch } = await auth(name);
      await role('cert', { token_type: 'default' });
      const other = await auth(`${name}-other`);
      expect([(await look(token)).status, (await look(batch)).status]).toEqual([200, 200]);
      await write(id, { disabled: true });
      expect([(await look(token)).status, (await look(batch)).status]).toEqual([403, 403]);
      expect(await asRoot('lookup', { token })).toBe(200);
      await remove(id);
      for (const one of [token, batch]) {
        expect((await look(one)).status).toBe(403);
        expect((await server.call('POST', '/v1/auth/token/renew-self', { token: one })).status).toBe(403);
        expect(await asRoot('lookup', { token: one })).toBe(403);
        expect(await asRoot('renew', { token: one })).toBe(400);
      }
      expect(await asRoot('lookup-accessor', { accessor })).toBe(400);
      expect(await asRoot('renew-accessor', { accessor })).toBe(400);
      const accessorsLeft = (await server.root('LIST', '/v1/auth/token/accessors')).body.data.keys;
      expect(accessorsLeft).not.toContain(accessor);
      expect(accessorsLeft).toContain(other.accessor);
      // A new entity with this name is another one: the groups and policies of the deleted entity do not return.
      expect(await entityOf(name)).not.toBe(id);
      expect([(await look(token)).status, (await look(batch)).status]).toEqual([403, 403]);
      expect((await look(other.client_token)).status).toBe(200);
    });

    it('and their children of any entity; orphans and root tokens stay valid', async () => {
      await server.root('PUT', '/v1/sys/policies/acl/maker', {
        policy: 'path "auth/token/create*" { capabilities = ["update", "sudo"] }',
      });
      await server.root('POST', '/v1/auth/token/roles/other', {
        allowed_policies: 'default',
        allowed_entity_aliases: '*',
      });
      await role('cert', { token_policies: 'maker' });
      const { client_token: token, entity_id: id } = await auth(name);
      await role('cert', { token_policies: '' });
      const create = async (path: string, body: object = {}): Promise<string> =>
        (await server.call('POST', `/v1/auth/token/${path}`, { token, body })).body.auth.client_token;
      const child = await create('create', { policies: ['default'] });
      const batch = await create('create', { policies: ['default'], type: 'batch' });
      const another = await create('create/other', { entity_alias: `ci-${name}` });
      const orphan = await create('create-orphan', { policies: ['default'] });
      const all = [token, child, batch, another, orphan];
      const statuses = () => Promise.all(all.map(async (one) => (await look(one)).status));
      expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
      await remove(id);
      expect(await statuses()).toEqual([403, 403, 403, 403, 200]);
      expect((await look(server.rootToken)).status).toBe(200);
    });

    it('but the deletion of an alias, and the move of a mount, revoke none', async () => {
      await server.root('POST', '/v1/sys/auth/moving', { type: 'cert' });
      await role('moving');
      const { client_token: token, entity_id: id } = await auth(name, 'moving');
      await server.root('POST', '/v1/sys/remount', { from: 'auth/moving', to: 'auth/moved' });
      expect((await look(token)).status).toBe(200);
      const [alias] = (await read(id)).body.data.aliases;
      await server.root('DELETE', `/v1/identity/entity-alias/id/${alias.id}`);
      expect((await look(token)).status).toBe(200);
      await server.root('DELETE', '/v1/sys/auth/moved');
      expect((await look(token)).status).toBe(403);
    });
  });

  it('that is disabled has no token renewed by any caller', async () => {
    const { client_token: token, entity_id: id } = await auth(name);
    const created = await server.root('POST', '/v1/auth/token/roles/disabled', {
      allowed_policies: 'default',
      allowed_entity_aliases: '*',
    });
    expect(created.status).toBe(204);
    const made = await server.root('POST', '/v1/auth/token/create/disabled', { entity_alias: `ci-${name}` });
    const { client_token: own, entity_id: ownId } = made.body.auth;
    const renew = async (one: string) => (await server.root('POST', '/v1/auth/token/renew', { token: one })).status;
    expect(await renew(own)).toBe(200);
    for (const one of [id, ownId]) await write(one, { disabled: true });
    expect([await renew(own), await renew(token)]).toEqual([400, 400]);
    await write(ownId, { disabled: false });
    expect(await renew(own)).toBe(200);
  });

  it('is deleted by its name, and an alias by its id', async () => {
    const id = await entityOf(name);
    const { name: entityName } = (await read(id)).body.data;
    expect((await server.root('DELETE', `/v1/identity/entity/name/${entityName}`)).status).toBe(204);
    expect((await server.root('DELETE', `/v1/identity/entity/name/${entityName}`)).status).toBe(204);
    expect((await server.root('GET', `/v1/identity/entity/name/${entityName}`)).status).toBe(404);
    const next = await entityOf(name);
    const [alias] = (await read(next)).body.data.aliases;
    expect((await server.root('DELETE', `/v1/identity/entity-alias/id/${alias.id}`)).status).toBe(204);
    expect((await read(next)).body.data.aliases).toEqual([]);
    expect((await server.root('GET', `/v1/identity/entity-alias/id/${alias.id}`)).status).toBe(404);
    expect(await entityOf(name)).not.toBe(next);
  });

  it('loses its alias with the mount, and does not get it back with a new one at the same path', async () => {
    await server.root('POST', '/v1/sys/auth/brief', { type: 'cert' });
    await role('brief');
    const id = await entityOf(name, 'brief');
    await server.root('DELETE', '/v1/sys/auth/brief');
    expect((await read(id)).body.data.aliases).toEqual([]);
    await server.root('POST', '/v1/sys/auth/brief', { type: 'cert' });
    await role('brief');
    expect(await entityOf(name, 'brief')).not.toBe(id);
    await server.root('DELETE', '/v1/sys/auth/brief');
  });

  it.each([
    {},
    { id: 'a', name: 'b' },
    { alias_name: 'a' },
    { alias_mount_accessor: 'a' },
    { id: 'a', alias_name: 'b' },
    { id: {} },
    { name: 'a\0b' },
  ])('is not looked up by %j', async (body) => {
    expect((await lookup(body)).status).toBe(400);
  });

  it('is not reached under another spelling of a name that a policy denies', async () => {
    const { data } = (await read(await entityOf(name))).body;
    const policy = `path "identity/entity/name/*" { capabilities = ["read", "delete"] }
                    path "identity/entity/name/${data.name}" { capabilities = ["deny"] }`;
    await server.root('PUT', '/v1/sys/policies/acl/all-but-one', { policy });
    const made = await server.root('POST', '/v1/auth/token/create', { policies: 'all-but-one' });
    const { client_token: token } = made.body.auth;
    for (const spelling of [data.name, `%20${data.name}`, `${data.name}%C2%A0`]) {
      for (const method of ['GET', 'DELETE']) {
        const { status } = await server.call(method, `/v1/identity/entity/name/${spelling}`, { token });
        expect([method, spelling, status]).toEqual([method, spelling, 403]);
      }
    }
    expect((await read(data.id)).status).toBe(200);
  });

  it('needs a token with a policy for it', async () => {
    const { client_token: token } = await auth(name);
    for (const path of ['entity/id', 'entity/name', 'entity-alias/id']) {
      expect((await server.call('LIST', `/v1/identity/${path}`)).status).toBe(403);
      expect((await server.call('LIST', `/v1/identity/${path}`, { token })).status).toBe(403);
    }
    expect((await server.call('POST', '/v1/identity/lookup/entity', { token, body: { id: 'a' } })).status).toBe(403);
  });
});

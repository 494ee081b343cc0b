import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { identityOf, told } from '../../../support/identity.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

describe.each(databaseKinds)('entities that an operator writes, on %s', (kind) => {
  let server: TestServer;
  let identity: ReturnType<typeof identityOf>;
  let numbers = 0;
  let name: string;
  const accessors: Record<string, string> = {};
  const ca = createRoot({ subject: 'Client CA' });

  const login = async (commonName: string, mount = 'cert') =>
    (await server.call('POST', `/v1/auth/${mount}/login`, { certificate: ca.issue({ subject: commonName }) })).body
      .auth;
  const look = (token: string) => server.call('GET', '/v1/auth/token/lookup-self', { token });
  const data = async (id: string) => (await identity.read(`entity/id/${id}`)).body.data;

  beforeAll(async () => {
    server = await startTestServer(kind);
    identity = identityOf(server);
    await server.root('POST', '/v1/sys/auth/other', { type: 'cert' });
    for (const mount of ['cert', 'other']) {
      accessors[mount] = await identity.accessor(mount);
      await server.root('POST', `/v1/auth/${mount}/certs/web`, { certificate: ca.pem });
    }
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    name = `entity-${++numbers}`;
  });

  it('are made without a name, with one, and with everything', async () => {
    const unnamed = await identity.write('entity', {});
    expect(unnamed.body.data).toEqual({
      id: expect.stringMatching(UUID),
      name: expect.stringMatching(/^entity_[\da-f]{16}$/),
      aliases: null,
    });
    const metadata = { team: 'blue', size: 3, live: true };
    const id = await identity.create('entity', { name, metadata, policies: 'B, a,b', disabled: 'true' });
    expect(await data(id)).toMatchObject({
      name,
      metadata: { team: 'blue', size: '3', live: 'true' },
      policies: ['a', 'b'],
      disabled: true,
      aliases: [],
      direct_group_ids: [],
      merged_entity_ids: null,
    });
  });

  it('take metadata as command-line clients send it', async () => {
    const id = await identity.create('entity', { metadata: ['team=blue', 'role = a=b'] });
    expect((await data(id)).metadata).toEqual({ team: 'blue', role: 'a=b' });
    for (const [sent, kept] of [
      ['team=red', { team: 'red' }],
      ['{"team":"green"}', { team: 'green' }],
      [null, { team: 'green' }],
      [{}, {}],
    ]) {
      expect((await identity.write(`entity/id/${id}`, { metadata: sent })).status).toBe(204);
      expect([sent, (await data(id)).metadata]).toEqual([sent, kept]);
    }
  });

  it('are changed by another write with the same name or ID, which has no response body', async () => {
    const id = await identity.create('entity', { name, policies: ['a'] });
    for (const write of [
      () => identity.write('entity', { name, metadata: { by: 'name' } }),
      () => identity.write('entity', { id, metadata: { by: 'id' } }),
      () => identity.write(`entity/name/${name}`, { metadata: { by: 'path' } }),
      () => identity.write(`entity/id/${id}`, { metadata: { by: 'path of the id' } }),
    ]) {
      const answer = await write();
      expect([answer.status, answer.text]).toEqual([204, '']);
    }
    expect(await data(id)).toMatchObject({ name, metadata: { by: 'path of the id' }, policies: ['a'] });
    const made = await identity.write(`entity/name/${name}%2Fby-path`, { name: 'not this' });
    expect(made.body.data.name).toBe(`${name}/by-path`);
    expect((await identity.read(`entity/name/${name}/by-path`)).body.data.id).toBe(made.body.data.id);
    expect((await identity.remove(`entity/name/${name}/by-path`)).status).toBe(204);
    expect((await identity.read(`entity/id/${made.body.data.id}`)).status).toBe(404);
  });

  it('are refused where they cannot be, and nothing is made', async () => {
    const id = await identity.create('entity', { name });
    await identity.create('entity', { name: `${name} too` });
    const long = 'x'.repeat(513);
    const keys = Object.fromEntries(Array.from({ length: 65 }, (_, number) => [`k${number}`, '']));
    for (const [body, message] of [
      [{ id: 'nobody', name: 'new' }, 'entity not found from id'],
      [{ id, name: `${name} too` }, 'entity name is already in use'],
      [{ name: 'new', policies: ['a', ' Root'] }, 'policies cannot contain root'],
      [{ name: 'new', policies: ['response-wrapping'] }, 'cannot assign policy "response-wrapping"'],
      [{ name: 'new', policies: Array.from({ length: 101 }, (_, number) => `p${number}`) }, 'at most 100 policies'],
      [{ name: 'new', policies: ['p'.repeat(257)] }, 'too long'],
      [{ name: 'new', metadata: keys }, 'at most 64 strings'],
      [{ name: 'new', metadata: { k: long } }, 'at most 512'],
      [{ name: 'new', metadata: { [long]: '' } }, 'names of at most 128'],
      [{ name: 'new', metadata: 'no pair' }, 'expected name=value'],
      [{ name: 'x'.repeat(257) }, 'must have 1 to 256 characters'],
      [{ name: 'a/../b' }, 'must have 1 to 256 characters'],
      [{ name: 'new', disabled: 'perhaps' }, 'expected true or false'],
    ] as const) {
      const [status, text] = told(await identity.write('entity', body));
      expect([body, status, text]).toEqual([body, 400, expect.stringContaining(message)]);
    }
    expect((await identity.read('entity/name/new')).status).toBe(404);
    expect(await data(id)).toMatchObject({ name, policies: [] });
  });

  it('are deleted in batches, with their tokens; missing ones are ignored', async () => {
    const logins = await Promise.all(['a', 'b', 'c'].map((one) => login(`${name} ${one}`)));
    const ids = logins.map(({ entity_id: id }) => id);
    const group = await identity.create('group', { member_entity_ids: ids });
    const [first, second, third] = logins;
    const removed = await identity.write('entity/batch-delete', { entity_ids: [ids[0], ids[1], ids[1], 'nobody'] });
    expect(removed.status).toBe(204);
    expect([(await look(first.client_token)).status, (await look(second.client_token)).status]).toEqual([403, 403]);
    expect((await look(third.client_token)).status).toBe(200);
    expect((await identity.read(`group/id/${group}`)).body.data.member_entity_ids).toEqual([ids[2]]);
    const listed = (await identity.list('group/id')).body.data.key_info[group];
    expect(listed.num_member_entities).toBe(1);
    const many = Array.from({ length: 1001 }, (_, number) => `e${number}`);
    expect(told(await identity.write('entity/batch-delete', {}))).toEqual([400, 'missing entity ids to delete']);
    expect(told(await identity.write('entity/batch-delete', { entity_ids: many }))[0]).toBe(400);
  });

  it('take their metadata and policies into templates and tokens at the next request', async () => {
    await server.root('PUT', '/v1/sys/policies/acl/of-entity', {
      policy: 'path "auth/cert/certs/{{identity.entity.metadata.role}}" { capabilities = ["read"] }',
    });
    const { client_token: token, entity_id: id } = await login(name);
    const reads = async () => (await server.call('GET', '/v1/auth/cert/certs/web', { token })).status;
    expect(await reads()).toBe(403);
    await identity.write(`entity/id/${id}`, { policies: ['of-entity'] });
    expect(await reads()).toBe(403);
    await identity.write(`entity/id/${id}`, { metadata: { role: 'web' } });
    expect(await reads()).toBe(200);
    expect((await look(token)).body.data).toMatchObject({ policies: ['default'], identity_policies: ['of-entity'] });
    await identity.write(`entity/id/${id}`, { policies: [] });
    expect(await reads()).toBe(403);
    expect((await look(token)).body.data).not.toHaveProperty('identity_policies');
  });

  describe('that are merged', () => {
    const merge = (body: object) => identity.write('entity/merge', body);

    it('are one, with the aliases and the groups of all; tokens go on as its own', async () => {
      const to = await login(name);
      const from = await login(name, 'other');
      await server.root('POST', '/v1/auth/other/certs/batch', { certificate: ca.pem, token_type: 'batch' });
      const certificate = ca.issue({ subject: name });
      const made = await server.call('POST', '/v1/auth/other/login', { certificate, body: { name: 'batch' } });
      const batch = made.body.auth.client_token;
      const [toId, fromId] = [to.entity_id, from.entity_id];
      const group = await identity.create('group', { name: `of ${name}`, member_entity_ids: fromId, policies: 'p' });
      const both = await identity.create('group', { member_entity_ids: [toId, fromId] });
      await identity.write(`entity/id/${fromId}`, { metadata: { gone: 'yes' }, policies: ['gone'] });

      expect((await merge({ to_entity_id: toId, from_entity_ids: [fromId, fromId] })).status).toBe(204);
      expect((await identity.read(`entity/id/${fromId}`)).status).toBe(404);
      const merged = await data(toId);
      expect(merged).toMatchObject({ merged_entity_ids: [fromId], metadata: {}, policies: [] });
      expect(merged.direct_group_ids.toSorted()).toEqual([group, both].toSorted());
      expect(merged.aliases).toHaveLength(2);
      const moved = merged.aliases.find((alias: { mount_path: string }) => alias.mount_path === 'auth/other/');
      expect(moved).toMatchObject({ canonical_id: toId, merged_from_canonical_ids: [fromId] });
      for (const one of [group, both]) {
        expect((await identity.read(`group/id/${one}`)).body.data.member_entity_ids).toEqual([toId]);
      }
      for (const token of [to.client_token, from.client_token, batch]) {
        expect((await look(token)).body.data).toMatchObject({ entity_id: toId, identity_policies: ['p'] });
      }
      expect((await login(name, 'other')).entity_id).toBe(toId);
      expect((await server.root('POST', '/v1/auth/token/renew', { token: from.client_token })).status).toBe(400);

      await identity.write(`entity/id/${toId}`, { disabled: true });
      for (const token of [from.client_token, batch]) expect((await look(token)).status).toBe(403);
      await identity.write(`entity/id/${toId}`, { disabled: false });
      expect((await look(from.client_token)).status).toBe(200);
      await identity.remove(`entity/id/${toId}`);
      for (const token of [to.client_token, from.client_token, batch]) expect((await look(token)).status).toBe(403);
    });

    it('again and again are the last of them', async () => {
      const { client_token: token, entity_id: first } = await login(name);
      const [second, third] = [await identity.create('entity'), await identity.create('entity')];
      await merge({ to_entity_id: second, from_entity_ids: first });
      await merge({ to_entity_id: third, from_entity_ids: second });
      expect((await data(third)).merged_entity_ids.toSorted()).toEqual([first, second].toSorted());
      expect((await look(token)).body.data.entity_id).toBe(third);
      await identity.remove(`entity/id/${third}`);
      expect((await look(token)).status).toBe(403);
    });

    it('with two aliases at one mount are merged only after a choice', async () => {
      const [to, from] = [await login(`${name} to`), await login(`${name} from`)];
      const ids = { to_entity_id: to.entity_id, from_entity_ids: [from.entity_id] };
      const aliasOf = async (id: string) => (await data(id)).aliases[0].id;
      const [ofTo, ofFrom] = [await aliasOf(to.entity_id), await aliasOf(from.entity_id)];
      const clash = await merge(ids);
      expect(told(clash)).toEqual([400, expect.stringContaining('aliases with the same mount accessor')]);
      expect(clash.body.data).toMatchObject([
        { entity_id: to.entity_id, alias: `${name} to`, mount: 'cert', mount_path: 'auth/cert/' },
        { entity_id: from.entity_id, alias: `${name} from` },
      ]);
      const neither = await merge({ ...ids, conflicting_alias_ids_to_keep: ['another'] });
      expect(told(neither)).toEqual([400, expect.stringContaining('neither were present')]);
      expect((await data(from.entity_id)).aliases).toHaveLength(1);
      expect((await merge({ ...ids, conflicting_alias_ids_to_keep: [ofFrom] })).status).toBe(204);
      expect(await aliasOf(to.entity_id)).toBe(ofFrom);
      expect((await identity.read(`entity-alias/id/${ofTo}`)).status).toBe(404);
      expect((await login(`${name} from`)).entity_id).toBe(to.entity_id);
    });

    it('keep the alias of the one that stays where that was chosen', async () => {
      const [to, from] = [await login(`${name} to`), await login(`${name} from`)];
      const [kept] = (await data(to.entity_id)).aliases;
      const body = { to_entity_id: to.entity_id, from_entity_ids: from.entity_id };
      expect((await merge({ ...body, conflicting_alias_ids_to_keep: kept.id })).status).toBe(204);
      expect((await data(to.entity_id)).aliases).toEqual([kept]);
    });

    it('cannot be just any', async () => {
      const [a, b, c] = [await identity.create('entity'), await login(`${name} b`), await login(`${name} c`)];
      const many = Array.from({ length: 101 }, (_, number) => `e${number}`);
      const twice = [b.entity_id, c.entity_id];
      for (const [body, message] of [
        [{ from_entity_ids: [a] }, 'missing entity id to merge to'],
        [{ to_entity_id: a }, 'missing entity ids to merge from'],
        [{ to_entity_id: 'nobody', from_entity_ids: [a] }, 'entity id to merge to is invalid'],
        [{ to_entity_id: a, from_entity_ids: [a] }, 'to_entity_id should not be present in from_entity_ids'],
        [{ to_entity_id: a, from_entity_ids: [b.entity_id, 'nobody'] }, 'entity id to merge from is invalid'],
        [{ to_entity_id: a, from_entity_ids: many }, 'at most 100 entities'],
        [{ to_entity_id: a, from_entity_ids: twice }, 'found in multiple fromEntities'],
        [
          { to_entity_id: a, from_entity_ids: twice, conflicting_alias_ids_to_keep: ['x', 'y'] },
          'one entity at a time',
        ],
      ] as const) {
        const [status, text] = told(await merge(body));
        expect([body, status, text]).toEqual([body, 400, expect.stringContaining(message)]);
      }
      expect((await data(b.entity_id)).aliases).toHaveLength(1);
    });
  });

  it('and groups need policies for just these paths', async () => {
    await server.root('PUT', '/v1/sys/policies/acl/groups', {
      policy: 'path "identity/group/*" { capabilities = ["read", "update", "delete", "list"] }',
    });
    const made = await server.root('POST', '/v1/auth/token/create', { policies: ['groups'] });
    const token = made.body.auth.client_token;
    const as = async (method: string, path: string, body?: object) =>
      (await server.call(method, `/v1/identity/${path}`, { token, ...(body && { body }) })).status;
    expect(await as('POST', `group/name/${name}`, {})).toBe(200);
    expect(await as('GET', `group/name/${name}`)).toBe(200);
    for (const path of ['group', 'entity', 'entity/merge', 'entity/batch-delete', 'entity-alias', 'group-alias']) {
      expect([path, await as('POST', path, {})]).toEqual([path, 403]);
    }
    for (const path of [`entity/name/${name}`, 'entity/id/x', 'entity-alias/id/x', 'group-alias/id/x']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect([method, path, await as(method, path, method === 'POST' ? {} : undefined)]).toEqual([method, path, 403]);
      }
    }
    for (const path of ['lookup/group', 'lookup/entity']) expect(await as('POST', path, { name })).toBe(403);
    expect(await as('DELETE', `group/name/${name}`)).toBe(204);
  });
});

import { Agent } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { identityOf } from '../../../support/identity.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(databaseKinds)('policies of groups, on %s', (kind) => {
  let server: TestServer;
  let beside: TestServer;
  let identity: ReturnType<typeof identityOf>;
  let numbers = 0;
  let name: string;
  let cert: string;
  const ca = createRoot({ subject: 'Client CA' });

  const login = async (role = 'web', commonName = name) => {
    const certificate = ca.issue({ subject: commonName });
    return (await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: role } })).body.auth;
  };
  const look = async (token: string, node = server) =>
    (await node.call('GET', '/v1/auth/token/lookup-self', { token })).body.data;
  /** Reads a path that only the policy `readers` allows. */
  const reads = async (token: string, node = server) =>
    (await node.call('GET', '/v1/auth/cert/certs/web', { token })).status;
  const group = (body: object) => identity.create('group', body);
  const change = (id: string, body: object) => identity.write(`group/id/${id}`, body);
  const policy = (text: string, of = 'templated') => server.root('PUT', `/v1/sys/policies/acl/${of}`, { policy: text });

  beforeAll(async () => {
    server = await startTestServer(kind);
    beside = await startTestServer(kind, { beside: server });
    identity = identityOf(server);
    cert = await identity.accessor('cert');
    for (const [role, settings] of [
      ['web', {}],
      ['batch', { token_type: 'batch' }],
    ] as const) {
      await server.root('POST', `/v1/auth/cert/certs/${role}`, { certificate: ca.pem, token_ttl: '1h', ...settings });
    }
    await policy('path "auth/cert/certs/web" { capabilities = ["read"] }', 'readers');
  });
  afterAll(async () => {
    await beside.stop();
    await server.stop();
  });
  beforeEach(() => {
    name = `runner-${++numbers}`;
  });

  it('hold for tokens that are there, service and batch, on every node at the next request, and end so too', async () => {
    const { entity_id: id, client_token: service } = await login();
    const { client_token: batch } = await login('batch');
    const all = async () => [
      await reads(service),
      await reads(batch),
      await reads(service, beside),
      await reads(batch, beside),
    ];
    expect(await all()).toEqual([403, 403, 403, 403]);
    const inner = await group({ member_entity_ids: [id] });
    const outer = await group({ policies: ['readers'], member_group_ids: [inner] });
    expect(await all()).toEqual([200, 200, 200, 200]);
    await change(outer, { policies: [] });
    expect(await all()).toEqual([403, 403, 403, 403]);
    await change(inner, { policies: ['readers'] });
    expect(await all()).toEqual([200, 200, 200, 200]);
    await change(inner, { member_entity_ids: [] });
    expect(await all()).toEqual([403, 403, 403, 403]);
    await change(inner, { member_entity_ids: [id] });
    expect(await all()).toEqual([200, 200, 200, 200]);
    await identity.remove(`group/id/${inner}`);
    expect(await all()).toEqual([403, 403, 403, 403]);
  });

  it('appear in logins, look-ups, renewals and the audit log; a token keeps its own policies apart', async () => {
    const { entity_id: id } = await login();
    await group({ policies: ['readers', 'missing'], member_entity_ids: [id] });
    const auth = await login();
    const told = {
      policies: ['default', 'missing', 'readers'],
      token_policies: ['default'],
      identity_policies: ['missing', 'readers'],
    };
    expect(auth).toMatchObject(told);
    const { client_token: token, accessor } = auth;
    const lookedUp = { policies: ['default'], identity_policies: ['missing', 'readers'] };
    expect(await look(token)).toMatchObject(lookedUp);
    expect((await server.root('POST', '/v1/auth/token/lookup', { token })).body.data).toMatchObject(lookedUp);
    const byAccessor = await server.root('POST', '/v1/auth/token/lookup-accessor', { accessor });
    expect(byAccessor.body.data).toMatchObject(lookedUp);
    const certificate = ca.issue({ subject: `${name}-b` });
    await identity.write('entity-alias', { name: `${name}-b`, mount_accessor: cert });
    const again = await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'web' } });
    const { client_token: other, entity_id: otherId } = again.body.auth;
    await identity.write(`entity/id/${otherId}`, { policies: ['missing'] });
    const renewed = await server.call('POST', '/v1/auth/token/renew-self', { token: other, certificate });
    expect(renewed.body.auth).toMatchObject({ token_policies: ['default'], identity_policies: ['missing'] });
    await reads(token);
    const line = server.auditLines().findLast((one) => one.actor_accessor === accessor);
    expect(line?.actor_policies).toEqual(['default', 'missing', 'readers']);
  });

  it('apply to child tokens of the entity, but not to orphans, and are no part of the policies that a child may choose from', async () => {
    const { entity_id: id, client_token: token } = await login();
    const create = 'path "auth/token/create*" { capabilities = ["update"] }';
    await policy(create, 'makers');
    await policy(`${create} path "auth/token/create-orphan" { capabilities = ["update", "sudo"] }`, 'orphan-makers');
    await group({ policies: ['readers', 'makers', 'orphan-makers'], member_entity_ids: [id] });
    const made = async (path: string, body: object = {}) =>
      (await server.call('POST', `/v1/auth/token/${path}`, { token, body })).body;
    const { client_token: child } = (await made('create')).auth;
    expect(await look(child)).toMatchObject({ entity_id: id, policies: ['default'] });
    expect(await reads(child)).toBe(200);
    const { client_token: orphan } = (await made('create-orphan')).auth;
    expect(await reads(orphan)).toBe(403);
    expect(await made('create', { policies: ['readers'] })).toEqual({
      errors: ['child policies must be subset of parent'],
    });
  });

  it('take nothing from root, and never are root', async () => {
    const role = { allowed_policies: 'root', allowed_entity_aliases: '*' };
    await server.root('POST', '/v1/auth/token/roles/root', role);
    const body = { policies: ['root'], entity_alias: name };
    const made = await server.root('POST', '/v1/auth/token/create/root', body);
    const { entity_id: id, client_token: token } = made.body.auth;
    const everything = async (as: string) =>
      (await server.call('LIST', '/v1/auth/token/accessors', { token: as })).status;
    await policy('path "auth/token/accessors" { capabilities = ["deny"] }', 'denied');
    const denied = await group({ policies: ['denied'], member_entity_ids: [id] });
    expect(await look(token)).toMatchObject({ policies: ['root'], identity_policies: ['denied'] });
    expect(await everything(token)).toBe(200);
    expect((await change(denied, { policies: [' rOOt'] })).status).toBe(400);
    expect((await identity.write(`entity/id/${id}`, { policies: 'a,root' })).status).toBe(400);
  });

  it("deny paths that the token's own policies allow", async () => {
    const { entity_id: id, client_token: token } = await login();
    await policy('path "auth/token/lookup-self" { capabilities = ["deny"] }', 'no-look');
    expect(await look(token)).toBeDefined();
    await group({ policies: ['no-look'], member_entity_ids: [id] });
    expect(await look(token)).toBeUndefined();
  });

  it('end with the entity; while that is disabled its tokens are refused', async () => {
    const { entity_id: id, client_token: token } = await login();
    await group({ policies: ['readers'], member_entity_ids: [id] });
    await identity.write(`entity/id/${id}`, { disabled: true });
    expect(await reads(token)).toBe(403);
    await identity.write(`entity/id/${id}`, { disabled: false });
    expect(await reads(token)).toBe(200);
    await identity.remove(`entity/id/${id}`);
    expect(await reads(token)).toBe(403);
    expect((await login()).identity_policies).toBeUndefined();
  });

  it('count in the capabilities of a token', async () => {
    const { entity_id: id, client_token: token, accessor } = await login();
    await group({ policies: ['readers'], member_entity_ids: [id] });
    const paths = ['auth/cert/certs/web'];
    const self = await server.call('POST', '/v1/sys/capabilities-self', { token, body: { paths } });
    const byText = await server.root('POST', '/v1/sys/capabilities', { token, paths });
    const byAccessor = await server.root('POST', '/v1/sys/capabilities-accessor', { accessor, paths });
    for (const { body } of [self, byText, byAccessor]) expect(body.data.capabilities).toEqual(['read']);
  });

  it('are explained: which group gave a policy, and whether by another', async () => {
    const { entity_id: id, client_token: token } = await login();
    await identity.write(`entity/id/${id}`, { policies: ['own'] });
    const inner = await group({ name: `inner ${name}`, policies: ['missing'], member_entity_ids: [id] });
    const outer = await group({ name: `outer ${name}`, policies: ['readers'], member_group_ids: [inner] });
    const asked = { token, path: 'auth/cert/certs/web', method: 'GET' };
    const { data } = (await server.root('POST', '/v1/sys/policies/explain', asked)).body;
    expect(data).toMatchObject({
      allowed: true,
      policies: ['default', 'missing', 'own', 'readers'],
      rule: { policies: ['readers'] },
      missing_policies: ['missing', 'own'],
      policy_sources: { token: ['default'], entity: ['own'] },
    });
    const sources = [
      { id: inner, name: `inner ${name}`, inherited: false, policies: ['missing'] },
      { id: outer, name: `outer ${name}`, inherited: true, policies: ['readers'] },
    ];
    expect(data.policy_sources.groups).toEqual(sources.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    const given = await server.root('POST', '/v1/sys/policies/explain', { ...asked, token: undefined, policies: 'a' });
    expect(given.body.data.policy_sources).toBeNull();
  });

  it('may name a group in a template: by its id or its name, and its metadata', async () => {
    const { entity_id: id, client_token: token } = await login();
    const inner = await group({ name: `${name}-inner`, member_entity_ids: [id], policies: ['templated'] });
    const outer = await group({ name: `${name}-outer`, metadata: { role: 'web' }, member_group_ids: [inner] });
    const elsewhere = await group({ name: `${name}-elsewhere`, metadata: { role: 'web' } });
    const path = (template: string) =>
      policy(`path "auth/cert/certs/{{identity.groups.${template}}}" { capabilities = ["read"] }`);
    for (const [template, status] of [
      [`ids.${outer}.metadata.role`, 200],
      [`names.${name}-outer.metadata.role`, 200],
      [`names.${name}-outer.metadata.other`, 403],
      [`ids.${elsewhere}.metadata.role`, 403],
      [`names.${name}-elsewhere.metadata.role`, 403],
    ] as const) {
      await path(template);
      expect([template, await reads(token)]).toEqual([template, status]);
    }
    for (const [template, named] of [
      [`ids.${inner}.name`, `${name}-inner`],
      [`names.${name}-inner.id`, inner],
    ] as const) {
      await server.root('POST', `/v1/auth/cert/certs/${named}`, {
        certificate: ca.pem,
        allowed_common_names: 'nobody',
      });
      await path(template);
      const { status } = await server.call('GET', `/v1/auth/cert/certs/${named}`, { token });
      expect([template, status]).toEqual([template, 200]);
      await server.root('DELETE', `/v1/auth/cert/certs/${named}`);
    }
    await path(`ids.${outer}.metadata.role`);
    for (const [role, status] of [
      ['*', 403],
      ['w+', 403],
      ['a/web', 403],
      ['web', 200],
    ] as const) {
      await change(outer, { metadata: { role } });
      expect([role, await reads(token)]).toEqual([role, status]);
    }
  });

  it('are refused completely for an entity in too many groups', { timeout: 120_000 }, async () => {
    const { entity_id: id, client_token: token } = await login();
    const agent = new Agent({ keepAlive: true });
    const inner: string[] = [];
    for (let count = 0; count < 5; count++) inner.push(await group({ member_entity_ids: [id] }));
    for (const one of inner) {
      const body = { member_group_ids: [one] };
      const options = { agent, token: server.rootToken, body };
      for (let count = 0; count < 99; count++) await server.call('POST', '/v1/identity/group', options);
    }
    agent.destroy();
    expect((await look(token)).entity_id).toBe(id);
    await group({ member_entity_ids: [id] });
    const refused = await server.call('GET', '/v1/auth/token/lookup-self', { token });
    expect([refused.status, refused.body.errors[0]]).toEqual([403, expect.stringContaining('more than 500 groups')]);
    await change(inner[0] ?? '', { member_entity_ids: [] });
    expect((await look(token)).entity_id).toBe(id);
  });
});

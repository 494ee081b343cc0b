import { signClaims, signingKey } from '../../support/jwt/issuer.ts';
import {
  ca,
  client,
  fresh,
  isThere,
  type Life,
  leaseOf,
  lives,
  loginAt,
  mayReadMounts,
  renews,
  type Things,
} from './things.ts';

interface Ending {
  /** Dependents by kind; each works before the operation, and on no node after it. */
  readonly lives: Readonly<Record<string, Life>>;
  /** Objects that do not depend on it, and still work. */
  readonly stays?: Readonly<Record<string, Life>>;
  /** Path and body of the operation of this name. */
  readonly at: string;
  readonly body?: object;
  /** Token of the request. Default: root. */
  readonly token?: string;
}

const DEFAULT = { policies: ['default'] };

async function policy(things: Things, path: (name: string) => string): Promise<Ending> {
  const name = fresh('policy');
  await things.write(`sys/policies/acl/${name}`, { policy: 'path "sys/auth" { capabilities = ["read"] }' });
  const role = fresh('role');
  await things.write(`auth/cert/certs/${role}`, { certificate: ca.pem, token_policies: [name] });
  const { client_token: loggedIn } = await things.login(role);
  const root = await things.create((await rootOf(things)).client_token, { policies: [name], type: 'batch' });
  return {
    lives: {
      'the right of a login': mayReadMounts(loggedIn),
      'the right of a batch token': mayReadMounts(root.client_token),
      'the policy': isThere(`sys/policies/acl/${name}`),
      'the policy by its old name': isThere(`sys/policy/${name}`),
    },
    stays: { 'the token': lives(loggedIn) },
    at: path(name),
  };
}

/** A root token that expires, whose children may have any policy. */
const rootOf = async (things: Things) =>
  (await things.write('auth/token/create', { policies: ['root'], ttl: '1h' })).body.auth;

async function entity(things: Things, path: (named: { id: string; name: string }) => string): Promise<Ending> {
  const role = await things.role();
  const { client_token: token, entity_id: id } = await things.login(role);
  const { name } = await things.read(`identity/entity/id/${id}`);
  return {
    lives: {
      ...(await things.familyOf(token)),
      'its renewal': renews(token),
      'the entity': isThere(`identity/entity/id/${id}`),
      'the entity by its name': isThere(`identity/entity/name/${name}`),
    },
    stays: { 'the next login': async (node) => (await loginAt(node, role)).status === 200 },
    at: path({ id, name }),
  };
}

/** A group with a policy, and one inside it. */
async function group(things: Things, path: (named: { id: string; name: string }) => string): Promise<Ending> {
  const [named, name, inner] = [fresh('policy'), fresh('group'), fresh('group')];
  await things.write(`sys/policies/acl/${named}`, { policy: 'path "sys/auth" { capabilities = ["read"] }' });
  const { client_token: token, entity_id: entityId } = await things.login(await things.role());
  const { client_token: below, entity_id: innerId } = await things.loginAs(fresh('machine'));
  const { id: child } = await things.made('identity/group', { name: inner, member_entity_ids: [innerId] });
  const members = { member_entity_ids: [entityId], member_group_ids: [child] };
  const { id } = await things.made('identity/group', { name, policies: [named], ...members });
  return {
    lives: {
      'the right of a member': mayReadMounts(token),
      'the right of a member of a group inside': mayReadMounts(below),
      'the group': isThere(`identity/group/id/${id}`),
      'the group by its name': isThere(`identity/group/name/${name}`),
    },
    stays: {
      'the token of a member': lives(token),
      'the policy': isThere(`sys/policies/acl/${named}`),
      'the group inside': isThere(`identity/group/id/${child}`),
    },
    at: path({ id, name }),
  };
}

async function revocation(things: Things, at: string, body: (named: { token: string; accessor: string }) => object) {
  const { token, accessor, below } = await things.family();
  return { lives: { 'the token': lives(token), ...below }, at, body: body({ token, accessor }) };
}

async function prefix(things: Things, operation: string): Promise<Ending> {
  const suffix = fresh('suffix');
  await things.write('auth/token/roles/suffixed', { path_suffix: suffix, orphan: true });
  const { token, below } = await things.family('create/suffixed');
  const { token: beside } = await things.family();
  return {
    lives: { 'the token': lives(token), ...below },
    stays: { 'a token of another path': lives(beside) },
    at: `sys/leases/${operation}/auth/token/create/suffixed/${suffix}`,
  };
}

async function lease(things: Things, at: (id: string) => Pick<Ending, 'at' | 'body'>): Promise<Ending> {
  const { token, below } = await things.family();
  return { lives: { 'the token': lives(token), ...below }, ...at(leaseOf(token, 'auth/token/create')) };
}

/** By operation that ends something: the dependents of its object. The test fails for an operation without an entry. */
export const ENDINGS: Readonly<Record<string, (things: Things) => Promise<Ending>>> = {
  async 'delete auth/{cert_mount_path}/certs/:name'(things) {
    const name = await things.role();
    const { client_token: token } = await things.login(name);
    return {
      lives: {
        'its logins': async (node) => (await loginAt(node, name)).status === 200,
        'the renewal of what it gave': renews(token),
        'the role': isThere(`auth/cert/certs/${name}`),
      },
      stays: { 'the token until it ends': lives(token) },
      at: `auth/cert/certs/${name}`,
    };
  },

  async 'delete auth/{jwt_mount_path}/role/:name'(things) {
    const [mount, name, key] = [fresh('jwt'), fresh('role'), signingKey('one')];
    await things.write(`sys/auth/${mount}`, { type: 'jwt' });
    await things.write(`auth/${mount}/config`, { jwt_validation_pubkeys: [key.publicPem] });
    const role = { user_claim: 'sub', bound_subject: 'pipeline', token_ttl: '1h' };
    await things.write(`auth/${mount}/role/${name}`, role);
    const now = Math.floor(Date.now() / 1000);
    const jwt = await signClaims({ sub: 'pipeline', iat: now - 3600, exp: now + 3600 }, key);
    const { client_token: token } = (await things.write(`auth/${mount}/login`, { role: name, jwt })).body.auth;
    return {
      lives: {
        'its logins': async (node) =>
          (await node.call('POST', `/v1/auth/${mount}/login`, { body: { role: name, jwt } })).status === 200,
        'the renewal of what it gave': renews(token),
        'the role': isThere(`auth/${mount}/role/${name}`),
      },
      stays: { 'the token until it ends': lives(token) },
      at: `auth/${mount}/role/${name}`,
    };
  },

  async 'delete auth/{cert_mount_path}/crls/:name'(things) {
    const [role, name] = [await things.role(), fresh('crl')];
    await things.write(`auth/cert/crls/${name}`, { crl: ca.crl({ revoked: [client.serial] }).pem });
    return {
      lives: {
        'the refusal of who is on it': async (node) => (await loginAt(node, role)).status === 400,
        'the list': isThere(`auth/cert/crls/${name}`),
      },
      at: `auth/cert/crls/${name}`,
    };
  },

  async 'delete auth/token/roles/:name'(things) {
    const name = fresh('role');
    await things.write(`auth/token/roles/${name}`, { orphan: true });
    const { client_token: token } = await things.create((await rootOf(things)).client_token, DEFAULT, `create/${name}`);
    return {
      lives: {
        'what it makes': async (node) =>
          (await node.root('POST', `/v1/auth/token/create/${name}`, DEFAULT)).status === 200,
        'the renewal of what it made': renews(token),
        'the role': isThere(`auth/token/roles/${name}`),
      },
      stays: { 'the token until it ends': lives(token) },
      at: `auth/token/roles/${name}`,
    };
  },

  async 'delete sys/auth/*path'(things) {
    const mount = fresh('mount');
    await things.write(`sys/auth/${mount}`, { type: 'cert' });
    const role = await things.role(mount);
    const { client_token: token } = await things.login(role, mount);
    const other = await things.login(await things.role());
    return {
      lives: {
        ...(await things.familyOf(token)),
        'its logins': async (node) => (await loginAt(node, role, mount)).status === 200,
        'its roles': isThere(`auth/${mount}/certs/${role}`),
        'the mount': isThere(`sys/auth/${mount}`),
      },
      stays: { 'a login at another mount': lives(other.client_token) },
      at: `sys/auth/${mount}`,
    };
  },

  'delete sys/policies/acl/*name': (things) => policy(things, (name) => `sys/policies/acl/${name}`),
  'delete sys/policy/*name': (things) => policy(things, (name) => `sys/policy/${name}`),
  'delete identity/entity/id/:id': (things) => entity(things, ({ id }) => `identity/entity/id/${id}`),
  'delete identity/entity/name/*name': (things) => entity(things, ({ name }) => `identity/entity/name/${name}`),

  async 'update identity/entity/batch-delete'(things) {
    let id = '';
    const ending = await entity(things, (named) => {
      id = named.id;
      return 'identity/entity/batch-delete';
    });
    return { ...ending, body: { entity_ids: [id] } };
  },

  'delete identity/group/id/:id': (things) => group(things, ({ id }) => `identity/group/id/${id}`),
  'delete identity/group/name/*name': (things) => group(things, ({ name }) => `identity/group/name/${name}`),

  async 'delete identity/group-alias/id/:id'(things) {
    const { id: group } = await things.made('identity/group', { name: fresh('group'), type: 'external' });
    const mounts = await things.read('sys/auth');
    const alias = { name: fresh('alias'), mount_accessor: mounts['cert/'].accessor, canonical_id: group };
    const { id } = await things.made('identity/group-alias', alias);
    return {
      lives: {
        'the alias': isThere(`identity/group-alias/id/${id}`),
        'the alias of the group': async (node) =>
          (await node.root('GET', `/v1/identity/group/id/${group}`)).body.data.alias?.id === id,
      },
      stays: { 'the group': isThere(`identity/group/id/${group}`) },
      at: `identity/group-alias/id/${id}`,
    };
  },

  async 'delete identity/entity-alias/id/:id'(things) {
    const role = await things.role();
    const { client_token: token, entity_id: entityId } = await things.login(role);
    const [{ id }] = (await things.read(`identity/entity/id/${entityId}`)).aliases;
    return {
      lives: {
        'who its logins are': async (node) => (await loginAt(node, role)).body.auth.entity_id === entityId,
        'the alias': isThere(`identity/entity-alias/id/${id}`),
      },
      stays: { 'the token of its entity': lives(token) },
      at: `identity/entity-alias/id/${id}`,
    };
  },

  'update auth/token/revoke': (things) => revocation(things, 'auth/token/revoke', ({ token }) => ({ token })),
  'update auth/token/revoke-accessor': (things) =>
    revocation(things, 'auth/token/revoke-accessor', ({ accessor }) => ({ accessor })),

  async 'update auth/token/revoke-self'(things) {
    const { token, below } = await things.family();
    return { lives: { 'the token': lives(token), ...below }, at: 'auth/token/revoke-self', token };
  },

  async 'update auth/token/revoke-orphan'(things) {
    const { token, below } = await things.family();
    const { 'a child': child, 'a grandchild': grandchild } = below;
    if (!child || !grandchild) throw new Error('a family without children');
    const stays = { 'a child': child, 'a grandchild': grandchild };
    return { lives: { 'the token': lives(token) }, stays, at: 'auth/token/revoke-orphan', body: { token } };
  },

  'update sys/leases/revoke': (things) => lease(things, (id) => ({ at: 'sys/leases/revoke', body: { lease_id: id } })),
  'update sys/leases/revoke/*lease_id': (things) => lease(things, (id) => ({ at: `sys/leases/revoke/${id}` })),
  'update sys/leases/revoke-prefix/*prefix': (things) => prefix(things, 'revoke-prefix'),
  'update sys/leases/revoke-force/*prefix': (things) => prefix(things, 'revoke-force'),
};

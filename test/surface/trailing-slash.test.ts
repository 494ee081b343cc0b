import { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRoot } from '../support/pki.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Declared, declaredOperations, METHODS, pathOf } from './support/operations.ts';

const WRITES = ['update', 'patch'];
const REFUSED = { errors: ["cannot write to a path ending in '/'"] };
/** Operations that accept any path below them, where a trailing slash has no meaning. */
/** Operations whose response changes with each request. */
const TELLS_OF_REQUESTS = new Set(['audit-record', 'figures']);
const endsOpen = ({ operation }: Declared) => /\*\w+$/.test(operation.path);
const isWrite = ({ operation }: Declared) => WRITES.includes(operation.verb);

describe('every operation of the access API, with a slash at the end of its path', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let server: TestServer;
  let declared: Declared[];

  beforeAll(async () => {
    server = await startTestServer('sqlite');
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    declared = declaredOperations(server);
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: createRoot().pem });
    await server.root('POST', '/v1/auth/token/roles/web', {});
  });
  afterAll(async () => {
    agent.destroy();
    await server.stop();
  });

  /** Removes the fields that differ in each response. */
  async function ask(one: Declared, end: string, exists: boolean, method: string = METHODS[one.operation.verb]) {
    const path = `/v1/${pathOf(one, exists)}${end}`;
    const { status, body, text } = await server.call(method, path, { agent, token: server.rootToken });
    if (body === undefined) return [one.name, status, text];
    const { request_id: _, ...rest } = body;
    return [one.name, status, rest];
  }

  it('reads and lists equally', async () => {
    const reads = declared.filter(
      ({ operation: { verb, path } }) => (verb === 'read' || verb === 'list') && !TELLS_OF_REQUESTS.has(path),
    );
    expect(reads.length).toBeGreaterThan(20);
    for (const one of reads) {
      for (const exists of [true, false]) expect(await ask(one, '/', exists)).toEqual(await ask(one, '', exists));
    }
  });

  it('lists equally, with each of the three forms of LIST', async () => {
    const lists = declared.filter((one) => one.operation.verb === 'list');
    expect(lists.length).toBeGreaterThan(5);
    for (const one of lists) {
      const wanted = await ask(one, '', true);
      for (const end of ['?list=true', '/?list=true']) expect(await ask(one, end, true, 'GET')).toEqual(wanted);
      expect(await ask(one, '/', true, 'LIST')).toEqual(wanted);
    }
  });

  it('deletes equally, and writes equally if the path ends in a name of the caller', async () => {
    const others = declared.filter((one) => one.operation.verb === 'delete' || (isWrite(one) && endsOpen(one)));
    expect(others.length).toBeGreaterThan(8);
    for (const one of others) {
      // The first write creates the object, so it exists at the second.
      await ask(one, '', false);
      expect(await ask(one, '/', false)).toEqual(await ask(one, '', false));
    }
  });

  it('writes at no other path, and reports this only to callers who may write', async () => {
    const writes = declared.filter((one) => isWrite(one) && !endsOpen(one));
    expect(writes.length).toBeGreaterThan(20);
    for (const one of writes) {
      for (const exists of [true, false]) expect(await ask(one, '/', exists)).toEqual([one.name, 400, REFUSED]);
      if (one.operation.access === 'anyone') continue;
      const stranger = await server.call(METHODS[one.operation.verb], `/v1/${pathOf(one, true)}/`, { agent });
      expect([one.name, stranger.status, stranger.body]).toEqual([one.name, 403, { errors: ['permission denied'] }]);
    }
  });

  it('is denied by a policy that denies the path without one', async () => {
    const path = 'auth/cert/certs/web';
    const policy = `path "auth/*" { capabilities = ["read", "delete", "list"] } path "${path}" { capabilities = ["deny"] }`;
    await server.root('PUT', '/v1/sys/policies/acl/denied', { policy });
    const created = await server.root('POST', '/v1/auth/token/create', { policies: ['denied'] });
    const { client_token: token } = created.body.auth;
    for (const method of ['GET', 'DELETE']) {
      for (const end of ['', '/']) expect((await server.call(method, `/v1/${path}${end}`, { token })).status).toBe(403);
    }
    expect((await server.root('GET', `/v1/${path}`)).status).toBe(200);
  });
});

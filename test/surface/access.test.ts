import { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentPath } from '../../src/access/openapi/openapi-document.ts';
import type { Operation } from '../../src/access/operation/operation.ts';
import { databaseKinds } from '../support/databases.ts';
import { signingKey } from '../support/jwt/issuer.ts';
import { faultsOf } from '../support/openapi.ts';
import { createRoot } from '../support/pki.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Declared, declaredOperations, METHODS, pathOf } from './support/operations.ts';

/** Operations without a token. The test fails for any other operation that is declared so. */
const OPEN = [
  'read openapi.json',
  'read sys/health',
  'read sys/init',
  'read sys/internal/specs/openapi',
  'read sys/internal/ui/mounts',
  'read sys/internal/ui/mounts/*path',
  'read sys/leader',
  'read sys/seal-status',
  'read sys/wrapping/lookup',
  'update auth/{cert_mount_path}/login',
  'update auth/{jwt_mount_path}/login',
  'update sys/init',
  'update sys/unseal',
  'update sys/wrapping/lookup',
  'update sys/wrapping/rewrap',
  'update sys/wrapping/unwrap',
];
/** Operations that require `sudo` in a policy. */
const SUDO = [
  'delete sys/auth/*path',
  'list auth/token/accessors',
  'list sys/config/ui/headers',
  'list sys/leases/lookup',
  'list sys/leases/lookup/*prefix',
  'list sys/plugins/catalog/:type',
  'read sys/audit',
  'read sys/audit-record',
  'read sys/auth/*path',
  'read sys/auth/*path/tune',
  'read sys/config/auditing/request-headers',
  'read sys/config/cors',
  'read sys/leases',
  'read sys/plugins/catalog/:type/:name',
  'update sys/audit-hash/:name',
  'update sys/auth/*path',
  'update sys/auth/*path/tune',
  'update sys/leases/revoke-force/*prefix',
  'update sys/leases/revoke-prefix/*prefix',
  'update sys/remount',
  'update sys/seal',
];

const CAPABILITIES = ['create', 'read', 'update', 'patch', 'delete', 'list'];
const NO_TOKEN = { errors: ['permission denied'] };
/** Answer to a token of the workspace API. */
const OTHER_API = { errors: [expect.stringMatching(/^permission denied: the token is one of the workspace API\./)] };
const DENIED = { errors: ['1 error occurred:\n\t* permission denied\n\n'] };
const FORGED = 'lks.1111111111111111.11111111111111111111111111111111';

describe.each(databaseKinds)('every operation of the access API, on %s', { timeout: 120_000 }, (kind) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let server: TestServer;
  let declared: Declared[];
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  let document: any;
  let policies = 0;

  beforeAll(async () => {
    server = await startTestServer(kind);
    declared = declaredOperations(server);
    document = (await server.call('GET', '/v1/openapi.json')).body;
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: createRoot().pem });
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    await server.root('POST', '/v1/auth/jwt/config', { jwt_validation_pubkeys: [signingKey('web').publicPem] });
    await server.root('POST', '/v1/auth/jwt/role/web', { user_claim: 'sub', bound_subject: 'web' });
  });
  afterAll(async () => {
    agent.destroy();
    await server.stop();
  });

  const named = (wanted: (operation: Operation) => boolean) =>
    declared.filter(({ operation }) => wanted(operation)).map(({ name }) => name);
  const guarded = () => declared.filter(({ operation }) => operation.access !== 'anyone');

  async function ask(one: Declared, token: string | undefined, exists = false) {
    const { verb } = one.operation;
    const answer = await server.call(METHODS[verb], `/v1/${pathOf(one, exists)}`, { agent, ...(token && { token }) });
    if (answer.status >= 400) expect([one.name, answer.body]).toEqual([one.name, { errors: expect.any(Array) }]);
    return answer;
  }

  /** Returns a token with one policy, for this path. */
  async function insider(one: Declared, capabilities: readonly string[]): Promise<string> {
    const policy = `insider-${++policies}`;
    const text = `path "${pathOf(one, false)}" { capabilities = ${JSON.stringify(capabilities)} }`;
    expect((await server.root('PUT', `/v1/sys/policies/acl/${policy}`, { policy: text })).status).toBeLessThan(300);
    return tokenWith([policy]);
  }

  async function tokenWith(names: readonly string[]): Promise<string> {
    const issued = await server.application.access.tokens.issue(
      {
        type: 'service',
        path: 'auth/token/create',
        displayName: 'token',
        policies: names,
        metadata: null,
        boundCidrs: [],
        mountId: null,
        certificate: null,
        numUses: 0,
        terms: { ttl: 3600, maxTtl: 0, period: 0, explicitMaxTtl: 0 },
      },
      { defaultTtl: 3600, maxTtl: 3600 },
    );
    return issued.text;
  }

  it('responds as the OpenAPI document requires', async () => {
    const reads = declared.filter(({ operation }) => operation.verb === 'read' || operation.verb === 'list');
    for (const one of declared) {
      const documented = documentPath(one.prefix, one.operation);
      const method = { ...METHODS, list: 'GET' }[one.operation.verb].toLowerCase();
      const answer = await ask(one, await tokenWith(['root']), reads.includes(one));
      expect([one.name, answer.text, faultsOf(document, documented, method, answer)]).toEqual([
        one.name,
        answer.text,
        [],
      ]);
    }
  });

  it('needs no authentication, or requires sudo, only if this file lists it', () => {
    expect(declared.length).toBeGreaterThan(30);
    expect(named(({ access }) => access === 'anyone').toSorted()).toEqual(OPEN.toSorted());
    expect(named(({ access }) => access === 'sudo').toSorted()).toEqual(SUDO.toSorted());
  });

  it('refuses requests without a token, and with an invalid one', async () => {
    for (const one of guarded()) {
      for (const token of [undefined, FORGED]) {
        const { status, body } = await ask(one, token);
        expect([one.name, status, body]).toEqual([one.name, 403, NO_TOKEN]);
      }
      const { status, body } = await ask(one, server.userToken);
      expect([one.name, status, body]).toEqual([one.name, 403, OTHER_API]);
    }
  });

  it('responds equally to a stranger, whether or not the object exists', async () => {
    const stranger = await tokenWith([]);
    for (const one of guarded()) {
      for (const exists of [true, false]) {
        const { status, body } = await ask(one, stranger, exists);
        expect([one.name, status, body]).toEqual([one.name, 403, DENIED]);
      }
    }
  });

  it('without authentication responds without a token', async () => {
    for (const one of declared.filter(({ operation }) => operation.access === 'anyone')) {
      const { status, body } = await ask(one, undefined);
      expect([one.name, status, body]).not.toEqual([one.name, 403, NO_TOKEN]);
      expect([one.name, status < 500]).toEqual([one.name, true]);
    }
  });

  it('requires its own capability, and no other is enough', async () => {
    for (const one of guarded()) {
      const { verb, access } = one.operation;
      const own = 'exists' in one.operation ? [verb, 'create'] : [verb];
      const others = CAPABILITIES.filter((capability) => !own.includes(capability));
      const tooLittle = [[...others, 'sudo'], ...(access === 'sudo' ? [own] : [])];
      for (const capabilities of tooLittle) {
        const { status, body } = await ask(one, await insider(one, capabilities));
        expect([one.name, capabilities, status, body]).toEqual([one.name, capabilities, 403, DENIED]);
      }
      const answer = await ask(one, await insider(one, access === 'sudo' ? [...own, 'sudo'] : own));
      expect([one.name, answer.status, answer.body]).not.toEqual([one.name, 403, DENIED]);
      expect([one.name, answer.status < 500 && answer.status !== 405]).toEqual([one.name, true]);
    }
  });
});

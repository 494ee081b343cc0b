import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { Answer } from '../../../support/http.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const TEXT = 'path "auth/cert/certs/*" { capabilities = ["read"] }';
const DENIED = '1 error occurred:\n\t* permission denied\n\n';
const outcome = ({ status, body }: Answer) => [status, body?.errors?.[0]];

describe.each(databaseKinds)('policies, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'web' });

  const write = (name: string, policy: unknown) => server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
  const read = async (name: string) => (await server.root('GET', `/v1/sys/policies/acl/${name}`)).body;
  /** Creates a token with `default` and these policies. */
  const tokenWith = async (...policies: string[]): Promise<string> => {
    await server.root('POST', '/v1/auth/cert/certs/login', { certificate: ca.pem, token_policies: policies });
    const login = await server.call('POST', '/v1/auth/cert/login', { certificate: client, body: { name: 'login' } });
    return login.body.auth.client_token;
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  it('are written, read, listed and deleted', async () => {
    expect((await write('web', TEXT)).status).toBe(204);
    expect((await server.root('POST', '/v1/sys/policies/acl/api', { policy: TEXT })).status).toBe(204);
    expect((await read('web')).data).toMatchObject({ name: 'web', policy: TEXT });
    for (const [method, path] of [
      ['LIST', '/v1/sys/policies/acl'],
      ['GET', '/v1/sys/policies/acl?list=true'],
      ['GET', '/v1/sys/policies/acl/?list=true'],
    ] as const) {
      expect((await server.root(method, path)).body.data).toEqual({ keys: ['api', 'default', 'root', 'web'] });
    }
    expect((await server.root('LIST', '/v1/sys/policies/acl?after=api&limit=2')).body.data.keys).toEqual([
      'default',
      'root',
    ]);
    for (let i = 0; i < 2; i++) {
      expect((await server.root('DELETE', '/v1/sys/policies/acl/api')).status).toBe(204);
      const missing = await server.root('GET', '/v1/sys/policies/acl/api');
      expect([missing.status, missing.body]).toEqual([404, { errors: [] }]);
    }
  });

  it('that exceed the number for one token allow nothing, and the response and the log name the reason', async () => {
    const text = (name: string) => `path "${name}" { capabilities = ["read"] }\n#${' '.repeat(500_000)}`;
    const names = ['large-0', 'large-1', 'large-2', 'large-3', 'large-4'];
    for (const name of names) expect((await write(name, text(name))).status).toBe(204);
    const lookup = (token: string) => server.call('GET', '/v1/auth/token/lookup-self', { token });
    expect((await lookup(await tokenWith(...names.slice(1)))).status).toBe(200);
    const token = await tokenWith(...names);
    const why =
      'the policies of a token may have at most 2097152 characters together; these have more, so nothing is allowed';
    expect(outcome(await lookup(token))).toEqual([403, why]);
    expect(server.logLines().filter(({ error }) => error === why)).toMatchObject([{ error_kind: 'forbidden' }]);
    const question = { policies: names, path: 'large-1', capability: 'read' };
    const explained = await server.root('POST', '/v1/sys/policies/explain', question);
    expect(explained.body.data).toMatchObject({ allowed: false, reason: 'too-much-policy', detail: why });
    const capabilities = await server.root('POST', '/v1/sys/capabilities', { token, path: 'large-1' });
    expect(capabilities.body.data.capabilities).toEqual(['deny']);
    expect(outcome(await write('larger', text('a'.repeat(30_000))))).toEqual([
      400,
      expect.stringContaining('at most 524288 characters'),
    ]);
  });

  it('are at most a thousand for one role, and for one request', async () => {
    const many = Array.from({ length: 1001 }, (_, i) => `p${i}`);
    const refused = [400, 'a token can have at most 1000 policies'];
    const role = { certificate: ca.pem, token_policies: many };
    expect(outcome(await server.root('POST', '/v1/auth/cert/certs/many', role))).toEqual(refused);
    const explain = { policies: many, path: 'a', capability: 'read' };
    expect(outcome(await server.root('POST', '/v1/sys/policies/explain', explain))).toEqual(refused);
    const tokenRole = { allowed_policies_glob: many };
    expect(outcome(await server.root('POST', '/v1/auth/token/roles/many', tokenRole))).toEqual(refused);
  });

  it('are available under their old names, whose responses also contain the fields beside the envelope', async () => {
    expect((await server.root('PUT', '/v1/sys/policy/old', { policy: TEXT })).status).toBe(204);
    const legacy = await server.root('PUT', '/v1/sys/policy/old', { rules: TEXT });
    expect([legacy.status, legacy.body.warnings]).toEqual([200, [expect.stringContaining("'rules' is deprecated")]]);
    const one = (await server.root('GET', '/v1/sys/policy/old')).body;
    expect(one).toMatchObject({ name: 'old', rules: TEXT, data: { name: 'old', rules: TEXT }, lease_id: '' });
    for (const method of ['GET', 'LIST']) {
      const { body } = await server.root(method, '/v1/sys/policy');
      expect(body).toMatchObject({
        policies: body.data.keys,
        keys: body.data.keys,
        data: { policies: body.data.keys },
      });
      expect(body.data.keys).toEqual(expect.arrayContaining(['default', 'old', 'root']));
    }
    expect((await server.root('DELETE', '/v1/sys/policy/old')).status).toBe(204);
    expect((await server.root('GET', '/v1/sys/policy/old')).status).toBe(404);
  });

  it('have names in lower case', async () => {
    const written = await write('Mixed', TEXT);
    expect([written.status, written.body.warnings]).toEqual([200, ['policy name was converted to mixed']]);
    expect((await read('MIXED')).data.name).toBe('mixed');
  });

  it('may have slashes in their names', async () => {
    expect((await write('team/a', TEXT)).status).toBe(204);
    expect((await read('Team/A')).data).toMatchObject({ name: 'team/a', policy: TEXT });
    expect((await server.root('DELETE', '/v1/sys/policies/acl/team/a')).status).toBe(204);
  });

  it('are accepted in base64 too, with warnings for rules without effect', async () => {
    expect((await write('coded', Buffer.from(TEXT).toString('base64'))).status).toBe(204);
    expect((await read('coded')).data.policy).toBe(TEXT);
    const written = await write('star', 'path "a/*/b" { capabilities = ["read"] }');
    expect([written.status, written.body.warnings]).toEqual([
      200,
      [expect.stringContaining('* is a wildcard only at the end')],
    ]);
  });

  it.each([
    ['x', undefined, "'policy' parameter not supplied or empty"],
    ['x', '', "'policy' parameter not supplied or empty"],
    [
      'x',
      'path "a" {\n  capabilities = ["fly"]\n}',
      'failed to parse policy: line 2, column 18: path "a": invalid capability',
    ],
    ['x', 'path "a" { control_group = {} }', 'is not supported'],
    ['x', { path: {} }, 'Field validation failed'],
    ['root', TEXT, 'cannot update "root" policy'],
    ['Root', TEXT, 'cannot update "root" policy'],
    ['%20rOOt', TEXT, 'cannot update "root" policy'],
    ['response-wrapping', TEXT, 'cannot update "response-wrapping" policy'],
    ['a%2Cb', TEXT, 'invalid policy name'],
  ])('refuse %s = %j', async (name, policy, message) => {
    const answer = await write(name, policy);
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.stringContaining(message)]]);
    expect((await server.root('GET', '/v1/sys/policies/acl/x')).status).toBe(404);
  });

  it('built in stay', async () => {
    expect(outcome(await server.root('DELETE', '/v1/sys/policies/acl/default'))).toEqual([
      400,
      'cannot delete default policy',
    ]);
    expect(outcome(await server.root('DELETE', '/v1/sys/policies/acl/Root'))).toEqual([
      400,
      'cannot delete "root" policy',
    ]);
    expect((await read('root')).data).toMatchObject({ name: 'root', policy: '', version: 0 });
    expect((await read('default')).data.policy).toContain('path "auth/token/lookup-self"');
  });

  it('apply to a token from its next request on', async () => {
    await server.root('DELETE', '/v1/sys/policies/acl/p');
    const token = await tokenWith('p');
    const roleStatus = async () => (await server.call('GET', '/v1/auth/cert/certs/login', { token })).status;
    expect(await roleStatus()).toBe(403);
    await write('p', TEXT);
    expect(await roleStatus()).toBe(200);
    expect(outcome(await server.call('DELETE', '/v1/auth/cert/certs/login', { token }))).toEqual([403, DENIED]);
    expect((await server.call('LIST', '/v1/auth/cert/certs', { token })).status).toBe(403);
    await write('p', `${TEXT} path "auth/cert/certs/login" { capabilities = ["deny"] }`);
    expect(await roleStatus()).toBe(403);
    await server.root('DELETE', '/v1/sys/policies/acl/p');
    expect(await roleStatus()).toBe(403);
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token })).status).toBe(200);
  });

  it('allow every token by default the operations on itself', async () => {
    const token = await tokenWith();
    const ask = (method: string, path: string, body?: unknown) =>
      server.call(method, `/v1/${path}`, { token, ...(body !== undefined && { body }) });
    const entityId = (await ask('GET', 'auth/token/lookup-self')).body.data.entity_id;
    const own = await ask('GET', `identity/entity/id/${entityId}`);
    expect([own.status, own.body.data.id]).toEqual([200, entityId]);
    expect((await ask('GET', `identity/entity/name/${own.body.data.name}`)).status).toBe(200);
    expect((await ask('GET', 'identity/entity/id/another')).status).toBe(403);
    expect((await ask('POST', 'sys/capabilities-self', { path: 'a' })).status).toBe(200);
    const text = (await read('default')).data.policy;
    for (const [, path = ''] of text.matchAll(/^path "([^"{]+)"/gm)) {
      if (path.endsWith('revoke-self')) continue;
      const { status, body } = await ask(/(lookup-self|resultant-acl)$/.test(path) ? 'GET' : 'POST', path, {});
      expect([path, status, body?.errors?.[0]]).not.toEqual([path, 403, DENIED]);
      expect([path, body?.errors?.[0]]).not.toEqual([path, expect.stringMatching(/unsupported (path|operation)/)]);
    }
    expect((await ask('POST', 'auth/token/revoke-self')).status).toBe(204);
  });

  it('look at the parameters of a request', async () => {
    await write(
      'p',
      `path "sys/policies/acl/*" {
      capabilities = ["update"]
      denied_parameters = { policy = ["*root*"] }
      required_parameters = ["policy"]
    }`,
    );
    const token = await tokenWith('p');
    const put = (body: unknown) => server.call('PUT', '/v1/sys/policies/acl/mine', { token, body });
    expect((await put({ policy: TEXT })).status).toBe(204);
    expect(outcome(await put({ policy: `# root\n${TEXT}` }))).toEqual([403, DENIED]);
    expect(outcome(await put({}))).toEqual([403, DENIED]);
  });

  it('that deny one name deny every spelling of it', async () => {
    await write(
      'p',
      `path "sys/policies/acl/*" { capabilities = ["read", "update", "delete"] }
      path "sys/policies/acl/secret" { capabilities = ["deny"] }`,
    );
    await write('secret', TEXT);
    const token = await tokenWith('p');
    for (const name of ['secret', 'Secret', 'SECRET%20', '%20secret']) {
      for (const [method, body] of [
        ['GET'],
        ['DELETE'],
        ['PUT', { policy: 'path "*" { policy = "sudo" }' }],
      ] as const) {
        const answer = await server.call(method, `/v1/sys/policies/acl/${name}`, { token, ...(body && { body }) });
        expect(outcome(answer)).toEqual([403, DENIED]);
      }
    }
    expect((await read('secret')).data.policy).toBe(TEXT);
    expect((await server.call('GET', '/v1/sys/policies/acl/DEFAULT', { token })).status).toBe(200);
  });

  it('that deny one role or list deny every spelling of it', async () => {
    await write(
      'p',
      `path "auth/cert/+/*" { capabilities = ["read", "update", "delete"] }
      path "auth/cert/certs/web" { capabilities = ["deny"] }
      path "auth/cert/crls/web" { capabilities = ["deny"] }`,
    );
    const token = await tokenWith('p');
    for (const path of ['certs/web', 'certs/WEB', 'crls/web', 'crls/Web']) {
      for (const method of ['GET', 'DELETE', 'POST']) {
        const answer = await server.call(method, `/v1/auth/cert/${path}`, {
          token,
          ...(method === 'POST' && { body: {} }),
        });
        expect(outcome(answer)).toEqual([403, DENIED]);
      }
    }
    expect((await server.call('GET', '/v1/auth/cert/certs/OTHER', { token })).status).toBe(404);
  });

  it('cannot be seen or changed without being allowed to', async () => {
    const token = await tokenWith();
    for (const [method, path] of [
      ['LIST', 'policies/acl'],
      ['GET', 'policy'],
      ['GET', 'policies/acl/default'],
      ['PUT', 'policies/acl/default'],
      ['DELETE', 'policy/web'],
      ['POST', 'policies/explain'],
      ['POST', 'capabilities'],
      ['POST', 'capabilities-accessor'],
    ] as const) {
      expect((await server.call(method, `/v1/sys/${path}`, { token })).status).toBe(403);
      expect((await server.call(method, `/v1/sys/${path}`)).status).toBe(403);
    }
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  MAX_PATH_LENGTH,
  MAX_PATHS,
  MAX_PATHS_LENGTH,
} from '../../../../src/access/authorization/capability-operations.ts';
import { MAX_WARNINGS } from '../../../../src/access/authorization/explain-operation.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const GUIDE = readFileSync(new URL('../../../../docs/guides/policies.md', import.meta.url), 'utf8');
const guideBlocks = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

describe.each(databaseKinds)('effective permissions of policies, on %s', (kind) => {
  let server: TestServer;
  let token: string;
  let accessor: string;
  const ca = createRoot({ subject: 'Client CA' });

  const ask = (path: string, body: unknown, as = server.rootToken) =>
    server.call('POST', `/v1/sys/${path}`, { token: as, body });
  const explain = async (body: Record<string, unknown>) => {
    const answer = await ask('policies/explain', body);
    expect(answer.status).toBe(200);
    return answer.body.data;
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
    const write = (name: string, policy: string) => server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
    await write('reader', 'path "auth/cert/certs/*" { capabilities = ["read", "list"] }');
    await write(
      'web',
      `path "auth/cert/certs/web" {
         capabilities = ["update"]
         denied_parameters = { token_policies = ["root"] }
       }
       path "auth/cert/certs/*" { capabilities = ["delete"] }
       path "sys/auth/*" { capabilities = ["update"] }
       path "a/*/b" { capabilities = ["read"] }`,
    );
    await write('own', 'path "auth/{{identity.entity.metadata.team}}" { capabilities = ["read"] }');
    await server.root('POST', '/v1/auth/cert/certs/web', {
      certificate: ca.pem,
      token_policies: ['reader', 'web', 'gone'],
    });
    const login = await server.call('POST', '/v1/auth/cert/login', { certificate: ca.issue(), body: {} });
    ({ client_token: token, accessor } = login.body.auth);
  });
  afterAll(() => server.stop());

  describe('predicts the result of a request, not only of its path:', () => {
    const POLICY = `path "auth/token/roles/*" { capabilities = ["update"] }
                    path "sys/policies/acl/*" { capabilities = ["read"] }
                    path "sys/policies/acl/reader" { capabilities = ["deny"] }`;
    const asked = async (method: string, path: string, body?: object) => {
      await server.root('PUT', '/v1/sys/policies/acl/literal', { policy: POLICY });
      const made = await server.root('POST', '/v1/auth/token/create', { policies: ['literal'] });
      const own: string = made.body.auth.client_token;
      const explained = await explain({ token: own, method, path });
      const answer = await server.call(method, `/v1/${path}`, { token: own, ...(body && { body }) });
      expect(explained.allowed).toBe(answer.status !== 403);
      return [explained.allowed, explained.reason, explained.capability];
    };

    it('a write to a missing object counts as its creation', async () => {
      await server.root('POST', '/v1/auth/token/roles/there', {});
      expect(await asked('POST', 'auth/token/roles/there', {})).toEqual([true, 'granted', 'update']);
      expect(await asked('POST', 'auth/token/roles/new', {})).toEqual([false, 'capability', 'create']);
    });

    it('another spelling of a name is that name', async () => {
      expect(await asked('GET', 'sys/policies/acl/own')).toEqual([true, 'granted', 'read']);
      expect(await asked('GET', 'sys/policies/acl/Reader')).toEqual([false, 'denied', 'read']);
      const made = await server.root('POST', '/v1/auth/token/create', { policies: ['literal'] });
      const paths = ['sys/policies/acl/Own', 'sys/policies/acl/Reader', '/sys/policies/acl/%20reader', 'sys/none'];
      const answer = await ask('capabilities', { token: made.body.auth.client_token, paths });
      expect(answer.body.data).toEqual({
        'sys/policies/acl/Own': ['read'],
        'sys/policies/acl/Reader': ['deny'],
        '/sys/policies/acl/%20reader': ['read'],
        'sys/none': ['deny'],
      });
      const many = Array.from({ length: MAX_PATHS + 1 }, (_, i) => `sys/${i}`);
      expect(await ask('capabilities-self', { paths: many })).toMatchObject({
        status: 400,
        body: { errors: [`at most ${MAX_PATHS} paths are allowed`] },
      });
    });

    it('an operation without authentication needs no policy', async () => {
      expect(await asked('POST', 'auth/cert/login', {})).toEqual([true, 'open', 'update']);
      expect(await asked('GET', 'sys/health')).toEqual([true, 'open', 'read']);
    });
  });

  it('returns the capabilities of the calling token, by path and beside the envelope', async () => {
    const one = await ask('capabilities-self', { path: 'auth/cert/certs/web' }, token);
    expect(one.body).toMatchObject({
      'auth/cert/certs/web': ['update'],
      capabilities: ['update'],
      data: { 'auth/cert/certs/web': ['update'], capabilities: ['update'] },
    });
    const paths = ['auth/cert/certs/x', 'sys/seal', 'auth/token/lookup-self'];
    expect((await ask('capabilities-self', { paths }, token)).body.data).toEqual({
      'auth/cert/certs/x': ['read', 'list', 'delete'],
      'sys/seal': ['deny'],
      'auth/token/lookup-self': ['read'],
    });
  });

  it('returns those of another token, and of root', async () => {
    const expected = { 'auth/cert/certs/x': ['read', 'list', 'delete'], capabilities: ['read', 'list', 'delete'] };
    const path = 'auth/cert/certs/x';
    expect((await ask('capabilities', { token, path })).body.data).toEqual(expected);
    expect((await ask('capabilities-accessor', { accessor, paths: path })).body.data).toEqual(expected);
    expect((await ask('capabilities-self', { path })).body.capabilities).toEqual(['root']);
  });

  it.each([
    ['capabilities-self', {}, 'paths must be supplied'],
    ['capabilities', { path: 'a' }, 'missing token'],
    ['capabilities', { path: 'a', token: 'no such' }, 'invalid token'],
    ['capabilities', { token: 'no such' }, 'paths must be supplied'],
    ['capabilities-accessor', { path: 'a', accessor: 'no such' }, 'invalid accessor'],
    ['policies/explain', { path: 'a' }, "set 'capability'"],
    ['policies/explain', { path: 'a', method: 'BREW' }, "set 'capability'"],
    ['policies/explain', { method: 'GET' }, "'path' is required"],
    ['policies/explain', { path: 'a', method: 'GET', token: 'no such' }, 'invalid token'],
    ['policies/explain', { path: 'a', method: 'GET', token: 'x', policies: [] }, 'set only one of'],
    ['policies/explain', { path: 'a', method: 'GET', parameters: [] }, "'parameters' must be an object"],
  ])('%s refuses %j', async (path, body, message) => {
    const answer = await ask(path, body);
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.stringContaining(message)]]);
  });

  it('explains which rule decided and which rules it overrode', async () => {
    const about = { path: '/v1/auth/cert/certs/web', method: 'POST', parameters: { token_policies: 'other' } };
    const expected = {
      allowed: true,
      reason: 'granted',
      path: 'auth/cert/certs/web',
      capability: 'update',
      needs_sudo: false,
      rule: {
        path: 'auth/cert/certs/web',
        policies: ['web'],
        capabilities: ['update'],
        blocks: [{ policy: 'web', line: 1 }],
      },
      overridden: [
        {
          path: 'auth/cert/certs/*',
          policies: ['reader', 'web'],
          because: 'the other is exact',
          blocks: [{ line: 1 }, { line: 5 }],
        },
      ],
      missing_policies: ['gone'],
      unreadable_policies: [],
    };
    expect(await explain({ ...about, accessor })).toMatchObject(expected);
    expect(await explain({ ...about, token })).toMatchObject(expected);
    expect(await explain({ ...about, policies: 'Web,reader,gone' })).toMatchObject({ ...expected, dropped: [] });
  });

  it('explains which rule was missing', async () => {
    const policies = ['web'];
    const path = 'auth/cert/certs/web';
    const reasonOf = async (body: Record<string, unknown>) =>
      (await explain({ policies, path, method: 'PUT', ...body })).reason;
    expect(await reasonOf({ parameters: { token_policies: ['a', 'root'] } })).toBe('parameters');
    expect(await reasonOf({ method: 'DELETE' })).toBe('capability');
    expect(await reasonOf({ path: 'nowhere' })).toBe('no-rule');
    expect(await explain({ policies, path: 'sys/auth/new', method: 'POST' })).toMatchObject({
      reason: 'sudo',
      needs_sudo: true,
    });
    expect(await explain({ policies: ['own'], path: 'auth/x', method: 'GET' })).toMatchObject({
      reason: 'no-rule',
      dropped: [{ policy: 'own', path: 'auth/{{identity.entity.metadata.team}}', line: 1 }],
    });
  });

  it('covers existing operations, with a limited number of warnings', async () => {
    const longest = 'a'.repeat(MAX_PATH_LENGTH);
    for (const [question, body] of [
      ['policies/explain', { method: 'GET', path: `${longest}a` }],
      ['capabilities-self', { paths: ['b', `${longest}a`] }],
    ] as const) {
      const refused = await ask(question, body);
      expect(refused.status).toBe(400);
      expect(refused.body.errors).toEqual([`a path may have at most ${MAX_PATH_LENGTH} characters`]);
    }
    const many = Array.from({ length: 129 }, (_, i) => `${i}`.padEnd(MAX_PATH_LENGTH, 'a'));
    expect((await ask('capabilities-self', { paths: many })).body.errors).toEqual([
      `the paths may have at most ${MAX_PATHS_LENGTH} characters together`,
    ]);
    expect((await ask('capabilities-self', { paths: [longest] })).body.data).toMatchObject({ [longest]: ['root'] });

    const names = Array.from({ length: 11 }, (_, i) => `warned-${i}`);
    const policy = Array.from({ length: 100 }, (_, i) => `path "a*${i}*" {}\n`).join('');
    for (const name of names) await server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
    const { body } = await ask('policies/explain', { policies: names, method: 'GET', path: 'a' });
    expect(body.warnings).toHaveLength(MAX_WARNINGS + 1);
    expect(body.warnings.at(-1)).toBe('and 100 more');
  });

  it('has the form of the guide', async () => {
    const policies = guideBlocks('hcl');
    for (const policy of policies) {
      expect((await server.root('PUT', '/v1/sys/policies/acl/guide', { policy })).status).toBe(204);
    }
    await server.root('PUT', '/v1/sys/policies/acl/role-admin', { policy: policies[0] });
    const [question = ''] = /(?<=explain - <<'JSON'\n)\{[\s\S]*?\n\}/.exec(GUIDE) ?? [];
    const [answer = ''] = guideBlocks('json');
    expect(await explain(JSON.parse(question))).toMatchObject(JSON.parse(answer));
  });

  it('is about the calling token by default, and warns of parameters without effect', async () => {
    expect(await explain({ path: 'x', capability: 'delete' })).toMatchObject({
      allowed: true,
      reason: 'root',
      rule: null,
    });
    const { body } = await ask('policies/explain', { policies: ['web'], path: 'a/x/b', capability: 'read' });
    expect(body.warnings).toEqual([
      expect.stringContaining('policy "web": line 7, path "a/*/b": * is a wildcard only at the end'),
    ]);
  });
});

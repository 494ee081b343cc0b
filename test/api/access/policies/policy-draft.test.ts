import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const STORED = 'path "auth/cert/certs/*" { capabilities = ["read"] }';
const DRAFT = `path "auth/cert/certs/*" { capabilities = ["read", "update"] }
path "auth/cert/certs/prod*" { capabilities = ["deny"] }`;

describe.each(databaseKinds)('drafts of policies, on %s', (kind) => {
  let server: TestServer;

  const write = (name: string, policy: string) => server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
  const ask = (body: Record<string, unknown>, token = server.rootToken) =>
    server.call('POST', '/v1/sys/policies/explain', { token, body: { capability: 'update', ...body } });
  const explain = async (body: Record<string, unknown>) => (await ask(body)).body.data;
  const tokenWith = async (...policies: string[]): Promise<string> =>
    (await server.root('POST', '/v1/auth/token/create', { policies })).body.auth.client_token;

  beforeAll(async () => {
    server = await startTestServer(kind);
    await write('roles', STORED);
  });
  afterAll(() => server.stop());

  it('replace the stored policies of a query, and change none of them', async () => {
    const question = { policies: ['roles', 'default'], path: 'auth/cert/certs/web' };
    const drafted = { ...question, draft: DRAFT, draft_name: 'Roles' };
    expect(await explain(question)).toMatchObject({ allowed: false, reason: 'capability' });
    expect(await explain(drafted)).toMatchObject({
      allowed: true,
      rule: { blocks: [{ policy: 'roles', line: 1, capabilities: ['read', 'update'] }] },
    });
    expect(await explain({ ...drafted, path: 'auth/cert/certs/prod-1' })).toMatchObject({
      allowed: false,
      reason: 'denied',
      rule: { path: 'auth/cert/certs/prod*', blocks: [{ policy: 'roles', line: 2 }] },
      overridden: [{ path: 'auth/cert/certs/*', because: 'its first wildcard comes earlier' }],
    });
    expect(await explain(question)).toMatchObject({ allowed: false, reason: 'capability' });
    expect((await server.root('GET', '/v1/sys/policies/acl/roles')).body.data).toMatchObject({
      policy: STORED,
      version: 1,
    });
  });

  it('are of policies that need not be there, of tokens too, in base64 too', async () => {
    const draft = Buffer.from('path "sys/mounts" { capabilities = ["update"] }').toString('base64');
    const drafted = { path: 'sys/mounts', draft, draft_name: 'new' };
    expect(await explain({ ...drafted, policies: ['new'] })).toMatchObject({ allowed: true, missing_policies: [] });
    const token = await tokenWith('new');
    expect(await explain({ ...drafted, token })).toMatchObject({ allowed: true, missing_policies: [] });
    expect(await explain({ path: 'sys/mounts', token })).toMatchObject({ allowed: false, missing_policies: ['new'] });
  });

  it('without an effect on the token are reported to be ignored', async () => {
    const { status, body } = await ask({ policies: ['default'], path: 'a', draft: DRAFT, draft_name: 'roles' });
    expect([status, body.data.allowed, body.warnings]).toEqual([
      200,
      false,
      ['the draft has no effect: roles is not one of these policies'],
    ]);
  });

  it('are refused with the line of the error, and without their name', async () => {
    const messageOf = async (body: Record<string, unknown>) => {
      const answer = await ask({ path: 'a', policies: ['roles'], ...body });
      return [answer.status, answer.body.errors[0]];
    };
    expect(await messageOf({ draft: `${STORED}\npath "a" { capabilities = ["fly"] }`, draft_name: 'roles' })).toEqual([
      400,
      expect.stringMatching(/^failed to parse policy: line 2, column \d+: /),
    ]);
    expect(await messageOf({ draft: 'a'.repeat(512 * 1024 + 1), draft_name: 'roles' })).toEqual([
      400,
      expect.stringContaining('at most 524288 characters'),
    ]);
    for (const half of [{ draft: DRAFT }, { draft_name: 'roles' }, { draft: '', draft_name: 'roles' }])
      expect(await messageOf(half)).toEqual([400, "give 'draft' and 'draft_name' together"]);
    expect(await messageOf({ draft: DRAFT, draft_name: 'root' })).toEqual([400, 'cannot update "root" policy']);
  });

  it('need permission to read or write the policy itself', async () => {
    const asked = async (rule: string, name = 'roles') => {
      await write('asker', `path "sys/policies/explain" { capabilities = ["update"] }\n${rule}`);
      const token = await tokenWith('asker');
      const body = { policies: [name], path: 'auth/cert/certs/web', draft: DRAFT, draft_name: name };
      return ask(body, token);
    };
    const rule = (path: string, capability: string) =>
      `path "sys/policies/acl/${path}" { capabilities = ["${capability}"] }`;
    for (const capability of ['read', 'update']) expect((await asked(rule('roles', capability))).status).toBe(200);
    for (const refused of ['', rule('roles', 'list'), rule('other', 'update')]) {
      const { status, body } = await asked(refused);
      expect([status, body.errors]).toEqual([
        403,
        ['a draft needs the capability read or update on sys/policies/acl/roles'],
      ]);
    }
    // Another spelling is the same policy.
    expect((await asked(`${rule('*', 'read')}\n${rule('roles', 'deny')}`, 'ROLES')).status).toBe(403);
    expect((await asked(`${rule('*', 'read')}\n${rule('roles', 'deny')}`, 'other')).status).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as der from '../../../../src/pki/der.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const TEAM = '1.3.6.1.4.1.99999.1';
const POLICY = `
path "auth/cert/certs/{{token.metadata.${TEAM.replaceAll('.', '-')}}}" { capabilities = ["read"] }
path "auth/token/create" { capabilities = ["update", "sudo"] }
path "sys/policies/explain" { capabilities = ["update"] }`;

describe.each(databaseKinds)('templates with the metadata of a token, on %s', (kind) => {
  let server: TestServer;
  const root = createRoot({ subject: 'Teams' });

  const of = (team?: string) =>
    root.issue({
      subject: 'shared',
      extensions: team === undefined ? [] : [{ oid: TEAM, value: der.utf8String(team) }],
    });
  const login = async (team?: string, role = 'blue') => {
    const { body } = await server.call('POST', '/v1/auth/cert/login', { certificate: of(team), body: { name: role } });
    return body.auth.client_token as string;
  };
  const reads = async (token: string, role: string) =>
    (await server.call('GET', `/v1/auth/cert/certs/${role}`, { token })).status;
  const create = async (token: string, body: Record<string, unknown>) =>
    (await server.call('POST', '/v1/auth/token/create', { token, body })).body.auth.client_token as string;

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('PUT', '/v1/sys/policies/acl/own', { policy: POLICY });
    const settings = { certificate: root.pem, token_policies: 'own', allowed_metadata_extensions: TEAM };
    for (const name of ['blue', 'red']) await server.root('POST', `/v1/auth/cert/certs/${name}`, settings);
    await server.root('POST', '/v1/auth/cert/certs/batch', { ...settings, token_type: 'batch' });
  });
  afterAll(() => server.stop());

  it('follow each token, also after later logins of the same entity', async () => {
    const blue = await login('blue');
    const red = await login('red');
    for (const [token, own, other] of [
      [blue, 'blue', 'red'],
      [red, 'red', 'blue'],
    ] as const) {
      expect(await reads(token, own)).toBe(200);
      expect(await reads(token, other)).toBe(403);
    }
    const batch = await login('red', 'batch');
    expect([await reads(batch, 'red'), await reads(batch, 'blue')]).toEqual([200, 403]);
    await server.call('POST', '/v1/auth/token/renew-self', { token: blue, certificate: of('blue') });
    expect(await reads(blue, 'blue')).toBe(200);
  });

  it('have no value without metadata, or if the value could mean several paths', async () => {
    for (const team of [undefined, '', '*', 'blue/x', '+', 'bl\u0000ue', 'b'.repeat(2000)]) {
      const token = await login(team);
      expect([team, await reads(token, 'blue'), await reads(token, 'red')]).toEqual([team, 403, 403]);
    }
  });

  it('have no value for child tokens, whose creator chooses the metadata', async () => {
    const blue = await login('blue');
    const meta = { [TEAM.replaceAll('.', '-')]: 'red' };
    for (const body of [{ meta }, { meta, no_parent: true }, { meta, type: 'batch' }, {}]) {
      const child = await create(blue, { ...body, policies: ['own'] });
      expect([body, await reads(child, 'red'), await reads(child, 'blue')]).toEqual([body, 403, 403]);
    }
  });

  it('are explained', async () => {
    const blue = await login('blue');
    const explain = async (token: string) => {
      const body = { path: 'auth/cert/certs/blue', capability: 'read' };
      return (await server.call('POST', '/v1/sys/policies/explain', { token, body })).body.data;
    };
    expect(await explain(blue)).toMatchObject({ allowed: true, dropped: [] });
    expect(await explain(await create(blue, { policies: ['own'] }))).toMatchObject({
      allowed: false,
      dropped: [{ because: expect.stringContaining('not from a login') }],
    });
    const refused = await server.root('PUT', '/v1/sys/policies/acl/wrong', {
      policy: 'path "a/{{token.name}}" { capabilities = ["read"] }',
    });
    expect([refused.status, refused.body.errors[0]]).toEqual([400, expect.stringContaining('token.metadata.KEY')]);
  });
});

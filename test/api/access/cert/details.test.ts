import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const AUDITOR = `
path "auth/cert/certs" { capabilities = ["list"] }
path "auth/cert/crls" { capabilities = ["list"] }
path "auth/cert/certs/seen" { capabilities = ["read"] }
`;

describe.each(databaseKinds)('lists with details, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA', notAfter: new Date('2031-01-01T00:00:00Z') });
  const list = (path: string, token = server.rootToken) => server.call('LIST', `/v1/auth/cert/${path}`, { token });

  beforeAll(async () => {
    server = await startTestServer(kind);
    for (const name of ['hidden', 'seen']) {
      await server.root('POST', `/v1/auth/cert/certs/${name}`, { certificate: ca.pem, token_ttl: '90s' });
      await server.root('POST', `/v1/auth/cert/crls/${name}`, { crl: ca.crl({ revoked: [1n, 2n] }).pem });
    }
  });
  afterAll(() => server.stop());

  it('show the fields of each role, and the expiry of its CAs', async () => {
    const { status, body } = await list('certs?detail=true');
    expect([status, body.data.keys]).toEqual([200, ['hidden', 'seen']]);
    const { authorities, ...shown } = body.data.key_info.seen;
    expect(shown).toEqual((await server.root('GET', '/v1/auth/cert/certs/seen')).body.data);
    expect(authorities).toEqual([{ subject: 'CN=Client CA', not_after: '2031-01-01T00:00:00.000Z' }]);
    const page = await list('certs?detail=true&limit=1&after=hidden');
    expect(Object.keys(page.body.data.key_info)).toEqual(['seen']);
    expect((await list('certs')).body.data).toEqual({ keys: ['hidden', 'seen'] });
  });

  it('show the fields of each CRL, without its entries', async () => {
    const { body } = await list('crls?detail=true');
    expect(body.data.keys).toEqual(['hidden', 'seen']);
    const { serials, status, ...read } = (await server.root('GET', '/v1/auth/cert/crls/seen')).body.data;
    expect(Object.keys(serials)).toHaveLength(2);
    expect(body.data.key_info.seen).toEqual({ ...read, status: { ...status, age: expect.any(Number) } });
  });

  it('show whether a serial number is on a CRL', async () => {
    const read = async (serial: string) => server.root('GET', `/v1/auth/cert/crls/seen?serial=${serial}`);
    expect((await read('2')).body.data.serials).toEqual({ '2': {} });
    expect((await read('3')).body.data.serials).toEqual({});
    for (const wrong of ['x', '1.5']) expect((await read(wrong)).status).toBe(400);
  });

  it('show only the names of objects that the caller may not read', async () => {
    await server.root('PUT', '/v1/sys/policies/acl/auditor', { policy: AUDITOR });
    const made = await server.root('POST', '/v1/auth/token/create', { policies: ['auditor'] });
    const token = made.body.auth.client_token;
    const roles = await list('certs?detail=true', token);
    expect(roles.body.data.keys).toEqual(['hidden', 'seen']);
    expect(Object.keys(roles.body.data.key_info)).toEqual(['seen']);
    expect((await list('crls?detail=true', token)).body.data.key_info).toEqual({});
    expect((await server.call('LIST', '/v1/auth/cert/certs?detail=true')).status).toBe(403);
  });

  it('are paged, with a cursor to the next page', async () => {
    const mount = '/v1/sys/auth/many';
    expect((await server.root('POST', mount, { type: 'cert' })).status).toBe(204);
    for (let at = 0; at < 101; at++) {
      await server.root('POST', `/v1/auth/many/certs/r${String(at).padStart(3, '0')}`, { certificate: ca.pem });
    }
    const all = await server.root('LIST', '/v1/auth/many/certs?detail=true');
    expect([all.status, all.body.errors[0]]).toEqual([400, expect.stringContaining("'limit'")]);
    const some = await server.root('LIST', '/v1/auth/many/certs?detail=true&limit=100');
    expect(Object.keys(some.body.data.key_info)).toHaveLength(100);
    const rest = await server.root('LIST', '/v1/auth/many/certs?detail=true&limit=100&after=r099');
    expect(rest.body.data.keys).toEqual(['r100']);
    expect((await server.root('LIST', '/v1/auth/many/certs?detail=perhaps')).status).toBe(400);
  });
});

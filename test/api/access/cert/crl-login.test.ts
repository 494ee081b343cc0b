import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(databaseKinds)('a certificate on a CRL, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const intermediate = ca.issueAuthority({ subject: 'Intermediate' });
  const client = ca.issue({ subject: 'device' });
  const below = intermediate.issue({ subject: 'below' });

  const login = (certificate: { pem: string; keyPem: string } = client) =>
    server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'web' } });
  const put = (crl: string, name = 'list') => server.root('POST', `/v1/auth/cert/crls/${name}`, { crl });
  const remove = (name = 'list') => server.root('DELETE', `/v1/auth/cert/crls/${name}`);

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
  });
  afterAll(() => server.stop());

  it('is refused as long as the CRL is stored', async () => {
    expect((await login()).status).toBe(200);
    expect((await put(ca.crl({ revoked: [client.serial] }).pem)).status).toBe(204);
    expect((await login()).status).toBe(400);
    const { body } = await server.root('GET', '/v1/auth/cert/crls/list');
    expect(body.data.serials).toEqual({ [String(client.serial)]: {} });
    expect((await remove()).status).toBe(204);
    expect((await login()).status).toBe(200);
  });

  it('revokes the certificates below it when it is a CA', async () => {
    const chain = { pem: below.pem + intermediate.pem, keyPem: below.keyPem };
    expect((await login(chain)).status).toBe(200);
    await put(ca.crl({ revoked: [intermediate.serial] }).pem);
    expect((await login(chain)).status).toBe(400);
    await remove();
  });

  it('of another CA with an equal serial number is not revoked', async () => {
    const other = createRoot({ subject: 'Other CA' });
    await server.root('POST', '/v1/auth/cert/certs/other', { certificate: other.pem });
    await put(other.crl({ revoked: [client.serial] }).pem);
    expect((await login()).status).toBe(200);
    await remove();
  });

  it('cannot renew the token that it was given before', async () => {
    const token = (await login()).body.auth.client_token;
    const renew = () => server.call('POST', '/v1/auth/token/renew-self', { token, certificate: client });
    expect((await renew()).status).toBe(200);
    await put(ca.crl({ revoked: [client.serial] }).pem);
    expect((await renew()).status).toBe(400);
    await remove();
  });

  it('shows the state of the CRL in the metrics', async () => {
    await put(ca.crl({ revoked: [client.serial, 5n] }).pem);
    const page = async () => (await server.call('GET', '/metrics')).text;
    expect(await page()).toMatch(/^crl_entries\{mount="cert",name="list"\} 2$/m);
    expect(await page()).toMatch(/^crl_stale\{mount="cert",name="list"\} 0$/m);
    server.advance(3 * 24 * 3600);
    expect(await page()).toMatch(/^crl_age_seconds\{mount="cert",name="list"\} 259200$/m);
    expect(await page()).toMatch(/^crl_stale\{mount="cert",name="list"\} 1$/m);
    server.advance(-3 * 24 * 3600);
    await remove();
    expect(await page()).not.toMatch(/^crl_entries\{/m);
  });

  it('is explained', async () => {
    await put(ca.crl({ revoked: [client.serial] }).pem);
    const { body } = await server.root('POST', '/v1/auth/cert/login/explain', { certificate: client.pem, name: 'web' });
    expect(body.data.roles[0].paths[0].verdicts).toContainEqual(
      expect.objectContaining({ check: 'crl', outcome: 'refused', hint: expect.any(String) }),
    );
    await remove();
  });
});

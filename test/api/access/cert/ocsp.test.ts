import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { mintOcspResponse, type OcspResponseOptions, ocspAccess } from '../../../support/ocsp.ts';
import { startResponder, stopResponders } from '../../../support/ocsp-responder.ts';
import { createRoot, selfSigned } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(databaseKinds)('a role with OCSP, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'device' });

  const role = (settings: Record<string, unknown>, name = 'checked') =>
    server.root('POST', `/v1/auth/cert/certs/${name}`, {
      certificate: ca.pem,
      ocsp_enabled: true,
      ocsp_max_retries: 0,
      ...settings,
    });
  const login = async (certificate = client, name = 'checked') =>
    (await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name } })).status;
  const answer = (
    status: 'good' | 'revoked' | 'unknown',
    options: Partial<OcspResponseOptions> = {},
    certificate = client,
  ) => mintOcspResponse({ issuer: ca, certificate, status, ...options });

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await stopResponders();
    await server.root('DELETE', '/v1/auth/cert/certs/checked');
  });

  it.each([
    ['good', false, 200],
    ['revoked', false, 400],
    ['unknown', false, 400],
    ['good', true, 200],
    ['revoked', true, 400],
    ['unknown', true, 200],
  ] as const)('that say %s, with fail-open %s: %s', async (status, failOpen, expected) => {
    const { url } = await startResponder(() => answer(status));
    await role({ ocsp_servers_override: url, ocsp_fail_open: failOpen });
    expect(await login()).toBe(expected);
  });

  it.each([
    ['nobody there', 'reset', 400, 200],
    ['a server error', 500, 400, 200],
  ] as const)('and find %s, refuses unless it fails open', async (_name, reaction, closed, open) => {
    const { url } = await startResponder(() => reaction);
    await role({ ocsp_servers_override: [url] });
    expect(await login()).toBe(closed);
    await role({ ocsp_servers_override: [url], ocsp_fail_open: true });
    expect(await login()).toBe(open);
  });

  it('never accepts a response with the signature of another signer, even with fail-open', async () => {
    const forger = createRoot({ subject: 'Client CA' });
    const { url } = await startResponder(() => answer('good', { signer: forger }));
    await role({ ocsp_servers_override: url, ocsp_fail_open: true });
    expect(await login()).toBe(400);
  });

  it('finds the responder that the certificate names', async () => {
    const { url, requests } = await startResponder(() => answer('good', {}, named));
    const named = ca.issue({ subject: 'named', extensions: [ocspAccess(url)] });
    await role({});
    expect(await login(named)).toBe(200);
    expect(requests).toHaveLength(1);
    expect(await login()).toBe(400);
  });

  it('sends one request as long as the response is valid', async () => {
    const { url, requests } = await startResponder(() => answer('good'));
    await role({ ocsp_servers_override: url });
    for (let i = 0; i < 3; i++) expect(await login()).toBe(200);
    expect(requests).toHaveLength(1);
  });

  it('uses only its own settings', async () => {
    const { url } = await startResponder(() => answer('revoked'));
    await role({ ocsp_servers_override: url }, 'a-strict');
    await role({ ocsp_enabled: false }, 'b-lax');
    const any = await server.call('POST', '/v1/auth/cert/login', { certificate: client });
    expect(any.body.auth.metadata.cert_name).toBe('b-lax');
    for (const name of ['a-strict', 'b-lax']) await server.root('DELETE', `/v1/auth/cert/certs/${name}`);
  });

  it('does not use the CA of a responder for logins', async () => {
    const responderCa = createRoot({ subject: 'Responder CA' });
    const { url } = await startResponder(() => answer('good'));
    await role({ ocsp_servers_override: url, ocsp_ca_certificates: responderCa.pem });
    expect(await login(responderCa.issue({ subject: 'device' }))).toBe(400);
    expect(await login()).toBe(200);
  });

  it('refuses a pinned certificate whose issuer is unknown, and warns when it is saved', async () => {
    const pinned = selfSigned({ subject: 'pinned' });
    const saved = await role({ certificate: pinned.pem });
    expect(saved.body.warnings).toEqual([expect.stringContaining('OCSP cannot check a pinned certificate')]);
    expect(await login(pinned)).toBe(400);
  });

  it('refuses a renewal once the certificate is revoked', async () => {
    let status: 'good' | 'revoked' = 'good';
    const { url } = await startResponder(() => answer(status));
    await role({ ocsp_servers_override: url });
    const signedIn = await server.call('POST', '/v1/auth/cert/login', {
      certificate: client,
      body: { name: 'checked' },
    });
    const renew = () =>
      server.call('POST', '/v1/auth/token/renew-self', { certificate: client, token: signedIn.body.auth.client_token });
    expect((await renew()).status).toBe(200);
    status = 'revoked';
    await role({ ocsp_servers_override: [url, `${url}/other`] });
    expect((await renew()).status).toBe(400);
  });

  it('shows the status of the responder in the explanation', async () => {
    const { url } = await startResponder(() => answer('revoked'));
    await role({ ocsp_servers_override: url });
    const { body } = await server.root('POST', '/v1/auth/cert/login/explain', {
      certificate: client.pem,
      name: 'checked',
    });
    const verdicts = body.data.roles[0].paths[0].verdicts;
    expect(verdicts).toContainEqual(
      expect.objectContaining({ check: 'ocsp', outcome: 'refused', actual: expect.stringContaining('revoked') }),
    );
  });
});

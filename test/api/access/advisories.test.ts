/**
 * Published vulnerabilities of comparable servers: one test for each advisory, and for each weakness without a number.
 * Tests elsewhere:
 *
 * | Weakness | Test |
 * |---|---|
 * | CVE-2022-41316: CRLs were loaded after the first logins | crls.test.ts "are in force at the first login of a node that has just started …" |
 * | CVE-2024-2660: unverified OCSP responses were accepted | below; src/x509/ocsp/verify.test.ts for each reason |
 * | CVE-2026-39388: renewal with another certificate | tokens.test.ts "are renewed only over a connection with the very certificate …"; its role below |
 * | CVE-2025-5999, CVE-2025-64761: `root` in another case | roles.test.ts "the root policy in any case" |
 * | CVE-2025-6203: JSON that is costly to parse | below; src/lib/json.test.ts |
 * | the CA of a responder logs clients in | ocsp.test.ts "does not use the CA of a responder for logins" |
 * | responder settings of one role used for another | ocsp.test.ts "uses only its own settings" |
 * | a pinned certificate skips OCSP | ocsp.test.ts "refuses a pinned certificate whose issuer is unknown …" |
 * | CRLs match only by serial number, unsigned | crl-login.test.ts "of another CA with an equal serial number …"; crls.test.ts "match by issuer …", "that turn out to be forged …" |
 * | CRLs of any size, from any address, that take any time | crl-fetches.test.ts "are not stored when …"; src/outbound/guarded-fetch.test.ts; logins meanwhile below |
 * | an overdue CRL is used silently | crls.test.ts "that are overdue …"; crl-login.test.ts "shows the state of the CRL in the metrics" |
 * | a certificate that fails validation is a 500; errors reveal which roles exist | login.test.ts "gives every refused client the same message …" |
 * | a name in another case in `cert_name` | login.test.ts "takes an empty body, any case of the name …" |
 * | an empty pattern matches values that are no text | login.test.ts "an empty pattern" |
 * | errors contain bytes of certificates | tokens.test.ts "are renewed only over a connection …" has the whole text |
 * | LIST with or without a slash bypasses a deny (GHSA-xp3c-3jw3-4vcr) | policies.test.ts; src/access/acl/acl.test.ts |
 * | CVE-2026-5006: names inside policies that widen them | src/access/acl/build-acl.test.ts; policies.test.ts |
 * | CVE-2026-3605: one path in two spellings | src/access/pipeline/target.test.ts; policies.test.ts "that deny one name deny every spelling of it" |
 * | CVE-2025-6004: one machine under two names | identity.test.ts; src/access/identity/alias/alias-name.test.ts |
 * | GHSA-rh46-vc3j-w2w3, CVE-2026-45808, CVE-2026-5807: operations that should not be reachable | test/surface/access.test.ts has every reachable operation |
 * | a star crosses dots, unless `strict_dns_patterns` is on | login.test.ts "a * matches any characters …"; src/access/cert/constraint/name-rules.test.ts |
 */
import { request } from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { primitive, sequence } from '../../../src/pki/der.ts';
import { Certificate } from '../../../src/x509/index.ts';
import { databaseKinds } from '../../support/databases.ts';
import { mintOcspResponse } from '../../support/ocsp.ts';
import { startResponder, stopResponders } from '../../support/ocsp-responder.ts';
import { createRoot, OID, selfSigned } from '../../support/pki.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const REFUSED = { errors: ['failed to match all constraints for this login certificate'] };
/** Seconds. Longer than the lifetime of any token in these tests. */
const LONG = 800 * 3600;

describe.each(databaseKinds)('advisories, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'device' });

  const role = (name: string, settings: Record<string, unknown>) =>
    server.root('POST', `/v1/auth/cert/certs/${name}`, settings);
  const login = (certificate: { pem: string; keyPem: string } = client, name = 'web') =>
    server.call('POST', '/v1/auth/cert/login', { certificate, body: { name } });
  const tokenOf = async (certificate = client, name = 'web'): Promise<string> =>
    (await login(certificate, name)).body.auth.client_token;
  const renew = (token: string, certificate = client) =>
    server.call('POST', '/v1/auth/token/renew-self', { token, certificate });

  /** Sends a request as root, with a path that no client has normalized. */
  const raw = (method: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(server.address);
      const options = { method, path, hostname, port, ca: server.ca, agent: false };
      const outgoing = request({ ...options, headers: { 'x-vault-token': server.rootToken, ...headers } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      outgoing.on('error', reject).end();
    });

  beforeAll(async () => {
    server = await startTestServer(kind);
    await role('web', { certificate: ca.pem, token_ttl: '1h' });
  });
  afterAll(() => server.stop());
  afterEach(stopResponders);

  it('CVE-2024-2048: serial number and authority key ID do not identify a pinned certificate', async () => {
    const pinned = createRoot({ subject: 'Elsewhere' }).issue({ subject: 'pinned' });
    await role('pinned', { certificate: pinned.pem });
    const keyId = Buffer.from(Certificate.parse(pinned.der).authorityKeyId ?? '', 'hex');
    const authorityKeyId = { oid: OID.authorityKeyIdentifier, value: sequence(primitive(0, keyId)) };
    const options = { subject: 'pinned', serial: pinned.serial, extensions: [authorityKeyId] };
    for (const forged of [selfSigned(options), createRoot({ subject: 'Elsewhere' }).issue(options)]) {
      expect(Certificate.parse(forged.der).authorityKeyId).toBe(keyId.toString('hex'));
      expect(await login(forged, 'pinned')).toMatchObject({ status: 400, body: REFUSED });
      expect((await login(forged, '')).body).toEqual(REFUSED);
    }
    expect((await login(pinned, 'pinned')).status).toBe(200);
  });

  it('CVE-2025-6037: the key of a pinned certificate does not make it', async () => {
    const pinned = selfSigned({ subject: 'pinned' });
    await role('pinned', { certificate: pinned.pem });
    const other = selfSigned({ subject: 'admin', key: pinned.privateKey });
    expect((await login(other, 'pinned')).body).toEqual(REFUSED);
    expect((await login({ pem: other.pem + pinned.pem, keyPem: other.keyPem }, 'pinned')).body).toEqual(REFUSED);
    expect((await login(pinned, 'pinned')).body.auth.metadata.common_name).toBe('pinned');
  });

  it.each([false, true])(
    'CVE-2024-2660: one valid OCSP response is required, also if all responders get a request: %s',
    async (all) => {
      const forger = createRoot({ subject: 'Client CA' });
      const neighbour = ca.issue({ subject: 'neighbour' });
      const good = { issuer: ca, certificate: client, status: 'good' } as const;
      const answers = {
        forged: mintOcspResponse({ ...good, signer: forger }),
        another: mintOcspResponse({ ...good, certificate: neighbour }),
        dead: 'reset' as const,
      };
      const urls: string[] = [];
      for (const answer of Object.values(answers)) urls.push((await startResponder(() => answer)).url);
      const [forged = '', another = '', dead = ''] = urls;
      const checked = { certificate: ca.pem, ocsp_enabled: true, ocsp_max_retries: 0, ocsp_query_all_servers: all };
      for (const servers of [[forged], [another], [forged, dead], [dead, forged], [another, dead], [forged, another]]) {
        await role('checked', { ...checked, ocsp_fail_open: true, ocsp_servers_override: servers });
        expect([servers, (await login(client, 'checked')).status]).toEqual([servers, 400]);
      }
      const { url } = await startResponder(() => mintOcspResponse(good));
      await role('checked', { ...checked, ocsp_servers_override: [url] });
      expect((await login(client, 'checked')).status).toBe(200);
      await server.root('DELETE', '/v1/auth/cert/certs/checked');
    },
  );

  it('CVE-2026-39388: a token is renewed only by the role of its login', async () => {
    await role('first', { certificate: ca.pem });
    const token = await tokenOf(client, 'first');
    expect((await renew(token)).status).toBe(200);
    await role('first', { allowed_uri_sans: 'urn:nobody' });
    expect((await login(client, 'web')).status).toBe(200);
    expect(await renew(token)).toMatchObject({ status: 400, body: REFUSED });
    await server.root('DELETE', '/v1/auth/cert/certs/first');
    expect((await renew(token)).status).toBe(400);
  });

  it('GHSA-rh46-vc3j-w2w3: a request that matches no operation of the API does nothing', async () => {
    await role('kept', { certificate: ca.pem });
    for (const method of ['MOVE', 'LOCK', 'LINK', 'MERGE', 'SEARCH', 'TRACE']) {
      const status = await raw(method, '/v1/auth/cert/certs/kept');
      expect([method, status >= 400 && status < 500]).toEqual([method, true]);
    }
    for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      expect(await raw('GET', '/v1/auth/cert/certs/kept', { [header]: 'DELETE' })).toBe(200);
    }
    expect((await server.root('GET', '/v1/auth/cert/certs/kept')).status).toBe(200);
  });

  it('CVE-2026-46405: a refused client gets no token, and none is stored', async () => {
    const { tokens } = server.application.access;
    server.advance(LONG);
    await tokens.sweep();
    server.advance(-LONG);
    const { url } = await startResponder(() =>
      mintOcspResponse({ issuer: ca, certificate: client, status: 'revoked' }),
    );
    const ocsp = { ocsp_enabled: true, ocsp_servers_override: url, ocsp_fail_open: true };
    await role('late', { certificate: ca.pem, ...ocsp });
    await role('early', { certificate: ca.pem, allowed_uri_sans: 'urn:nobody' });
    for (const [name, certificate] of [
      ['late', client],
      ['early', client],
      ['web', createRoot().issue()],
    ] as const) {
      const { status, body } = await login(certificate, name);
      expect([status, body]).toEqual([400, REFUSED]);
    }
    for (const name of ['late', 'early']) await server.root('DELETE', `/v1/auth/cert/certs/${name}`);
    server.advance(LONG);
    expect(await tokens.sweep()).toBe(0);
    server.advance(-LONG);
    expect((await login()).status).toBe(200);
    server.advance(LONG);
    expect(await tokens.sweep()).toBe(1);
    server.advance(-LONG);
  });

  it('CVE-2026-3605: no path leaves its prefix', async () => {
    const before = (await server.root('GET', '/v1/auth/cert/config')).body.data;
    for (const path of [
      '/v1/auth/cert/certs/../config',
      '/v1/auth/cert/certs/%2e%2e/config',
      '/v1/auth/cert/certs/%2E./config',
      '/v1/auth/cert/certs/..%2fconfig',
      '/v1/auth/cert/certs/..%5cconfig',
      '/v1/auth/cert/certs/%252e%252e/config',
      '/v1/auth/cert/./config',
      '/v1/auth//cert/config',
      '//v1/auth/cert/config',
      '/v1/auth/cert/certs/a%2fb',
      '/v1/auth/cert/certs/%00',
    ]) {
      for (const method of ['GET', 'DELETE', 'POST']) {
        const status = await raw(method, path);
        expect([method, path, [400, 404, 405].includes(status)]).toEqual([method, path, true]);
      }
    }
    expect((await server.root('GET', '/v1/auth/cert/config')).body.data).toEqual(before);
  });

  it('CVE-2025-6203: JSON that is costly to parse is refused before it is parsed', async () => {
    const post = (body: string) => server.call('POST', '/v1/auth/cert/login', { body });
    const deep = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const wide = `{"name":"x",${Array.from({ length: 10_001 }, (_, i) => `"k${i}":""`).join()}}`;
    expect(await post(deep(10_000))).toMatchObject({
      status: 400,
      body: { errors: [expect.stringContaining('nested too deeply')] },
    });
    expect(await post(deep(40))).toMatchObject({
      status: 400,
      body: { errors: [expect.stringContaining('nested too deeply')] },
    });
    expect(await post(wide)).toMatchObject({
      status: 400,
      body: { errors: [expect.stringContaining('too many values')] },
    });
    expect((await post(`{"${'k'.repeat(1_048_576)}":1}`)).status).toBe(413);
  });

  it('CVE-2025-4166, CVE-2025-52893: a refused value appears in no response and no log', async () => {
    const secret = 'hunter2-correct-horse';
    const hide = { password: secret };
    const below = (path: string, body: unknown) => server.root('POST', `/v1/auth/cert/${path}`, body);
    const token = await tokenOf();
    const refused = await Promise.all([
      ...['certificate', 'display_name', 'token_policies', 'allowed_dns_sans', 'token_ttl', 'token_num_uses'].map(
        (field) => below('certs/x', { certificate: ca.pem, [field]: hide }),
      ),
      ...['certificate', 'token_ttl', 'token_num_uses', 'ocsp_enabled', 'token_type', 'ocsp_max_retries'].map((field) =>
        below('certs/x', { certificate: ca.pem, [field]: secret }),
      ),
      below('config', { ocsp_cache_size: secret }),
      below('config', { alias_source: secret }),
      below('crls/x', { crl: secret }),
      below('login', { name: hide }),
      below('login', `{"name": "${secret}`),
      below('login/explain', { certificate: secret }),
      server.call('POST', '/v1/auth/token/renew-self', { token, certificate: client, body: { increment: secret } }),
      server.call('GET', '/v1/auth/token/lookup-self', { token: secret }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([...Array(19).fill(400), 403]);
    for (const { text } of refused) expect(text).not.toContain(secret);
    const ids = refused.map(({ headers }) => headers['x-request-id']);
    const written = (lines: Record<string, unknown>[]) =>
      lines.filter(({ request_id: id }) => ids.includes(String(id)));
    await expect.poll(() => written(server.logLines())).toHaveLength(ids.length);
    expect(JSON.stringify(server.logLines())).not.toContain(secret);
    // Audit entries hash the values that may be secrets (src/server/audit). This test reads only the responses.
    const answers = () => server.auditLines().filter(({ type }) => type === 'response');
    await expect.poll(() => written(answers())).toHaveLength(ids.length);
    expect(JSON.stringify(answers())).not.toContain(secret);
  });

  it('CVE-2025-6004 and related: a name is the same everywhere, spelled as in the certificate', async () => {
    for (const name of ['Web-1.Example.com', 'web-1.example.com', ' web-1.example.com ']) {
      const certificate = ca.issue({ subject: name });
      const explained = await server.root('POST', '/v1/auth/cert/login/explain', { certificate: certificate.pem });
      expect(explained.body.data.alias_name).toBe(name);
      expect((await login(certificate)).body.auth.metadata.common_name).toBe(name);
    }
  });

  describe('weaknesses without a number', () => {
    it('logins do not wait for a CRL that is being fetched', async () => {
      const { url, requests } = await startResponder(() => 'hang');
      const written = server.root('POST', '/v1/auth/cert/crls/slow', { url });
      await expect.poll(() => requests.length).toBe(1);
      expect((await login()).status).toBe(200);
      await stopResponders();
      expect((await written).status).toBe(400);
      expect((await login()).status).toBe(200);
    });

    it("a CRL of another issuer with the root's serial number does not revoke the root", async () => {
      const other = createRoot({ subject: 'Other CA' });
      await role('other', { certificate: other.pem });
      await server.root('POST', '/v1/auth/cert/crls/other', { crl: other.crl({ revoked: [ca.serial] }).pem });
      expect((await login()).status).toBe(200);
      await server.root('DELETE', '/v1/auth/cert/crls/other');
      await server.root('DELETE', '/v1/auth/cert/certs/other');
    });

    it('a client with an equal common name from another CA is another entity', async () => {
      const other = createRoot({ subject: 'Other CA' });
      await role('other', { certificate: other.pem });
      const namesake = other.issue({ subject: 'device' });
      expect((await login(namesake, 'web')).body).toEqual(REFUSED);
      expect((await login(client, 'other')).body).toEqual(REFUSED);
      const token = await tokenOf();
      expect((await renew(token, namesake)).status).toBe(400);
      expect((await renew(await tokenOf(namesake, 'other'), client)).status).toBe(400);
      expect((await renew(token)).status).toBe(200);
      const entity = async (certificate: typeof client, name: string) =>
        (await login(certificate, name)).body.auth.entity_id;
      expect(await entity(client, 'web')).toBe(await entity(client, 'web'));
      expect(await entity(namesake, 'other')).not.toBe(await entity(client, 'web'));
      await server.root('DELETE', '/v1/auth/cert/certs/other');
    });
  });
});

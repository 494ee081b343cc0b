import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Authority, type CertificateOptions, createRoot, type Minted, selfSigned } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const SMARTCARD = '1.3.6.1.4.1.311.20.2.2';
const UNKNOWN = '1.3.6.1.4.1.99999.7';

describe.each(databaseKinds)('the extended key usage of a role, on %s', (kind) => {
  let server: TestServer;
  let root: Authority;

  const role = (name: string, settings: Record<string, unknown>) =>
    server.root('POST', `/v1/auth/cert/certs/${name}`, settings);
  const shown = async (name: string) =>
    (await server.root('GET', `/v1/auth/cert/certs/${name}`)).body.data.extended_key_usage;
  const login = async (certificate: Pick<Minted, 'pem' | 'keyPem'>, name?: string) => {
    const { status, body } = await server.call('POST', '/v1/auth/cert/login', {
      certificate,
      ...(name && { body: { name } }),
    });
    return status === 200 ? body.auth.metadata.cert_name : status;
  };
  const leaf = (extendedKeyUsage: readonly string[], options: CertificateOptions = {}, issuer: Authority = root) =>
    issuer.issue({ subject: 'a', extendedKeyUsage, ...options });

  beforeAll(async () => {
    server = await startTestServer(kind);
    root = createRoot({ subject: 'Purposes' });
    const certificate = root.pem;
    await role('client', { certificate });
    await role('server', { certificate, extended_key_usage: 'server_auth' });
    await role('both', { certificate, extended_key_usage: ['ServerAuth', 'clientAuth'] });
    await role('card', { certificate, extended_key_usage: [SMARTCARD] });
    await role('any', { certificate, extended_key_usage: '' });
  });
  afterAll(() => server.stop());

  it('is clientAuth by default, and read in one spelling', async () => {
    expect(await shown('client')).toEqual(['ClientAuth']);
    expect(await shown('server')).toEqual(['ServerAuth']);
    expect(await shown('both')).toEqual(['ServerAuth', 'ClientAuth']);
    expect(await shown('card')).toEqual([SMARTCARD]);
    expect(await shown('any')).toEqual([]);
    const names = [
      'ExtKeyUsageClientAuth',
      'client-auth',
      'CLIENT AUTH',
      'OCSP_signing',
      'anyExtendedKeyUsage',
      '2.5.29.37.0',
    ];
    await role('spelled', { certificate: root.pem, extended_key_usage: names });
    expect(await shown('spelled')).toEqual(['ClientAuth', 'OCSPSigning', 'Any', '2.5.29.37.0']);
    await role('spelled', { extended_key_usage: null });
    expect(await shown('spelled')).toEqual(['ClientAuth']);
    await server.root('DELETE', '/v1/auth/cert/certs/spelled');
  });

  it.each([
    [['clientAut']],
    [['1.3.6.1.5.5.7.3.2 ', '1.3.']],
    [['3.1']],
    [['']],
    [[[]]],
    [{}],
    [`1.3.${'1'.repeat(300)}`],
    [
      Array(33)
        .fill(0)
        .map((_, i) => `1.2.${i}`),
    ],
  ])('refuses %j, and stores nothing', async (extended_key_usage) => {
    const { status, body } = await role('client', { extended_key_usage, display_name: 'changed' });
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining('"extended_key_usage"')]);
    expect((await server.root('GET', '/v1/auth/cert/certs/client')).body.data.display_name).toBe('client');
  });

  it('decides for each role, also if the login names none', async () => {
    for (const [usages, expected] of [
      [['clientAuth'], { client: 'client', server: 400, both: 'both', card: 400, any: 'any' }],
      [['serverAuth'], { client: 400, server: 'server', both: 'both', card: 400, any: 'any' }],
      [['serverAuth', 'clientAuth'], { client: 'client', server: 'server', both: 'both', card: 400, any: 'any' }],
      [[SMARTCARD, UNKNOWN], { client: 400, server: 400, both: 400, card: 'card', any: 'any' }],
      [[UNKNOWN], { client: 400, server: 400, both: 400, card: 400, any: 'any' }],
      [['any'], { client: 'client', server: 'server', both: 'both', card: 'card', any: 'any' }],
      [[], { client: 'client', server: 'server', both: 'both', card: 'card', any: 'any' }],
    ] as const) {
      const certificate = leaf(usages);
      const found: Record<string, unknown> = {};
      for (const name of Object.keys(expected)) found[name] = await login(certificate, name);
      expect([usages, found]).toEqual([usages, expected]);
      const first = Object.values(expected)
        .filter((one) => one !== 400)
        .sort()[0];
      expect([usages, await login(certificate)]).toEqual([usages, first]);
    }
  });

  it('needs one purpose that every CA of the chain allows', async () => {
    const serverCa = root.issueAuthority({ subject: 'Server CA', extendedKeyUsage: ['serverAuth'] });
    const mixed = serverCa.issue({ subject: 'a', extendedKeyUsage: ['clientAuth'] });
    const right = serverCa.issue({ subject: 'a', extendedKeyUsage: ['serverAuth', 'clientAuth'] });
    const free = serverCa.issue({ subject: 'a', extendedKeyUsage: [] });
    const sent = ({ pem, keyPem }: Minted) => ({ pem: pem + serverCa.pem, keyPem });
    expect(await login(sent(mixed), 'both')).toBe(400);
    expect(await login(sent(mixed), 'any')).toBe('any');
    for (const one of [right, free]) {
      expect(await login(sent(one), 'client')).toBe(400);
      expect(await login(sent(one), 'server')).toBe('server');
      expect(await login(sent(one), 'both')).toBe('both');
    }
  });

  it('counts in a critical extension, and not in a malformed one', async () => {
    const eku = (hex: string, critical: boolean) =>
      leaf([], { extensions: [{ oid: '2.5.29.37', critical, value: Buffer.from(hex, 'hex') }] });
    const serverAuth = '300a06082b06010505070301';
    for (const critical of [true, false]) {
      expect(await login(eku(serverAuth, critical), 'server')).toBe('server');
      expect(await login(eku(serverAuth, critical), 'client')).toBe(400);
      for (const bad of ['3000', '0500', '30030601', `300a06082b060105050703${'01'.repeat(2)}`, '3003060180']) {
        expect(await login(eku(bad, critical), 'any')).toBe(400);
      }
    }
  });

  it('applies at once when it is changed, and at renewal', async () => {
    const certificate = leaf(['serverAuth']);
    await role('changing', { certificate: root.pem, extended_key_usage: 'ServerAuth' });
    const { body } = await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'changing' } });
    const renew = async () =>
      (await server.call('POST', '/v1/auth/token/renew-self', { certificate, token: body.auth.client_token })).status;
    expect(await renew()).toBe(200);
    await role('changing', { extended_key_usage: 'ClientAuth' });
    expect(await login(certificate, 'changing')).toBe(400);
    expect(await renew()).toBe(400);
    await server.root('DELETE', '/v1/auth/cert/certs/changing');
  });

  it('applies to pinned certificates, when they are written too', async () => {
    const pinned = selfSigned({ subject: 'pinned', extendedKeyUsage: ['serverAuth'] });
    const refused = await role('pinned', { certificate: pinned.pem });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      ['nonCA certificates should have TLS client authentication set as an extended key usage'],
    ]);
    expect((await role('pinned', { certificate: pinned.pem, extended_key_usage: ['IPSECUser'] })).body.errors).toEqual([
      'nonCA certificates should have one of these extended key usages: IPSECUser',
    ]);
    expect((await role('pinned', { certificate: pinned.pem, extended_key_usage: ['ServerAuth'] })).status).toBeLessThan(
      300,
    );
    expect(await login(pinned, 'pinned')).toBe('pinned');
    const { body } = await role('pinned', { extended_key_usage: ['ClientAuth'] });
    expect(body.warnings.join()).toContain('cannot be used for a login (extended-key-usage)');
    expect(await login(pinned, 'pinned')).toBe(400);
    await server.root('DELETE', '/v1/auth/cert/certs/pinned');
  });

  it('is explained with the role that refuses it', async () => {
    const { body } = await server.root('POST', '/v1/auth/cert/login/explain', {
      certificate: leaf(['serverAuth']).pem,
    });
    expect(body.data).toMatchObject({
      admitted: true,
      role: 'any',
      certificates: [{ extended_key_usage: ['ServerAuth'] }],
    });
    const refused = body.data.roles.find((one: { role: string }) => one.role === 'client');
    expect(refused.rejected).toContainEqual(
      expect.objectContaining({
        check: 'extended-key-usage',
        actual: '1.3.6.1.5.5.7.3.1',
        hint: expect.stringContaining('extended_key_usage'),
      }),
    );
  });
});

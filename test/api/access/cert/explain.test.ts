import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

interface Explained {
  role: string;
  admitted: boolean;
  paths: { certificates: string[]; admitted: boolean; verdicts: Record<string, unknown>[] }[];
  rejected: Record<string, unknown>[];
}

describe.each(databaseKinds)('the explanation of a login, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const intermediate = ca.issueAuthority({ subject: 'Intermediate' });
  const leaf = intermediate.issue({ subject: 'web-1.example.com', dns: ['web-1.example.com'] });
  const role = (name: string, settings: Record<string, unknown>) =>
    server.root('POST', `/v1/auth/cert/certs/${name}`, settings);
  const explain = (body: Record<string, unknown>) => server.root('POST', '/v1/auth/cert/login/explain', body);
  const find = (body: { data: { roles: Explained[] } }, name: string) =>
    body.data.roles.find((one) => one.role === name);

  beforeAll(async () => {
    server = await startTestServer(kind);
    await role('direct', { certificate: intermediate.pem, allowed_common_names: '*.example.com' });
    await role('root', { certificate: ca.pem, allowed_dns_sans: '*.example.org', allowed_common_names: '*' });
    await role('stranger', { certificate: createRoot({ subject: 'Client CA' }).pem });
  });
  afterAll(() => server.stop());

  it('lists for every role, path and check the expected and found values, and the advice', async () => {
    const { status, body } = await explain({ certificate: leaf.pem + intermediate.pem });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ admitted: true, roles_left_out: 0 });
    expect(body.data.certificates[0]).toMatchObject({
      subject: 'CN=web-1.example.com',
      issuer: 'CN=Intermediate',
      serial_number: String(leaf.serial),
      dns_sans: ['web-1.example.com'],
    });
    expect(find(body, 'direct')).toMatchObject({ admitted: true, paths: [{ admitted: true }] });
    const refused = find(body, 'root');
    expect(refused).toMatchObject({ admitted: false, paths: [{ admitted: false }] });
    expect(refused?.paths[0]?.certificates).toEqual(['CN=web-1.example.com', 'CN=Intermediate', 'CN=Client CA']);
    expect(refused?.paths[0]?.verdicts).toContainEqual({
      check: 'allowed_dns_sans',
      outcome: 'refused',
      expected: '*.example.org',
      actual: 'web-1.example.com',
      hint: expect.stringContaining('patterns of the role'),
    });
    expect(refused?.paths[0]?.verdicts).toContainEqual(
      expect.objectContaining({ check: 'allowed_common_names', outcome: 'passed' }),
    );
    expect(find(body, 'stranger')).toMatchObject({
      admitted: false,
      paths: [],
      rejected: [expect.objectContaining({ check: 'signature', outcome: 'refused', hint: expect.any(String) })],
    });
  });

  it('names the rule that a common name breaks, and the switch', async () => {
    const bare = intermediate.issue({ subject: 'web-2.example.com' });
    const { body } = await explain({ certificate: bare.pem, name: 'direct' });
    expect(find(body, 'direct')?.paths[0]?.verdicts).toContainEqual({
      check: 'common_name',
      outcome: 'refused',
      expected: 'a fully qualified DNS name that is among the DNS SANs too',
      actual: 'web-2.example.com, which is not among the DNS SANs (none)',
      hint: expect.stringContaining('strict_dns_names'),
    });
  });

  it('names patterns that no certificate can match, of roles that were saved when some could', async () => {
    const configure = (strict: boolean) => server.root('POST', '/v1/auth/cert/config', { strict_dns_names: strict });
    await configure(false);
    await role('old', { certificate: intermediate.pem, allowed_dns_sans: ['web-1.example.com', 'my web*'] });
    const warnings = async () => (await explain({ certificate: leaf.pem, name: 'old' })).body.data.roles[0].warnings;
    expect(await warnings()).toEqual([]);
    await configure(true);
    expect(await warnings()).toEqual([
      'allowed_dns_sans: "my web*" can never match: it is not a DNS name, and strict_dns_names is on in the configuration',
    ]);
    await server.root('DELETE', '/v1/auth/cert/certs/old');
  });

  it('is limited to a named role, and uses a given IP address', async () => {
    await role('bound', { certificate: intermediate.pem, token_bound_cidrs: '10.0.0.0/8' });
    const certificate = leaf.pem;
    const here = await explain({ certificate, name: 'BOUND' });
    expect(here.body.data.roles).toHaveLength(1);
    expect(here.body.data.admitted).toBe(false);
    const there = await explain({ certificate, name: 'bound', address: '10.1.2.3' });
    expect(there.body.data.admitted).toBe(true);
  });

  it('takes the certificate of the connection when none is given', async () => {
    const call = (certificate?: { pem: string; keyPem: string }) =>
      server.call('POST', '/v1/auth/cert/login/explain', {
        token: server.rootToken,
        ...(certificate && { certificate }),
      });
    const answer = await call({ pem: leaf.pem + intermediate.pem, keyPem: leaf.keyPem });
    expect(answer.body.data.certificates).toHaveLength(2);
    expect(await call()).toMatchObject({
      status: 400,
      body: { errors: [expect.stringContaining('has no client certificate')] },
    });
  });

  it('knows the intermediates that a login would know', async () => {
    const issuing = ca.issueAuthority({ subject: 'Issuing' });
    const { pem, keyPem } = issuing.issue({ subject: 'web-3.example.com', dns: ['web-3.example.com'] });
    await role('known', { certificate: ca.pem });
    const ask = async () => (await explain({ certificate: pem, name: 'known' })).body.data.admitted;
    const logIn = (chain: string) =>
      server.call('POST', '/v1/auth/cert/login', {
        certificate: { pem: chain, keyPem },
        body: { name: 'known' },
      });
    expect(await ask()).toBe(false);
    expect((await logIn(pem)).status).toBe(400);
    expect((await logIn(pem + issuing.pem)).status).toBe(200);
    expect((await logIn(pem)).status).toBe(200);
    expect(await ask()).toBe(true);
  });

  it('issues no token, and requires sudo', async () => {
    const { body } = await explain({ certificate: leaf.pem });
    expect(JSON.stringify(body)).not.toContain('client_token');
    expect((await server.call('POST', '/v1/auth/cert/login/explain', { body: {} })).status).toBe(403);
  });

  it.each([
    ['no PEM', { certificate: 'x' }],
    ['a broken block', { certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }],
    ['a host name instead of an IP address', { certificate: leaf.pem, address: 'web.example' }],
    ['an address with a port', { certificate: leaf.pem, address: '10.1.2.3:443' }],
    ['an address with a mask', { certificate: leaf.pem, address: '10.0.0.0/8' }],
    ['a number of certificates without end', { certificate: leaf.pem.repeat(101) }],
  ])('refuses %s', async (_name, body) => {
    expect((await explain(body)).status).toBe(400);
  });
});

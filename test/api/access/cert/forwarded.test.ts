import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const ca = createRoot({ subject: 'Client CA' });
const intermediate = ca.issueAuthority({ subject: 'Intermediate' });
const device = intermediate.issue({ subject: 'device' });
const sequence = ({ der }: { der: Buffer }) => `:${der.toString('base64')}:`;
const headers = { 'client-cert': sequence(device), 'client-cert-chain': sequence(intermediate) };

type Forwarded = NonNullable<Parameters<typeof startTestServer>[1]>['forwarded'];

async function start(
  trustedProxies: string[] | undefined,
  options: Omit<NonNullable<Forwarded>, 'trustedProxies'> = { format: 'rfc9440' },
): Promise<TestServer> {
  const server = await startTestServer('sqlite', trustedProxies && { forwarded: { trustedProxies, ...options } });
  await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
  return server;
}

describe('behind a trusted proxy', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start(['127.0.0.1']);
  });
  afterAll(() => server.stop());

  it('a client logs in by the certificate that the proxy forwards', async () => {
    const { status, body } = await server.call('POST', '/v1/auth/cert/login', { headers });
    expect([status, body.auth?.metadata.common_name]).toEqual([200, 'device']);
  });

  it('the certificate of the proxy itself authenticates no client', async () => {
    const certificate = ca.issue({ subject: 'proxy' });
    const own = await server.call('POST', '/v1/auth/cert/login', { certificate });
    expect(own).toMatchObject({ status: 400, body: { errors: ['client certificate must be supplied'] } });
    const forwarded = await server.call('POST', '/v1/auth/cert/login', { certificate, headers });
    expect(forwarded.body.auth.metadata.common_name).toBe('device');
  });

  it('a forwarded certificate is validated like any other', async () => {
    const stranger = { 'client-cert': sequence(createRoot().issue({ subject: 'device' })) };
    expect((await server.call('POST', '/v1/auth/cert/login', { headers: stranger })).status).toBe(400);
    const broken = await server.call('POST', '/v1/auth/cert/login', { headers: { 'client-cert': 'x' } });
    expect(broken).toMatchObject({
      status: 400,
      body: { errors: [expect.stringContaining('error decoding client certificate header')] },
    });
  });
});

const plain = ({ der }: { der: Buffer }) => der.toString('base64');
const chain = [device, intermediate];
const pem = chain.map((certificate) => certificate.pem).join('');

describe.each<[NonNullable<Forwarded>['format'], Record<string, string>, { header?: string }?]>([
  ['aws', { 'X-Amzn-Mtls-Clientcert': encodeURI(pem) }],
  ['traefik', { 'X-Forwarded-Tls-Client-Cert': chain.map(plain).join() }],
  ['traefik', { 'X-Edge-Cert': chain.map(plain).join() }, { header: 'x-edge-cert' }],
  ['google', { 'X-Client-Cert-Leaf': sequence(device), 'X-Client-Cert-Chain': chain.map(sequence).join(',') }],
  ['haproxy', { 'X-SSL-Client-Cert-Der': plain(device), 'X-SSL-Client-Cert-Chain-Der': plain(intermediate) }],
])('behind a trusted proxy of format %s that sends %o', (format, sent, names = {}) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start(['127.0.0.1'], { format, ...names });
  });
  afterAll(() => server.stop());

  it('a client logs in, and the header of another format is worth nothing', async () => {
    const { status, body } = await server.call('POST', '/v1/auth/cert/login', { headers: sent });
    expect([status, body.auth?.metadata.common_name]).toEqual([200, 'device']);
    const other = await server.call('POST', '/v1/auth/cert/login', { headers });
    expect([other.status, other.body.errors]).toEqual([400, ['client certificate must be supplied']]);
  });
});

describe.each([
  ['where no proxy is trusted', undefined],
  ['from somebody who is no proxy', ['10.0.0.0/8']],
])('%s', (_name, trusted) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start(trusted);
  });
  afterAll(() => server.stop());

  it('the header is worth nothing, and is counted', async () => {
    const { status, body } = await server.call('POST', '/v1/auth/cert/login', { headers });
    expect([status, body.errors]).toEqual([400, ['client certificate must be supplied']]);
    const { text } = await server.call('GET', '/metrics');
    expect(text).toMatch(/^forwarded_client_certificates_stripped_total\{[^}]*\} 2$/m);
  });
});

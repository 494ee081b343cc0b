import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mintOcspResponse } from '../../../support/ocsp.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const METADATA = '169.254.169.254';

describe('revocation.allowed_addresses', () => {
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'client' });
  const { der } = ca.crl();
  let server: TestServer | undefined;
  let own: Server;
  let answer: RequestListener;
  let port: number;

  const start = async (...allowedAddresses: string[]) => {
    server = await startTestServer('sqlite', { deniesOwnAddresses: true, allowedAddresses });
    return server;
  };
  const list = async (running: TestServer, url: string) => {
    const { status, body } = await running.root('POST', '/v1/auth/cert/crls/list', { url });
    return status === 204 ? 'reached' : body.errors[0].replace(/^failed to fetch CRL from \S+: /, '');
  };
  const denied = (host: string, address = host) => `${host} leads to the denied address ${address}`;

  beforeAll(async () => {
    own = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    ({ port } = own.address() as AddressInfo);
  });
  afterAll(() => own.close());
  afterEach(() => server?.stop());

  it('names a forbidden URL only by its host, in log and audit log', async () => {
    const running = await start();
    await list(running, 'http://127.0.0.1/lists/c0ffee-0123.crl');
    for (const lines of [running.logLines(), running.auditLines()]) {
      expect(JSON.stringify(lines)).toContain('failed to fetch CRL from http://127.0.0.1/[redacted]');
      expect(JSON.stringify(lines)).not.toContain('c0ffee-0123');
    }
  });

  it('is empty by default: no request goes to this machine', async () => {
    answer = (_, response) => response.end(der);
    const running = await start();
    expect(await list(running, `http://127.0.0.1:${port}/`)).toBe(denied('127.0.0.1'));
    expect(await list(running, `http://localhost:${port}/`)).toContain('leads to the denied address');
    expect(await list(running, `http://${METADATA}/`)).toBe(denied(METADATA));
  });

  it('opens one IP address, and not its neighbours', async () => {
    answer = (_, response) => response.end(der);
    const running = await start('127.0.0.1');
    expect(await list(running, `http://127.0.0.1:${port}/`)).toBe('reached');
    expect(await list(running, `http://127.0.0.2:${port}/`)).toBe(denied('127.0.0.2'));
    expect(await list(running, `http://[::1]:${port}/`)).toBe(denied('[::1]', '::1'));
    expect(await list(running, `http://${METADATA}/`)).toBe(denied(METADATA));
  });

  it('opens a host only under its name', async () => {
    answer = (_, response) => response.end(der);
    const running = await start('localhost');
    expect(await list(running, `http://localhost:${port}/`)).toBe('reached');
    expect(await list(running, `http://LOCALHOST:${port}/`)).toBe('reached');
    expect(await list(running, `http://127.0.0.1:${port}/`)).toBe(denied('127.0.0.1'));
  });

  it('opens a block, but no metadata service in it', async () => {
    answer = (_, response) => response.end(der);
    const running = await start('127.0.0.0/8', '169.254.0.0/16');
    expect(await list(running, `http://127.0.0.1:${port}/`)).toBe('reached');
    expect(await list(running, `http://${METADATA}/`)).toBe(denied(METADATA));
    expect(await list(running, `http://[::ffff:${METADATA}]/`)).toContain('leads to the denied address');
  });

  it('is checked again at each redirect', async () => {
    const running = await start('127.0.0.1');
    for (const host of [METADATA, '127.0.0.2', '[::1]']) {
      answer = (_, response) => response.writeHead(302, { location: `http://${host}/` }).end();
      expect(await list(running, `http://127.0.0.1:${port}/`)).toBe(denied(host, host.replace(/[[\]]/g, '')));
    }
    answer = ({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: '/there' }).end();
      else response.end(der);
    };
    expect(await list(running, `http://127.0.0.1:${port}/`)).toBe('reached');
  });

  it('applies to OCSP responders too', async () => {
    answer = (_, response) => response.end(mintOcspResponse({ issuer: ca, certificate: client, status: 'good' }));
    const running = await start('127.0.0.1');
    const login = async (host: string) => {
      await running.root('POST', '/v1/auth/cert/certs/checked', {
        certificate: ca.pem,
        ocsp_enabled: true,
        ocsp_max_retries: 0,
        ocsp_fail_open: true,
        ocsp_servers_override: `http://${host}:${port}`,
      });
      return (await running.call('POST', '/v1/auth/cert/login', { certificate: client })).status;
    };
    expect(await login('127.0.0.1')).toBe(200);
    expect(await login('127.0.0.2')).toBe(400);
    expect(await login(METADATA)).toBe(400);
  });
});

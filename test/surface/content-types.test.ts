import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRoot } from '../support/pki.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Declared, declaredOperations, METHODS, pathOf } from './support/operations.ts';

/** Vault clients compare the content type as a string. */
const JSON_TYPE = 'application/json';

describe('every response of the access API is application/json, without a charset', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer('sqlite');
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: createRoot().pem });
  });
  afterAll(async () => {
    agent.destroy();
    await server.stop();
  });

  it('for logins, wrapped responses, CRLs and streamed lists', async () => {
    const ca = createRoot();
    await server.root('POST', '/v1/auth/cert/certs/login', { certificate: ca.pem });
    await server.root('POST', '/v1/auth/cert/crls/list', { crl: ca.crl().pem });
    const answers = [
      await server.call('POST', '/v1/auth/cert/login', { certificate: ca.issue(), body: { name: 'login' } }),
      await server.call('GET', '/v1/sys/auth', {
        token: server.rootToken,
        headers: { 'x-vault-wrap-ttl': '60' },
      }),
      await server.root('GET', '/v1/auth/cert/crls/list'),
      await server.root('GET', '/v1/auth/cert/certs?list=true'),
    ];
    for (const answer of answers) expect([answer.status, answer.headers['content-type']]).toEqual([200, JSON_TYPE]);
  });

  it('for every operation, on existing and missing objects, with root and without a token', async () => {
    const isDelete = ({ operation }: Declared) => Number(operation.verb === 'delete');
    const declared = declaredOperations(server).sort((a, b) => isDelete(a) - isDelete(b));
    expect(declared.length).toBeGreaterThan(30);
    let successes = 0;
    for (const one of declared) {
      for (const exists of [true, false]) {
        for (const token of [await createToken(), undefined]) {
          const path = `/v1/${pathOf(one, exists)}`;
          const answer = await server.call(METHODS[one.operation.verb], path, { agent, ...(token && { token }) });
          const type = answer.text === '' ? undefined : JSON_TYPE;
          expect([one.name, answer.status, answer.headers['content-type']]).toEqual([one.name, answer.status, type]);
          if (answer.text !== '' && answer.status < 300) successes++;
        }
      }
    }
    expect(successes).toBeGreaterThan(20);
  });

  /** An operation may revoke this token. */
  async function createToken(): Promise<string> {
    return (await server.root('POST', '/v1/auth/token/create', {})).body.auth.client_token;
  }

  it.each([
    ['GET', '/v1', {}],
    ['GET', '/v1/', {}],
    ['GET', '/v1/sys/../x', {}],
    ['GET', '/v1/sys/%zz', {}],
    ['GET', `/v1/${'x'.repeat(3000)}`, {}],
    ['OPTIONS', '/v1/sys/health', {}],
    ['PROPFIND', '/v1/sys/health', {}],
    ['GET', '/v1/sys/health?list=perhaps', {}],
    ['POST', '/v1/auth/cert/certs/x', { body: '{' }],
    ['POST', '/v1/auth/cert/certs/x', { body: Buffer.alloc(2_000_000, ' ') }],
    ['POST', '/v1/auth/cert/certs/x/', { body: {} }],
    ['GET', '/v1/sys/health?standbycode=999', {}],
  ])('for refused requests: %s %.40s', async (method, path, options) => {
    const answer = await server.call(method, path, { token: server.rootToken, ...options });
    expect([answer.headers['content-type'], answer.body]).toEqual([JSON_TYPE, expect.any(Object)]);
  });

  it('for invalid HTTP, before a request and inside one', async () => {
    for (const bytes of ['GET /v1/sys/health HTTP/1.1\r\nbad header\r\n\r\n', UNREADABLE_BODY]) {
      const socket = connect({ port: Number(new URL(server.address).port), host: '127.0.0.1', ca: server.ca });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.write(bytes);
      await once(socket, 'end');
      socket.destroy();
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(head.toLowerCase()).toContain('\r\ncontent-type: application/json\r\n');
      expect(JSON.parse(body)).toEqual({ errors: ['Bad Request'] });
    }
  });
});

const UNREADABLE_BODY =
  'POST /v1/auth/cert/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n';

import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Each listener and its paths, with the API that defines the error format of each. */
const LISTENERS = {
  access: { '/v1/sys/health': 'access', '/v1/auth/token/lookup-self': 'access', '/v1/nothing/here': 'access' },
  workspaces: {
    '/api/v2/organizations': 'workspaces',
    '/api/v2/nothing/here': 'workspaces',
    '/api/v2/ping': 'workspaces',
    '/oauth2/token': 'oauth',
    '/app/settings/tokens': 'page',
    '/.well-known/terraform.json': 'any',
  },
  console: { '/app': 'any', '/app/~session': 'any', '/app/~session/oidc/logout': 'any', '/app/some/page': 'any' },
  metrics: { '/metrics': 'any' },
} as const;
const EVERYWHERE = {
  '/healthz/live': 'any',
  '/healthz/ready': 'any',
  '/': 'any',
  '/nothing': 'any',
  '*': 'any',
} as const;

/** Methods that Node.js accepts. */
const KNOWN = [...new Set([...METHODS, 'LIST'])];
/** Methods that Node.js does not know. */
const UNKNOWN = ['BREW', 'get', 'X', 'QUERYING', 'LISTS', 'M-SEARCHED', "!#$%&'*+.^_`|~"];
/** Methods that routes take. Their status depends on the route, but is never 500. */
const ROUTED = ['DELETE', 'GET', 'HEAD', 'LIST', 'PATCH', 'POST', 'PUT'];

interface Said {
  readonly status: number;
  readonly allow: string | undefined;
  readonly type: string;
  readonly text: string;
}

/** Sent as raw bytes, because no client library sends all of these methods. */
function overHttp1({ address, ca }: TestServer, method: string, path: string): Promise<Said> {
  const { hostname, port } = new URL(address);
  const target = method === 'CONNECT' ? 'elsewhere.example:443' : path;
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
    socket.on('end', () => {
      const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      const header = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'im').exec(head)?.[1];
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
      resolve({ status, allow: header('allow'), type: header('content-type') ?? '', text });
    });
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
  });
}

async function overHttp2({ address, ca }: TestServer, asked: readonly (readonly [string, string])[]): Promise<Said[]> {
  const session = connectHttp2(address, { ca });
  const ask = ([method, path]: readonly [string, string]) =>
    new Promise<Said>((resolve, reject) => {
      const isConnect = method === 'CONNECT';
      const stream = session.request({
        ':method': method,
        ...(isConnect ? { ':authority': 'elsewhere.example:443' } : { ':path': path }),
      });
      let said: Omit<Said, 'text'>;
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      stream.on('response', ({ ':status': status = 0, allow, 'content-type': type = '' }) => {
        said = { status, allow: allow === undefined ? undefined : `${allow}`, type };
      });
      stream.on('end', () => resolve({ ...said, text })).on('error', reject);
      stream.end();
    });
  try {
    const answers: Said[] = [];
    for (const one of asked) answers.push(await ask(one));
    return answers;
  } finally {
    session.close();
  }
}

/** Returns whether an error has the format of its API. */
function expectShape(api: string, { type, text }: Said): void {
  const body = /json/.test(type) ? JSON.parse(text) : undefined;
  if (api === 'page') expect(type).toMatch(/^text\/html/);
  else if (api === 'any') expect(text).not.toBe('');
  else if (api === 'access') expect(body).toEqual({ errors: [expect.stringMatching(/not supported|unsupported/)] });
  else if (api === 'oauth') expect(body).toEqual({ error: expect.any(String), error_description: expect.any(String) });
  else {
    expect(type).toBe('application/vnd.api+json');
    expect(body.errors).toMatchObject([{ status: '405', detail: expect.stringContaining('not supported') }]);
  }
}

describe.each(Object.entries(LISTENERS))('methods on the listener of %s', (name, own) => {
  let server: TestServer;
  const paths = Object.entries({ ...own, ...EVERYWHERE });
  beforeAll(async () => {
    // The console alone serves no pages without an API beside it.
    const services = name === 'console' ? (['access', 'workspaces', 'console'] as const) : ([name] as const);
    server = await startTestServer('sqlite', { services: services as readonly (typeof name & 'access')[] });
  });
  afterAll(() => server.stop());

  function check(method: string, api: string, said: Said): void {
    if (ROUTED.includes(method)) expect(said.status).not.toBe(500);
    else {
      expect(said.status).toBe(405);
      expect(said.allow?.split(', ')).toEqual(expect.not.arrayContaining([method]));
      if (method !== 'CONNECT') expectShape(api, said);
    }
  }

  it('over HTTP/1.1: an unsupported method gets 405 in the format of its API, with the allowed ones', async () => {
    for (const [path, api] of paths) {
      const asked = [...KNOWN, ...UNKNOWN].map(async (method) => {
        const said = await overHttp1(server, method, path);
        expect(() => check(method, api, said), `${method} ${path}: ${JSON.stringify(said)}`).not.toThrow();
      });
      await Promise.all(asked);
    }
  });

  it('over HTTP/2 too', async () => {
    const asked = paths
      .flatMap(([path, api]) => [...KNOWN, ...UNKNOWN].map((method) => ({ method, path, api })))
      // No client may send it with another method (RFC 9113 §8.3.1).
      .filter(({ method, path }) => path !== '*' || method === 'OPTIONS');
    const answers = await overHttp2(
      server,
      asked.map(({ method, path }) => [method, path] as const),
    );
    for (const [index, { method, path, api }] of asked.entries()) {
      const said = answers[index] as Said;
      expect(() => check(method, api, said), `${method} ${path}: ${JSON.stringify(said)}`).not.toThrow();
    }
  });

  it('a client that sends CONNECT and keeps its side of the connection open holds no resources', async () => {
    const { hostname, port } = new URL(server.address);
    const trust = { ca: server.ca, ALPNProtocols: ['http/1.1'], allowHalfOpen: true };
    const socket = connectTls({ host: hostname, port: Number(port), ...trust });
    socket.resume().write(`CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await once(socket, 'end');
    // Data for a closed socket is answered with a reset.
    const writing = setInterval(() => socket.write('x'), 20);
    await new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
    clearInterval(writing);
    socket.destroy();
  });

  it('Allow names the methods of the path', async () => {
    const expected: Record<string, string> = {
      '/v1/sys/health': 'DELETE, GET, HEAD, LIST, PATCH, POST, PUT',
      '/api/v2/organizations': 'GET, HEAD, POST',
      '/oauth2/token': 'POST',
      '/app/~session': 'DELETE, GET, HEAD, POST',
      '/metrics': 'GET, HEAD',
      '/healthz/live': 'GET, HEAD',
      '/nothing': '',
    };
    for (const [path] of paths) {
      if (expected[path] === undefined) continue;
      expect((await overHttp1(server, 'QUERY', path)).allow, path).toBe(expected[path]);
      expect((await overHttp1(server, 'BREW', path)).allow, path).toBe(expected[path]);
    }
  });
});

import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { FetchError } from '../lib/http/fetch-error.ts';
import { createRoot } from '../pki/index.ts';
import { createGuardedFetch, type FetchOptions } from './guarded-fetch.ts';

const limits = { timeoutMs: 10_000, maxBytes: 1000 };
/** Allows loopback, where the servers of these tests listen. */
const openFetch = createGuardedFetch({ deniedBlocks: [] });
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  return listen(createServer(listener), 'http');
}

async function listen(server: Server, scheme: string): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the `FetchError` of a fetch with these options. */
async function failure(url: string, options: Partial<FetchOptions> = {}, fetch = openFetch): Promise<FetchError> {
  try {
    const response = await fetch(url, { ...limits, ...options });
    await response.bytes();
  } catch (error) {
    if (error instanceof FetchError) return error;
    throw error;
  }
  throw new Error('the fetch succeeded');
}

describe('a response', () => {
  test('has the status, headers and body', async () => {
    const url = await serve((_, response) => response.writeHead(404, { 'x-answer': '42' }).end('not here'));
    const response = await openFetch(url, limits);
    expect(response.status).toBe(404);
    expect(response.headers['x-answer']).toBe('42');
    expect((await response.bytes()).toString()).toBe('not here');
  });

  test('answers the method, headers and body that were sent, on a new connection', async () => {
    const url = await serve(async (request, response) => {
      const chunks = await request.toArray();
      response.end(
        `${request.method} ${request.headers['content-type']} ${request.headers.connection} ${chunks.join('')}`,
      );
    });
    const headers = { 'content-type': 'text/plain' };
    const response = await openFetch(url, { ...limits, method: 'POST', headers, body: Buffer.from('hello') });
    expect((await response.bytes()).toString()).toBe('POST text/plain close hello');
  });

  test('can be left unread', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((_, response) => {
      response.once('close', closed.resolve);
      response.write('never read, never ended');
    });
    (await openFetch(url, limits)).discard();
    await closed.promise;
  });

  test('is limited by its Content-Length before any of it is read', async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'content-length': 1001 }).flushHeaders());
    expect(await failure(url)).toMatchObject({ kind: 'too-large' });
  });

  test('is limited by the received bytes if it has no Content-Length', async () => {
    const url = await serve((_, response) => {
      response.write(Buffer.alloc(1000));
      response.end('x');
    });
    expect(await failure(url)).toMatchObject({ kind: 'too-large', message: 'more than 1000 bytes' });
    const exact = await openFetch(url, { ...limits, maxBytes: 1001 });
    expect(await exact.bytes()).toHaveLength(1001);
  });

  test('in gzip is decoded even if the client did not request it, and its decoded bytes are limited', async () => {
    const send = (bytes: Buffer) =>
      serve((_, response) => response.writeHead(200, { 'content-encoding': 'GZIP' }).end(bytes));
    const exact = await openFetch(await send(gzipSync(Buffer.alloc(1000, 'x'))), limits);
    expect((await exact.bytes()).toString()).toBe('x'.repeat(1000));
    expect(await failure(await send(gzipSync(Buffer.alloc(1001))))).toMatchObject({ kind: 'too-large' });
    expect(await failure(await send(gzipSync(Buffer.alloc(1000)).subarray(0, 15)))).toMatchObject({ kind: 'encoding' });
  });

  test('in another encoding is refused when it is read, and can be left unread', async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'));
    expect(await failure(url)).toMatchObject({ kind: 'encoding', message: expect.stringContaining('"br"') });
    (await openFetch(url, limits)).discard();
  });

  test('that breaks off is an error', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half', () => response.destroy());
    });
    expect((await failure(url)).kind).toBe('network');
  });

  test('that is not HTTP is an error', async () => {
    const url = await listen(
      createTcpServer((socket) => void socket.on('error', () => {}).end('SSH-2.0-OpenSSH\r\n')),
      'http',
    );
    expect((await failure(url)).kind).toBe('network');
  });
});

describe('the timeout', () => {
  test('covers a server that never answers', async () => {
    const url = await serve(() => {});
    expect(await failure(url, { timeoutMs: 50 })).toMatchObject({
      kind: 'timeout',
      message: 'not finished within 50 ms',
    });
  });

  test('covers a body that never ends', async () => {
    const url = await serve((_, response) => void response.write('so far'));
    expect((await failure(url, { timeoutMs: 50 })).kind).toBe('timeout');
  });

  test('covers the resolution of the name', async () => {
    const fetch = createGuardedFetch({ resolve: () => new Promise(() => {}) });
    expect((await failure('http://slow.example.com/', { timeoutMs: 50 }, fetch)).kind).toBe('timeout');
  });

  test('covers a body that is never read', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((_, response) => {
      response.once('close', closed.resolve);
      response.write('so far');
    });
    const response = await openFetch(url, { ...limits, timeoutMs: 50 });
    await closed.promise;
    await expect(response.bytes()).rejects.toMatchObject({ kind: 'timeout' });
  });

  test('stops when the caller aborts', async () => {
    const url = await serve(() => {});
    const controller = new AbortController();
    const failed = failure(url, { signal: controller.signal });
    controller.abort();
    expect((await failed).kind).toBe('aborted');
    expect((await failure(url, { signal: AbortSignal.abort() })).kind).toBe('aborted');
  });
});

describe('a URL', () => {
  test.each([
    ['not a url', 'not a URL'],
    ['http://', 'not a URL'],
    ['ftp://example.com/', 'neither http nor https'],
    ['file:///etc/passwd', 'neither http nor https'],
    ['ldap://example.com/cn=crl', 'neither http nor https'],
    ['data:,x', 'neither http nor https'],
    ['http://user@example.com/', 'a URL with credentials'],
    ['http://:secret@example.com/', 'a URL with credentials'],
    [`http://example.com/${'x'.repeat(4096)}`, 'a URL of more than 4096 characters'],
  ])('%s is not fetched: %s', async (url, message) => {
    expect(await failure(url)).toMatchObject({ kind: 'denied', message });
  });

  test('to a closed port fails', async () => {
    const url = await serve(() => {});
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    expect(await failure(url)).toMatchObject({ kind: 'network', message: 'the connection failed: ECONNREFUSED' });
  });
});

describe('an address', () => {
  test('of this machine is denied by default', async () => {
    const url = await serve((_, response) => response.end('internal'));
    const error = await failure(url, {}, createGuardedFetch());
    expect(error).toMatchObject({ kind: 'denied', message: '127.0.0.1 leads to the denied address 127.0.0.1' });
  });

  test('is resolved once, and the connection uses that answer', async () => {
    const url = new URL(await serve((request, response) => response.end(request.headers.host)));
    const asked: string[] = [];
    const fetch = createGuardedFetch({
      deniedBlocks: ['192.0.2.0/24'],
      resolve: async (hostname) => {
        asked.push(hostname);
        return [{ address: asked.length === 1 ? '127.0.0.1' : '192.0.2.1' }];
      },
    });
    const response = await fetch(`http://responder.example.com:${url.port}/`, limits);
    expect((await response.bytes()).toString()).toBe(`responder.example.com:${url.port}`);
    expect(asked).toEqual(['responder.example.com']);
    const second = await failure(`http://responder.example.com:${url.port}/`, {}, fetch);
    expect(second.kind).toBe('denied');
  });

  test('can be denied by a block of the operator; an invalid block is refused at once', () => {
    expect(() => createGuardedFetch({ deniedBlocks: ['10.0.0.0/33'] })).toThrow('not an IP address or CIDR block');
  });
});

describe('a redirect', () => {
  const chain: RequestListener = (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('here');
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  };

  test('is followed up to the limit of the caller', async () => {
    const url = await serve(chain);
    const response = await openFetch(`${url}/3`, { ...limits, maxRedirects: 3 });
    expect((await response.bytes()).toString()).toBe('here');
    expect((await failure(`${url}/4`, { maxRedirects: 3 })).kind).toBe('redirect');
    expect((await failure(`${url}/1`)).kind).toBe('redirect');
  });

  test('is not followed with a POST', async () => {
    const url = await serve(chain);
    expect((await failure(`${url}/1`, { method: 'POST', maxRedirects: 3 })).kind).toBe('redirect');
  });

  test.each(['http://denied.example.com/', 'http://192.0.2.7/', '//192.0.2.7/', 'file:///etc/passwd', 'http://a:b@x/'])(
    'to %s is checked like the first URL',
    async (location) => {
      const url = new URL(await serve((_, response) => response.writeHead(301, { location }).end()));
      const fetch = createGuardedFetch({
        deniedBlocks: ['192.0.2.0/24'],
        resolve: async (hostname) => [{ address: hostname === 'denied.example.com' ? '192.0.2.1' : '127.0.0.1' }],
      });
      const error = await failure(`http://start.example.com:${url.port}/`, { maxRedirects: 3 }, fetch);
      expect(error.kind).toBe('denied');
    },
  );
});

describe('https', () => {
  const root = createRoot({ subject: 'Responder root' });
  const { pem, keyPem } = root.issue({
    subject: 'responder',
    dns: ['responder.example.com'],
    extendedKeyUsage: ['serverAuth'],
  });
  const toLoopback = createGuardedFetch({ deniedBlocks: [], resolve: async () => [{ address: '127.0.0.1' }] });
  const start = async () => {
    const server = createTlsServer({ cert: pem, key: keyPem }, (_, response) => response.end('safe'));
    return new URL(await listen(server, 'https')).port;
  };

  test('is trusted if a CA of the caller signed its certificate', async () => {
    const url = `https://responder.example.com:${await start()}/`;
    const response = await toLoopback(url, { ...limits, authorities: [root.pem] });
    expect((await response.bytes()).toString()).toBe('safe');
    expect((await failure(url, {}, toLoopback)).kind).toBe('network');
    expect((await failure(url, { authorities: [createRoot().pem] }, toLoopback)).kind).toBe('network');
  });

  test('is not trusted under another name', async () => {
    const url = `https://other.example.com:${await start()}/`;
    const error = await failure(url, { authorities: [root.pem] }, toLoopback);
    expect(error.message).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
  });
});

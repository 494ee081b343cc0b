import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createRoot } from '../../pki/index.ts';
import { FetchError, reasonOf } from './fetch-error.ts';
import { HttpClient } from './http-client.ts';
import type { HttpRequest } from './http-request.ts';

const LIMITS = { timeoutMs: 20_000, maxBytes: 1_000_000 };
/** Both ways to limit the time of a request. The second one has no deadline for the whole body. */
const SHORT = [
  ['a timeout', { timeoutMs: 200, maxBytes: 1_000_000 }],
  ['a limit of silence', { idleMs: 200, maxBytes: 1_000_000 }],
] as const;
const HEAD = 'HTTP/1.1 200 OK\r\n';
const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

async function listen(server: Server, scheme = 'http'): Promise<URL> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  cleanups.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const serve = (listener: RequestListener): Promise<URL> => listen(createServer(listener));

/** Starts a server that answers the first bytes of a connection without knowing HTTP. */
function raw(answer: (socket: Socket) => void, scheme = 'http'): Promise<URL> {
  return listen(
    createTcpServer((socket) => void socket.once('data', () => answer(socket))),
    scheme,
  );
}

/** Writes the text again and again, as long as the connection is open. */
function repeat(socket: Socket, text: string | Buffer, milliseconds: number): void {
  const timer = setInterval(() => socket.write(text), milliseconds);
  socket.on('close', () => clearInterval(timer));
}

/** Writes the text as fast as the client reads it. */
function flood(socket: Socket, text: string | Buffer): void {
  const more = (): void => void (socket.destroyed || socket.write(text, more));
  more();
}

function clientOf(options: Partial<ConstructorParameters<typeof HttpClient>[0]> = {}): HttpClient {
  const client = new HttpClient({ connections: 'new', ...options });
  cleanups.push(() => client.close());
  return client;
}

async function textOf(url: URL, request: Partial<HttpRequest> = {}, client = clientOf()): Promise<string> {
  const response = await client.send(url, { limits: LIMITS, ...request });
  return (await response.bytes()).toString();
}

async function failure(url: URL, request: Partial<HttpRequest> = {}, client = clientOf()): Promise<FetchError> {
  const error = await textOf(url, request, client).catch((thrown) => thrown);
  if (error instanceof FetchError) return error;
  throw new Error(`no FetchError, but ${error}`);
}

describe.each(SHORT)('%s ends a request to a server that', (_, limits) => {
  test('accepts the connection and says nothing', async () => {
    expect(await failure(await raw(() => {}), { limits })).toMatchObject({ kind: 'timeout', code: 'ETIMEDOUT' });
  });

  test('never answers the TLS handshake', async () => {
    expect((await failure(await raw(() => {}, 'https'), { limits })).kind).toBe('timeout');
  });

  test('sends the TLS handshake byte by byte', async () => {
    const url = await raw((socket) => {
      socket.write(Buffer.from([0x16, 3, 3, 0x3f, 0xff, 2, 0, 0x3f, 0xfb, 3, 3]));
      repeat(socket, Buffer.from([0]), 20);
    }, 'https');
    expect((await failure(url, { limits })).kind).toBe('timeout');
  });

  test('sends the head byte by byte', async () => {
    const url = await raw((socket) => {
      socket.write(`${HEAD}x-slow: `);
      repeat(socket, 'a', 20);
    });
    expect((await failure(url, { limits })).kind).toBe('timeout');
  });

  test('sends interim responses without end', async () => {
    const url = await raw((socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 20));
    expect((await failure(url, { limits })).kind).toBe('timeout');
  });

  test('stops in the middle of the body', async () => {
    const url = await serve((_request, response) => void response.write('so far'));
    expect((await failure(url, { limits })).kind).toBe('timeout');
  });

  test('does not read the request', async () => {
    const url = await listen(createTcpServer((socket) => void socket.pause()));
    const content = {
      size: 200_000_000,
      open: async function* () {
        for (let sent = 0; sent < 2_000; sent++) yield Buffer.alloc(100_000);
      },
    };
    expect((await failure(url, { limits, method: 'PUT', body: content })).kind).toBe('timeout');
  });
});

describe('a body that arrives byte by byte', () => {
  const drip = (count: number) =>
    raw((socket) => {
      socket.write(`${HEAD}content-length: ${count}\r\n\r\n`);
      repeat(socket, 'a', 250);
    });

  test('is over at the timeout', async () => {
    expect((await failure(await drip(1_000), { limits: { ...LIMITS, timeoutMs: 600 } })).kind).toBe('timeout');
  });

  test('is read to its end if only silence is limited', async () => {
    const text = await textOf(await drip(8), { limits: { idleMs: 1_500, maxBytes: 8 } });
    expect(text).toBe('aaaaaaaa');
  });
});

describe('the size of a response is limited', () => {
  test('without its length, while it arrives', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await raw((socket) => {
      socket.once('close', () => closed.resolve());
      socket.write(`${HEAD}\r\n`);
      flood(socket, Buffer.alloc(65_536));
    });
    expect(await failure(url)).toMatchObject({ kind: 'too-large', message: 'more than 1000000 bytes' });
    await closed.promise;
  });

  test('by its announced length, but not in a response to HEAD', async () => {
    const url = await serve((_request, response) => response.setHeader('content-length', 1_000_001).end());
    expect((await failure(url)).kind).toBe('too-large');
    expect(await textOf(url, { method: 'HEAD' })).toBe('');
  });

  test('after it is decoded', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    expect(bomb.length).toBeLessThan(200_000);
    const url = await serve((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    expect((await failure(url)).kind).toBe('too-large');
  });

  test('before it is decoded, because gzip without content has no end', async () => {
    const nothing = Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('')));
    const url = await raw((socket) => {
      socket.write(`${HEAD}content-encoding: gzip\r\n\r\n`);
      flood(socket, nothing);
    });
    expect((await failure(url)).kind).toBe('too-large');
  });

  test.each([
    ['many headers', 'x-more: text\r\n'.repeat(100)],
    ['an endless header', `x-long: ${'a'.repeat(1_000)}`],
  ])('in its head: %s', async (_, text) => {
    const url = await raw((socket) => {
      socket.write(HEAD);
      flood(socket, text);
    });
    expect((await failure(url)).code).toBe('HPE_HEADER_OVERFLOW');
  });

  test('in its trailers', async () => {
    const url = await raw((socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n`);
      flood(socket, 'x-more: text\r\n'.repeat(100));
    });
    expect((await failure(url)).kind).toBe('network');
  });
});

describe('a broken response', () => {
  test('whose connection is reset in its body is an error', async () => {
    const url = await raw((socket) => {
      socket.write(`${HEAD}content-length: 10\r\n\r\nhalf`, () => socket.resetAndDestroy());
    });
    expect(await failure(url)).toMatchObject({ kind: 'network', code: 'ECONNRESET' });
  });

  test('that is shorter than announced is an error', async () => {
    const url = await raw((socket) => void socket.end(`${HEAD}content-length: 10\r\n\r\nhalf`));
    expect((await failure(url)).kind).toBe('network');
  });

  test('that is longer than announced does not become the next response of a kept connection', async () => {
    const url = await raw((socket) => {
      const evil = `${HEAD}content-length: 4\r\n\r\nevil`;
      socket.write(`${HEAD}content-length: 4\r\n\r\ngood${evil}`);
      socket.once('data', () => socket.write(`${HEAD}content-length: 4\r\n\r\nnext`));
    });
    const client = clientOf({ connections: { maxIdle: 1, maxOpen: 1 } });
    expect(await textOf(url, {}, client)).toBe('good');
    expect(await textOf(url, {}, client)).not.toBe('evil');
  });

  test('with two lengths is an error', async () => {
    const url = await raw(
      (socket) => void socket.write(`${HEAD}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    );
    expect((await failure(url)).kind).toBe('network');
  });

  test('that switches protocols is an error', async () => {
    const url = await raw(
      (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
    expect((await failure(url)).kind).toBe('network');
  });

  test('names the reason of each address that was tried', async () => {
    const url = await serve(() => {});
    for (const clean of cleanups.splice(0)) clean();
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }) as const);
    const named = new URL(`http://example.test:${url.port}/`);
    const error = await failure(named, {}, clientOf({ addressesOf: async () => addresses }));
    expect(error.code).toBe('ECONNREFUSED');
    expect(reasonOf(error)).toBe(addresses.map((at) => `connect ECONNREFUSED ${at.address}:${url.port}`).join('; '));
  });
});

describe('a redirect', () => {
  const to = (location: string | (() => string)) =>
    serve((_request, response) =>
      response.writeHead(302, { location: typeof location === 'string' ? location : location() }).end('see there'),
    );
  const headersOf = () => serve((request, response) => response.end(JSON.stringify(request.headers)));
  const secrets = { Authorization: 'Bearer a', cookie: 'b=c', 'x-vault-token': 'd', accept: 'text/plain' };

  test('is returned, unless the request allows it', async () => {
    const response = await clientOf().send(await to('https://127.0.0.1:1/'), { limits: LIMITS });
    expect([response.status, (await response.bytes()).toString()]).toEqual([302, 'see there']);
  });

  test('that leads to itself is followed up to the limit', async () => {
    let asked = 0;
    const url = await to(() => `/${++asked}`);
    expect((await failure(url, { maxRedirects: 5 })).kind).toBe('redirect');
    expect(asked).toBe(6);
  });

  test('is checked at each hop', async () => {
    const asked: string[] = [];
    const url = await to('http://private.example.com/');
    const client = clientOf({
      addressesOf: async ({ hostname }) => {
        asked.push(hostname);
        if (hostname !== '127.0.0.1') throw new FetchError('denied', 'a private address');
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    expect((await failure(url, { maxRedirects: 5 }, client)).kind).toBe('denied');
    expect(asked).toEqual(['127.0.0.1', 'private.example.com']);
  });

  test.each(['file:///etc/passwd', 'http://user:secret@127.0.0.1/', `/${'a'.repeat(5_000)}`])(
    'to %s is not followed',
    async (location) => {
      expect((await failure(await to(location), { maxRedirects: 5 })).kind).toBe('denied');
    },
  );

  test('to another origin carries no credentials, whatever their header', async () => {
    const other = await headersOf();
    const received = JSON.parse(await textOf(await to(other.href), { maxRedirects: 1, headers: secrets }));
    expect(Object.keys(received).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
  });

  test('on the same origin carries all headers', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/') response.writeHead(307, { location: '/here' }).end();
      else response.end(JSON.stringify(request.headers));
    });
    const received = JSON.parse(await textOf(url, { maxRedirects: 1, headers: secrets }));
    expect(received).toMatchObject({ authorization: 'Bearer a', cookie: 'b=c', 'x-vault-token': 'd' });
  });

  test('of a POST is an error', async () => {
    const url = await to('/');
    expect((await failure(url, { method: 'POST', body: 'a', maxRedirects: 5 })).kind).toBe('redirect');
  });

  test('to another origin gets no client certificate', async () => {
    const { pem, keyPem } = createRoot().issue();
    const other = await headersOf();
    const url = await to(other.href);
    const error = await failure(url, { maxRedirects: 1, tls: { cert: pem, key: keyPem } });
    expect(error.message).toContain('redirects a request with a client certificate');
  });
});

describe('connections', () => {
  const portOf = () => serve((request, response) => response.end(String(request.socket.remotePort)));

  test('are new for each request', async () => {
    const url = await portOf();
    const client = clientOf();
    expect(await textOf(url, {}, client)).not.toBe(await textOf(url, {}, client));
  });

  test.each(['process', { maxIdle: 1 }] as const)('stay open between requests: %j', async (connections) => {
    const url = await portOf();
    const client = clientOf({ connections });
    expect(await textOf(url, {}, client)).toBe(await textOf(url, {}, client));
  });

  test('of a request with its own TLS settings are its own', async () => {
    const url = await portOf();
    const client = clientOf({ connections: { maxIdle: 1 } });
    expect(await textOf(url, {}, client)).not.toBe(await textOf(url, { tls: {} }, client));
  });

  test('that are idle close with the client', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      request.socket.once('close', () => closed.resolve());
      response.end('a');
    });
    const client = clientOf({ connections: { maxIdle: 1 } });
    expect(await textOf(url, {}, client)).toBe('a');
    client.close();
    await closed.promise;
  });

  test('verify the server', async () => {
    const { pem, keyPem } = createRoot().issue();
    const url = await listen(
      createTlsServer({ cert: pem, key: keyPem }, (_request, response) => response.end('a')),
      'https',
    );
    expect((await failure(url)).kind).toBe('network');
    expect(await textOf(url, { tls: { rejectUnauthorized: false } })).toBe('a');
  });
});

describe('an upload', () => {
  const content = (text: string, size: number) => ({
    size,
    open: async function* () {
      for (const character of text) yield Buffer.from(character);
    },
  });

  test('is streamed', async () => {
    const url = await serve(async (request: IncomingMessage, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      response.end(`${request.method} ${request.headers['content-length']} ${body}`);
    });
    expect(await textOf(url, { method: 'PUT', body: content('hello', 5) })).toBe('PUT 5 hello');
  });

  test.each([4, 6])('of 5 bytes that announces %d is an error, and none of it is read as a request', async (size) => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.method);
      response.end(`${request.method}`);
    });
    const client = clientOf({ connections: { maxIdle: 1, maxOpen: 1 } });
    expect(await textOf(url, {}, client)).toBe('GET');
    const error = await client.send(url, { method: 'PUT', body: content('hello', size), limits: LIMITS }).then(
      () => undefined,
      (thrown) => thrown,
    );
    if (error) expect(reasonOf(error)).toBe(`the content does not have the announced ${size} bytes`);
    expect(await textOf(url, {}, client)).toBe('GET');
    expect(seen.filter((method) => method !== 'PUT')).toEqual(['GET', 'GET']);
  });

  test('whose source fails is an error', async () => {
    const url = await listen(createTcpServer((socket) => void socket.resume()));
    const broken = {
      size: 10,
      // biome-ignore lint/correctness/useYield: it fails before its first byte
      open: async function* (): AsyncGenerator<Uint8Array> {
        throw new Error('the file is gone');
      },
    };
    expect(reasonOf(await failure(url, { method: 'PUT', body: broken }))).toBe('the file is gone');
  });
});

test('an abort of the caller ends a request at once, and leaves no listener', async () => {
  const url = await serve(() => {});
  const caller = new AbortController();
  const failed = failure(url, { signal: caller.signal });
  caller.abort();
  expect((await failed).kind).toBe('aborted');
  expect((await failure(url, { signal: AbortSignal.abort() })).kind).toBe('aborted');
});

test('the socket of a response that nobody reads closes at the limit of silence', async () => {
  const closed = Promise.withResolvers<void>();
  const url = await raw((socket) => {
    socket.once('close', () => closed.resolve());
    socket.write(`${HEAD}content-length: 10\r\n\r\nhalf`);
  });
  await clientOf().send(url, { limits: { idleMs: 100, maxBytes: 10 } });
  await closed.promise;
});

import type { IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  clientOf,
  closeAll,
  failure,
  LIMITS,
  listen,
  serve,
  textOf,
} from '../../../test/support/outgoing/http-servers.ts';
import { createRoot } from '../../pki/index.ts';
import { FetchError, reasonOf } from './fetch-error.ts';

afterEach(closeAll);

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

test.each([0, 1])('a reader that ends after %i reads closes the connection at once', async (reads) => {
  const closed = Promise.withResolvers<void>();
  const url = await serve((_request, response) => {
    response.once('close', () => closed.resolve());
    response.flushHeaders();
  });
  const { body } = await clientOf().send(url, { limits: { ...LIMITS, timeoutMs: 600_000, idleMs: 600_000 } });
  const chunks = body[Symbol.asyncIterator]();
  const pending = Array.from({ length: reads }, () => chunks.next().catch(() => {}));
  await chunks.return?.();
  await Promise.all([closed.promise, ...pending]);
});

import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  clientOf,
  closeAll,
  failure,
  flood,
  HEAD,
  LIMITS,
  listen,
  raw,
  repeat,
  serve,
  textOf,
} from '../../../test/support/outgoing/http-servers.ts';
import { reasonOf } from './fetch-error.ts';

/** Both ways to limit the time of a request. The second one has no deadline for the whole body. */
const SHORT = [
  ['a timeout', { timeoutMs: 200, maxBytes: 1_000_000 }],
  ['a limit of silence', { idleMs: 200, maxBytes: 1_000_000 }],
] as const;

afterEach(closeAll);

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
    closeAll();
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }) as const);
    const named = new URL(`http://example.test:${url.port}/`);
    const error = await failure(named, {}, clientOf({ addressesOf: async () => addresses }));
    expect(error.code).toBe('ECONNREFUSED');
    expect(reasonOf(error)).toBe(addresses.map((at) => `connect ECONNREFUSED ${at.address}:${url.port}`).join('; '));
  });
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

import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { END_STREAM, FrameClient } from '../../../test/support/http2/frames.ts';
import {
  type DialOptions,
  dial,
  type Listening,
  listening,
  message,
  serverRoot,
  serverTls,
  type Wire,
} from '../../../test/support/listening.ts';
import { AppError } from '../../lib/errors.ts';
import { parseJsonBody } from '../../lib/json.ts';
import type { Service } from '../../lib/service.ts';
import type { Limits } from '../connection/listener-limits.ts';
import { LINGER_BYTES } from '../http1/lingering-close.ts';
import { plainErrors } from '../request/error-edge.ts';
import { DISCARDED_BYTES, KEPT_BODY_BYTES } from './unread-body.ts';

/** More bytes than the server reads of a refused body. */
const FLOOD = 2 * LINGER_BYTES;
/** Upper bound of what the sockets of both sides hold. */
const IN_BUFFERS = 24 * 1_048_576;
/** A large body of an honest client. */
const LARGE_BODY = 40 * 1_048_576;

/** Refuses before it reads a body, or in the middle of it. */
const guarded: Service = {
  name: 'guarded',
  prefix: '/guarded',
  errors: plainErrors,
  notFound: () => new AppError('not-found', 'no such path'),
  routes(app) {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
    app.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null));
    app.post('/open', async (request) => ({ body: request.body }));
    for (const kind of ['unauthenticated', 'forbidden', 'too-many-requests', 'unavailable'] as const) {
      const refuse = async () => {
        throw new AppError(kind, 'refused');
      };
      app.post(`/${kind}`, { onRequest: refuse }, async () => ({}));
    }
    app.put('/begun', async ({ raw, event }) => {
      event.transfers();
      for await (const _chunk of raw.iterator({ destroyOnReturn: false })) break;
      throw new AppError('too-large', 'too much');
    });
    app.get('/broken', async (_request, reply) => reply.send(Readable.from(broken())));
  },
};

async function* broken(): AsyncGenerator<string> {
  yield 'begun';
  await setImmediate();
  throw new Error('the source is gone');
}

async function start(tls: typeof serverTls | false, limits: Partial<Limits> = {}): Promise<Listening> {
  const server = await listening({ tls, services: [guarded], limits: { bodyBytes: 1_048_576, ...limits } });
  onTestFinished(() => server.server.close(0));
  return server;
}

async function connect(server: Listening, options?: DialOptions): Promise<Wire> {
  const wire = await dial(server, options);
  onTestFinished(() => void wire.socket.destroy());
  return wire;
}

/**
 * Sends a head, and as much of the body as the server accepts. Returns the number of bytes once the connection is
 * closed.
 */
async function flood(wire: Wire, head: string, piece: Buffer): Promise<number> {
  const { socket } = wire;
  wire.socket.write(head);
  for (let sent = 0; sent < FLOOD && !socket.destroyed; sent += piece.length) {
    if (!socket.write(piece)) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), wire.closed]);
    }
  }
  await wire.closed;
  return socket.bytesWritten - socket.writableLength;
}

const PIECE = Buffer.alloc(65_536, 'x');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]);
const REFUSED = [
  ['POST', '/guarded/unauthenticated', 401],
  ['POST', '/guarded/forbidden', 403],
  ['POST', '/guarded/too-many-requests', 429],
  ['POST', '/guarded/unavailable', 503],
  ['PUT', '/guarded/begun', 413],
  ['POST', '/guarded/open', 413],
  ['POST', '/guarded/nothing', 413],
  ['POST', '/nowhere', 404],
  ['POST', '/healthz/live', 404],
  ['POST', '/metrics', 404],
  ['PROPFIND', '/guarded/open', 405],
] as const;

describe.each([
  ['plain', false as const],
  ['TLS', serverTls],
])('a body that nobody reads, %s', (_name, tls) => {
  test.each(REFUSED)('%s %s is answered %i, and its connection closed', async (method, path, status) => {
    const server = await start(tls);
    const type = { 'Content-Type': method === 'PUT' ? 'application/octet-stream' : 'application/json' };
    const announced = message(method, path, { ...type, 'Content-Length': String(FLOOD) });
    const chunked = message(method, path, { ...type, 'Transfer-Encoding': 'chunked' });
    for (const [head, piece] of [
      [announced, PIECE],
      [chunked, CHUNK],
    ] as const) {
      const wire = await connect(server);
      const answered = wire.next();
      const taken = await flood(wire, head, piece);
      expect(await answered).toMatchObject({ status, headers: { connection: 'close' } });
      // The client closes the connection when it has the response.
      expect(taken).toBeLessThan(IN_BUFFERS);
    }
  });

  test('is bounded when its client neither reads nor stops', async () => {
    const wire = await connect(await start(tls), { allowHalfOpen: true });
    const head = message('POST', '/nowhere', { 'Content-Length': String(4 * FLOOD) });
    const taken = await flood(wire, head, PIECE);
    expect(taken).toBeLessThan(LINGER_BYTES + IN_BUFFERS);
  });

  test('reaches a client that writes all of it before it reads', async () => {
    const server = await start(tls);
    for (const [method, path, status] of [REFUSED[1], REFUSED[4], REFUSED[7]]) {
      const wire = await connect(server, { allowHalfOpen: true });
      const head = message(method, path, { 'Content-Type': 'application/json', 'Content-Length': String(LARGE_BODY) });
      wire.socket.pause().write(head);
      await new Promise((resolve) => wire.socket.write(Buffer.alloc(LARGE_BODY, 'x'), resolve));
      wire.socket.resume();
      expect(await wire.next()).toMatchObject({ status, headers: { connection: 'close' } });
      wire.socket.end();
      await wire.closed;
      expect(wire.failure).toBeUndefined();
    }
  });

  test('leaves the connection to the next request when it is short', async () => {
    const wire = await connect(await start(tls));
    const json = { 'Content-Type': 'application/json' };
    for (const length of [2, 2_000, KEPT_BODY_BYTES]) {
      const refused = message('POST', '/guarded/forbidden', json, 'x'.repeat(length));
      const end = refused.indexOf('\r\n\r\n') + 4;
      expect((await wire.ask(refused)).status).toBe(403);
      expect((await wire.ask(refused.slice(0, end), refused.slice(end))).status).toBe(403);
      expect((await wire.ask(message('POST', '/guarded/open', json, '1'))).body).toEqual({ body: 1 });
    }
  });

  test('is no reason to close where there is none', async () => {
    const wire = await connect(await start(tls));
    for (const path of ['/guarded/forbidden', '/nowhere', '/guarded/forbidden']) {
      expect((await wire.ask(message('POST', path))).headers.connection).not.toBe('close');
    }
  });
});

describe('a body that nobody reads, HTTP/2', () => {
  async function frames(server: Listening, window?: number): Promise<FrameClient> {
    const client = await FrameClient.connect({ port: server.port, ca: serverRoot.pem, ...(window && { window }) });
    onTestFinished(() => client.close());
    return client;
  }

  const ask = (client: FrameClient, method: string, path: string): number =>
    client.request(method, path, {
      'content-type': method === 'PUT' ? 'application/octet-stream' : 'application/json',
    });

  const noneInFlight = (server: Listening) =>
    expect
      .poll(() => server.metrics.page(), { timeout: 10_000 })
      .toContain('http_requests_in_flight{listener="main"} 0');

  const COMPLETE = /^HEADERS,(DATA,)*DATA\+END_STREAM$/;
  const STOPPED = /^HEADERS,(DATA,)*DATA\+END_STREAM,RST_STREAM\(0\)$/;

  test.each(REFUSED)(
    '%s %s is answered %i in full before its client is asked to stop',
    async (method, path, status) => {
      const server = await start(serverTls);
      const client = await frames(server);
      const endless = ask(client, method, path);
      const sent = await client.data(endless, Buffer.alloc(LARGE_BODY, 'x'));
      const answer = client.answer(endless);
      expect([answer.status, answer.frames.join()]).toEqual([status, expect.stringMatching(STOPPED)]);
      expect(answer.text).not.toBe('');
      expect(sent).toBeLessThan(3 * DISCARDED_BYTES);
      await noneInFlight(server);
    },
  );

  test('is not waited for when its client sends nothing more', async () => {
    const server = await start(serverTls);
    const client = await frames(server);
    const stream = ask(client, 'POST', '/guarded/forbidden');
    await client.data(stream, Buffer.from('{'));
    await client.until(() => client.isOver(stream));
    expect(client.answer(stream).frames.join()).toMatch(STOPPED);
    await noneInFlight(server);
  });

  test('is read when it is there: the stream ends on both sides, and nothing is reset', async () => {
    const server = await start(serverTls);
    const client = await frames(server);
    for (const [method, path] of REFUSED) {
      const stream = ask(client, method, path);
      await client.data(stream, Buffer.from('{}'), END_STREAM);
      await client.until(() => client.isAnswered(stream));
      expect(client.answer(stream).frames.join()).toMatch(COMPLETE);
    }
    await noneInFlight(server);
    expect(client.frames.map(({ type }) => type)).not.toContain('RST_STREAM');
  });

  test('waits for a client that has no room for the answer', async () => {
    const server = await start(serverTls);
    const client = await frames(server, 5);
    const stream = ask(client, 'POST', '/nowhere');
    const sending = client.data(stream, Buffer.alloc(LARGE_BODY, 'x'));
    // The pause is longer than the timeout of a client that has window left.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(client.answer(stream).frames).toEqual(['HEADERS', 'DATA']);
    client.open(stream, 1_000);
    await sending;
    expect(client.answer(stream).frames.join()).toMatch(STOPPED);
    expect(JSON.parse(client.answer(stream).text)).toEqual({ errors: ['no such path'] });
    await noneInFlight(server);
  });

  test('is answered by a server that stops, too', async () => {
    const server = await start(serverTls);
    const client = await frames(server);
    const stream = ask(client, 'PUT', '/guarded/begun');
    server.server.drain();
    const sent = await client.data(stream, Buffer.alloc(LARGE_BODY, 'x'));
    expect(client.answer(stream).frames.join()).toMatch(STOPPED);
    expect(client.answer(stream).status).toBe(413);
    expect(sent).toBeLessThan(3 * DISCARDED_BYTES);
    expect(client.frames.map(({ type }) => type)).toContain('GOAWAY');
  });

  test('is answered 408 when it takes too long', async () => {
    const server = await start(serverTls, { requestMs: 100 });
    const client = await frames(server);
    const stream = ask(client, 'POST', '/guarded/open');
    await client.data(stream, Buffer.from('{'));
    await client.until(() => client.isOver(stream));
    expect(client.answer(stream)).toMatchObject({ status: 408, text: '{"errors":["Request Timeout"]}' });
    expect(client.answer(stream).frames.join()).toMatch(STOPPED);
    await expect.poll(() => server.requests()).toMatchObject([{ status: 408, error: 'ERR_HTTP_REQUEST_TIMEOUT' }]);
  });
});

test('an answer over HTTP/2 that breaks off ends its stream with an error', async () => {
  const server = await start(serverTls);
  const client = await FrameClient.connect({ port: server.port, ca: serverRoot.pem });
  onTestFinished(() => client.close());
  const stream = client.request('GET', '/guarded/broken');
  client.send('DATA', END_STREAM, stream);
  await client.until(() => client.isAnswered(stream));
  expect(client.answer(stream)).toMatchObject({
    status: 200,
    text: 'begun',
    frames: ['HEADERS', 'DATA', 'RST_STREAM(2)'],
  });
});

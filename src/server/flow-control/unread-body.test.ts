import { describe, expect, onTestFinished, test } from 'vitest';
import {
  dial,
  dialHttp2,
  type Listening,
  listening,
  message,
  serverTls,
  type Wire,
} from '../../../test/support/listening.ts';
import { AppError } from '../../lib/errors.ts';
import { parseJsonBody } from '../../lib/json.ts';
import type { Service } from '../../lib/service.ts';
import { plainErrors } from '../request/error-edge.ts';
import { DRAINED_BYTES, KEPT_BODY_BYTES } from './unread-body.ts';

/** What a socket may hold of what nobody reads: far less than what is sent here. */
const FLOOD = 64 * 1_048_576;
const IN_BUFFERS = 24 * 1_048_576;

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
  },
};

async function start(tls: typeof serverTls | false): Promise<Listening> {
  const server = await listening({ tls, services: [guarded], limits: { bodyBytes: 1_048_576 } });
  onTestFinished(() => server.server.close(0));
  return server;
}

async function connect(server: Listening): Promise<Wire> {
  const wire = await dial(server);
  onTestFinished(() => void wire.socket.destroy());
  return wire;
}

/** Sends a head and as much body as is taken; how many bytes that was once the connection is closed. */
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
    const announced = message(method, path, { ...type, 'Content-Length': String(4 * FLOOD) });
    const chunked = message(method, path, { ...type, 'Transfer-Encoding': 'chunked' });
    for (const [head, piece] of [
      [announced, PIECE],
      [chunked, CHUNK],
    ] as const) {
      const wire = await connect(server);
      const answered = wire.next();
      const taken = await flood(wire, head, piece);
      expect(await answered).toMatchObject({ status, headers: { connection: 'close' } });
      expect(taken).toBeLessThan(DRAINED_BYTES + IN_BUFFERS);
    }
  });

  test('reaches a client that writes all of it first', async () => {
    const wire = await connect(await start(tls));
    const body = 'x'.repeat(DRAINED_BYTES / 2);
    const reply = await wire.ask(message('POST', '/guarded/forbidden', { 'Content-Type': 'application/json' }, body));
    expect(reply).toMatchObject({ status: 403, headers: { connection: 'close' } });
    await wire.closed;
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

test('a body that nobody reads to its end over HTTP/2 ends its stream and no other', async () => {
  const server = await start(serverTls);
  const session = await dialHttp2(server);
  onTestFinished(() => session.destroy());
  for (let i = 0; i < 3; i++) {
    const headers = { ':method': 'PUT', ':path': '/guarded/begun', 'content-type': 'application/octet-stream' };
    const stream = session.request(headers).on('error', () => {});
    const status = new Promise((resolve) => stream.once('response', (head) => resolve(head[':status'])));
    stream.resume();
    const write = () => void (stream.writable && stream.write(PIECE, write));
    write();
    expect(await status).toBe(413);
    const page = () => server.metrics.page();
    await expect.poll(page, { timeout: 10_000 }).toContain('http_requests_in_flight{listener="main"} 0');
  }
});

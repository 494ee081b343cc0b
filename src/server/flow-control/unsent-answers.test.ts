import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2, constants } from 'node:http2';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  type Listening,
  type ListeningOptions,
  listening,
  message,
  serverRoot,
  serverTls,
  type Wire,
} from '../../../test/support/listening.ts';
import { AppError } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { IDLE_FRAMES_PER_SECOND } from '../connection/listener-limits.ts';
import { plainErrors } from '../request/error-edge.ts';
import { ANSWER_BYTES } from './unsent-answers.ts';

/** More bytes than the buffers of an unread loopback connection hold. */
const LARGE = 16 * 1_048_576;
const PIECE = 100_000;
const SLOW = { timeout: 10_000 };

/** `handled` returns the number of executed requests. */
function largeService(handled: { count: number }): Service {
  const large = Buffer.alloc(LARGE, 'x');
  return {
    name: 'large',
    prefix: '/large',
    errors: plainErrors,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.addHook('onRequest', async () => void handled.count++);
      app.get('/answer', async () => large);
      app.get('/piece', async () => large.subarray(0, PIECE));
      app.get('/small', async () => 'small');
      app.get('/stream', async (request, reply) => {
        request.event.transfers();
        return reply.header('content-length', LARGE).send(Readable.from(pieces(large)));
      });
    },
  };
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function start(options: ListeningOptions = {}) {
  const handled = { count: 0 };
  const server = await listening({ services: [largeService(handled)], ...options });
  onTestFinished(() => server.server.close(0));
  return { server, handled };
}

async function connect(server: Listening): Promise<Wire> {
  const wire = await dial(server);
  onTestFinished(() => void wire.socket.destroy());
  return wire;
}

/** Opens a connection that lets the server send one byte of each response. */
async function narrow(server: Listening): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${server.port}`, {
    ca: serverRoot.pem,
    settings: { initialWindowSize: 1 },
  });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  await once(session, 'connect');
  return session;
}

function request(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  return session
    .request({ ':path': path })
    .on('error', () => {})
    .pause();
}

/** Waits until this many bytes have arrived, and discards them. */
function received({ socket }: Wire, bytes: number): Promise<void> {
  const all = Promise.withResolvers<void>();
  let count = 0;
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    count += chunk.length;
    if (count >= bytes) all.resolve();
  });
  socket.once('close', () => all.reject(new Error(`closed after ${count} bytes`)));
  return all.promise;
}

const connections = (server: Listening, count: number) =>
  expect.poll(() => server.metrics.page(), SLOW).toContain(`connections{listener="main"} ${count}`);
const inFlight = (server: Listening, count: number) =>
  expect.poll(() => server.metrics.page(), SLOW).toContain(`http_requests_in_flight{listener="main"} ${count}`);

describe.each([
  ['plain', false as const],
  ['TLS', serverTls],
])('an answer over HTTP/1.1 that nobody reads, %s', (_name, tls) => {
  test('is given up after a while, with its connection', async () => {
    const { server } = await start({ tls, limits: { answerIdleMs: 200 } });
    const wire = await connect(server);
    wire.socket.pause();
    wire.socket.write(message('GET', '/large/answer'));
    await expect.poll(() => server.requests(), SLOW).toHaveLength(1);
    await connections(server, 0);
  });

  test('is given up when its client takes it too slowly, too', async () => {
    const { server } = await start({ tls, limits: { answerIdleMs: 60_000, answerMs: 300 } });
    const wire = await connect(server);
    wire.socket.pause();
    wire.socket.write(message('GET', '/large/answer'));
    await connections(server, 0);
  });

  test('holds back nobody who reads', async () => {
    const { server } = await start({ tls });
    const silent = await connect(server);
    silent.socket.pause();
    silent.socket.write(message('GET', '/large/answer'));
    const wire = await connect(server);
    wire.socket.write(message('GET', '/large/answer') + message('GET', '/large/stream'));
    await received(wire, 2 * LARGE);
  });

  test('is a transfer where large content passes, which has times of its own', async () => {
    const { server } = await start({ tls, limits: { answerIdleMs: 50, answerMs: 50, transferIdleMs: 60_000 } });
    const wire = await connect(server);
    wire.socket.pause();
    wire.socket.write(message('GET', '/large/stream'));
    await inFlight(server, 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const all = received(wire, LARGE);
    wire.socket.resume();
    await all;
  });

  test('goes first when too much is unsent for all, and others are answered', async () => {
    const { server } = await start({ tls, serverLimits: { unsentBytes: 3 * (LARGE + ANSWER_BYTES) } });
    const silent = await Promise.all(Array.from({ length: 6 }, () => connect(server)));
    for (const wire of silent) {
      wire.socket.pause();
      wire.socket.write(message('GET', '/large/answer'));
    }
    await expect.poll(() => server.requests().length, SLOW).toBeGreaterThanOrEqual(3);
    await inFlight(server, 3);
    const wire = await connect(server);
    expect((await wire.ask(message('GET', '/large/small'))).text).toBe('small');
  });
});

describe('answers over HTTP/2 that nobody reads', () => {
  test('end their connection after a while, though the window lets nothing pass', async () => {
    const { server } = await start({ limits: { answerIdleMs: 200 } });
    const session = await narrow(server);
    for (let i = 0; i < 100; i++) request(session, '/large/piece');
    await connections(server, 0);
    await inFlight(server, 0);
  });

  test('end it although the client keeps saying that it is there', async () => {
    const { server } = await start({ limits: { answerIdleMs: 60_000, answerMs: 400 } });
    const session = await narrow(server);
    for (let i = 0; i < 10; i++) request(session, '/large/piece');
    const pings = setInterval(() => !session.destroyed && session.ping(() => {}), 50);
    onTestFinished(() => clearInterval(pings));
    await connections(server, 0);
  });

  test('end it when its socket takes nothing, whatever the window says', async () => {
    const { server } = await start({ limits: { answerIdleMs: 300 } });
    const session = await dialHttp2(server);
    onTestFinished(() => session.destroy());
    session.setLocalWindowSize(2 ** 31 - 1);
    for (let i = 0; i < 4; i++) request(session, '/large/answer');
    await inFlight(server, 4);
    await connections(server, 0);
  });

  test('let further requests of the connection wait while they are many bytes', async () => {
    const { server, handled } = await start({ limits: { unsentBytes: 5 * (PIECE + ANSWER_BYTES) } });
    const session = await narrow(server);
    for (let i = 0; i < 6; i++) request(session, '/large/piece');
    await expect.poll(() => handled.count, SLOW).toBe(6);
    const later = Array.from({ length: 20 }, () => request(session, '/large/small'));
    await inFlight(server, 26);
    expect(handled.count).toBe(6);
    const [other] = [await dialHttp2(server)];
    onTestFinished(() => other.destroy());
    expect((await ask2(other, { ':path': '/large/small' })).status).toBe(200);
    expect(handled.count).toBe(7);
    later[0]?.close();
    await inFlight(server, 25);
    session.destroy();
    await inFlight(server, 0);
    expect(handled.count).toBe(7);
  });

  test('wait their turn, and all arrive, at a client that reads', async () => {
    const { server } = await start({ limits: { unsentBytes: 5 * (PIECE + ANSWER_BYTES) } });
    const session = await dialHttp2(server);
    onTestFinished(() => session.destroy());
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask2(session, { ':path': '/large/piece' })));
    expect(replies.map(({ text }) => text.length)).toEqual(replies.map(() => PIECE));
    expect((await ask2(session, { ':path': '/large/stream' })).text).toHaveLength(LARGE);
  });

  test('count for what they take, however small they are', async () => {
    const { server } = await start({ serverLimits: { unsentBytes: 30 * ANSWER_BYTES } });
    const sessions = await Promise.all(Array.from({ length: 4 }, () => narrow(server)));
    for (const session of sessions) for (let i = 0; i < 20; i++) request(session, '/large/small');
    await expect.poll(() => sessions.filter(({ destroyed }) => destroyed).length, SLOW).toBeGreaterThan(0);
  });

  test('end their connection when the requests are taken back all the time', async () => {
    const { server } = await start({ limits: { resets: 10, resetsPerSecond: 1 } });
    const session = await dialHttp2(server);
    onTestFinished(() => session.destroy());
    const honest = await dialHttp2(server);
    onTestFinished(() => honest.destroy());
    // A request that is canceled in the same turn of the event loop is never sent.
    const takeBack = () => {
      if (session.closed) return;
      const stream = request(session, '/large/answer');
      setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), 5);
    };
    const attack = setInterval(takeBack, 1);
    onTestFinished(() => clearInterval(attack));
    // Node's client does not always notice a reset while it writes.
    await connections(server, 1);
    expect((await ask2(honest, { ':path': '/large/small' })).text).toBe('small');
  });

  test('go first when they are too much for all, and others are answered', async () => {
    const { server } = await start({ serverLimits: { unsentBytes: 30 * (PIECE + ANSWER_BYTES) } });
    const sessions = await Promise.all(Array.from({ length: 4 }, () => narrow(server)));
    for (const session of sessions) for (let i = 0; i < 20; i++) request(session, '/large/piece');
    await expect.poll(() => sessions.filter(({ destroyed }) => destroyed).length, SLOW).toBeGreaterThan(0);
    const session = await dialHttp2(server);
    onTestFinished(() => session.destroy());
    expect((await ask2(session, { ':path': '/large/small' })).status).toBe(200);
  });
});

test('a session that is over is gone, though its client keeps the connection open', async () => {
  const { server } = await start({ limits: { keepAliveMs: 100, farewellMs: 100 } });
  const wire = await dial(server, { ALPNProtocols: ['h2'] });
  onTestFinished(() => void wire.socket.destroy());
  wire.socket.pause();
  wire.socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00');
  await connections(server, 1);
  await connections(server, 0);
});

test('a flood of frames that ask for nothing ends its connection', async () => {
  const { server } = await start();
  const wire = await dial(server, { ALPNProtocols: ['h2'] });
  wire.socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00');
  const ping = Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
  wire.socket.write(Buffer.concat(Array.from({ length: 5 * IDLE_FRAMES_PER_SECOND }, () => ping)));
  await wire.closed;
  await connections(server, 0);
});

import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  echoService,
  LARGE_ANSWER,
  type Listening,
  listening,
  message,
  serverRoot,
  serverTls,
  Wire,
} from '../../../test/support/listening.ts';

const HELD = message('GET', '/echo/held');

async function start(tls: typeof serverTls | false): Promise<{ server: Listening; release: () => void }> {
  const gate = Promise.withResolvers<void>();
  const server = await listening({ tls, services: [echoService(gate.promise)] });
  onTestFinished(() => server.server.close(0));
  return { server, release: gate.resolve };
}

function inFlight(server: Listening, count: number): Promise<void> {
  return expect.poll(() => server.metrics.page()).toContain(`http_requests_in_flight{listener="main"} ${count}`);
}

describe.each([
  ['plain', false as const],
  ['TLS', serverTls],
])('a server that closes, over %s', (_name, tls) => {
  test('answers what is in flight in full, for the last time on its connection', async () => {
    const { server, release } = await start(tls);
    const wire = await dial(server);
    await wire.write(HELD);
    await inFlight(server, 1);
    const closed = server.server.close(60_000);
    release();
    const reply = await wire.next();
    expect(reply).toMatchObject({ status: 200, body: { held: true } });
    expect(reply.headers.connection).toBe('close');
    await wire.closed;
    await closed;
  });

  test('answers a LIST that is in flight, too', async () => {
    const { server, release } = await start(tls);
    const wire = await dial(server);
    await wire.ask(message('LIST', '/echo/said/x'));
    await wire.write(HELD);
    await inFlight(server, 1);
    const closed = server.server.close(60_000);
    release();
    expect(await wire.next()).toMatchObject({ status: 200, body: { held: true } });
    await wire.closed;
    await closed;
  });

  test('leaves alone a LIST that stands in line when its connection ends', async () => {
    const { server, release } = await start(tls);
    const wire = await dial(server);
    await wire.write(HELD + message('LIST', '/echo/said/x'));
    await inFlight(server, 1);
    const closed = server.server.close(60_000);
    release();
    expect((await wire.next()).body).toEqual({ held: true });
    await wire.closed;
    await closed;
    expect(server.requests().map((line) => line.route)).toEqual(['/echo/held']);
  });

  test('accepts no new connections, and closes at once those without a request', async () => {
    const { server, release } = await start(tls);
    const idle = await dial(server);
    await idle.ask(message('GET', '/echo/said/x'));
    const listed = await dial(server);
    await listed.ask(message('LIST', '/echo/said/x'));
    const fresh = await dial(server);
    const silent = new Wire(connectTcp(server.port, '127.0.0.1'));
    await once(silent.socket, 'connect');
    const busy = await dial(server);
    await busy.write(HELD);
    await inFlight(server, 1);
    const closed = server.server.close(60_000);
    await Promise.all([idle.closed, listed.closed, fresh.closed, silent.closed]);
    await expect(dial(server)).rejects.toThrow('ECONNREFUSED');
    release();
    expect((await busy.next()).status).toBe(200);
    await closed;
  });

  test('first serves on, on connections old and new, each answer the last on its connection', async () => {
    const { server } = await start(tls);
    const old = await dial(server);
    await old.ask(message('GET', '/echo/said/x'));
    server.server.drain();
    expect((await old.ask(message('GET', '/healthz/ready'))).status).toBe(503);
    await old.closed;
    const fresh = await dial(server);
    const reply = await fresh.ask(message('GET', '/echo/said/x'));
    expect([reply.status, reply.headers.connection]).toEqual([200, 'close']);
    await fresh.closed;
  });

  test('waits for the first request of a connection that has just begun, and for the rest of one', async () => {
    const { server } = await start(tls);
    const kept = await dial(server);
    await kept.ask(message('GET', '/echo/said/x'));
    const request = message('GET', '/echo/said/x');
    await kept.write(request.slice(0, 20));
    const fresh = await dial(server);
    const closed = server.server.close(60_000);
    await expect.poll(() => dial(server).catch((error) => error.code)).toBe('ECONNREFUSED');
    expect((await fresh.ask(request)).status).toBe(200);
    expect((await kept.ask(request.slice(20))).status).toBe(200);
    await closed;
  });

  test('sends an answer to its end that it had begun to send', async () => {
    const { server } = await start(tls);
    const slow = await dial(server);
    await slow.ask(message('GET', '/echo/said/x'));
    slow.socket.pause();
    await slow.write(message('GET', '/echo/large'));
    await expect.poll(() => server.metrics.page()).toMatch(/^http_requests_in_flight\S* 1$/m);
    const closed = server.server.close(60_000);
    await expect.poll(() => dial(server).catch((error) => error.code)).toBe('ECONNREFUSED');
    let received = 0;
    slow.socket.removeAllListeners('data').on('data', ({ length }: Buffer) => {
      received += length;
    });
    slow.socket.resume();
    await slow.closed;
    expect(received).toBeGreaterThan(LARGE_ANSWER);
    await closed;
  });

  test('cuts off what has not finished in time', async () => {
    const { server } = await start(tls);
    const wire = await dial(server);
    await wire.write(HELD);
    await inFlight(server, 1);
    await server.server.close(50);
    await wire.closed;
    await expect(wire.next()).rejects.toThrow();
    expect(server.requests().at(-1)).toMatchObject({ status: 499, route: '/echo/held' });
  });
});

test('an HTTP/2 connection in use gets GOAWAY, and its requests are answered', async () => {
  const { server, release } = await start(serverTls);
  const [busy, idle] = [await dialHttp2(server), await dialHttp2(server)];
  const held = ask2(busy, { ':path': '/echo/held' });
  await inFlight(server, 1);
  const goaway = once(busy, 'goaway');
  const closed = server.server.close(60_000);
  await Promise.all([goaway, once(idle, 'close')]);
  await expect(ask2(busy, { ':path': '/echo/said/x' })).rejects.toThrow();
  release();
  expect(await held).toMatchObject({ status: 200, body: { held: true } });
  await closed;
});

test('HTTP/2 is served while a server drains: each connection gets GOAWAY before its first response', async () => {
  const { server } = await start(serverTls);
  const old = await dialHttp2(server);
  await ask2(old, { ':path': '/echo/said/x' });
  server.server.drain();
  for (const session of [old, await dialHttp2(server)]) {
    let isTold = false;
    session.once('goaway', (code: number, last: number) => {
      isTold = code === 0 && last > 0;
    });
    expect((await ask2(session, { ':path': '/echo/said/x' })).status).toBe(200);
    expect([isTold, session.closed]).toEqual([true, true]);
  }
});

test('an HTTP/2 request that does not finish in time is cut off', async () => {
  const { server } = await start(serverTls);
  const session = await dialHttp2(server);
  const held = ask2(session, { ':path': '/echo/held' }).catch((error: Error) => error);
  await inFlight(server, 1);
  await server.server.close(50);
  expect(await held).toBeInstanceOf(Error);
});

test('a handshake that is not done is cut off with the rest', async () => {
  const { server } = await start(serverTls);
  const socket = connectTcp(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(Buffer.from([22, 3, 1, 0, 200, 1, 0]));
  const closed = once(socket, 'close');
  await new Promise((resolve) => setTimeout(resolve, 30));
  await server.server.close(50);
  await closed;
});

test('closing twice, and closing what never started, is no error', async () => {
  const { server } = await start(serverTls);
  await Promise.all([server.server.close(10), server.server.close(10)]);
  await server.server.close(10);
  connectTls({ port: server.port, host: '127.0.0.1', ca: serverRoot.pem }).on('error', () => {});
});

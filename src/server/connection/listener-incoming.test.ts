import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  type Listening,
  type ListeningOptions,
  listening,
  message,
  serverTls,
} from '../../../test/support/listening.ts';
import type { Incoming } from './listener.ts';

const HELLO = message('GET', '/echo/said/hello');

/** A server whose connections another server accepts. */
async function start(options: ListeningOptions = {}): Promise<Listening> {
  let take: Parameters<Incoming>[0] | undefined;
  const door = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => take?.(socket.resume()));
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const incoming: Incoming = (taker) => {
    take = taker;
  };
  const server = await listening({ ...options, incoming });
  onTestFinished(async () => {
    door.close();
    await server.server.close(0);
  });
  return { ...server, port: (door.address() as AddressInfo).port };
}

describe.each([
  ['plain', false as const],
  ['TLS', serverTls],
])('connections that another process has accepted, %s', (_name, tls) => {
  test('are served like any other', async () => {
    const server = await start({ tls });
    const wire = await dial(server);
    expect((await wire.ask(HELLO)).status).toBe(200);
    expect((await wire.ask(HELLO)).status).toBe(200);
    wire.socket.destroy();
  });

  test('are closed when a request takes too long to come, while others are served', async () => {
    const server = await start({ tls, limits: { headersMs: 300 } });
    const slow = await dial(server);
    await slow.write('GET /echo/said/hello HTTP/1.1\r\n');
    const good = await dial(server);
    expect((await good.ask(HELLO)).status).toBe(200);
    await slow.closed;
    good.socket.destroy();
  });

  test('are as many as there may be', async () => {
    const server = await start({ tls, limits: { connections: 2 } });
    const [one, two] = [await dial(server), await dial(server)];
    for (const wire of [one, two]) expect((await wire.ask(HELLO)).status).toBe(200);
    await expect(dial(server).then((wire) => wire.ask(HELLO))).rejects.toThrow();
    one.socket.destroy();
    await one.closed;
    const next = async () => (await (await dial(server)).ask(HELLO)).status;
    await expect.poll(() => next().catch(() => 0), { timeout: 10_000 }).toBe(200);
    expect((await two.ask(HELLO)).status).toBe(200);
  });

  test('finish what they carry when the server closes', async () => {
    const server = await start({ tls });
    const [idle, busy] = [await dial(server), await dial(server)];
    await idle.ask(HELLO);
    const post = message('POST', '/echo/said/hello', { 'Content-Type': 'application/json' }, '{"a":1}');
    await busy.write(post.slice(0, -3));
    await expect.poll(() => server.metrics.page(), { timeout: 10_000 }).toMatch(/http_requests_in_flight\S* 1/);
    const closed = server.server.close(10_000);
    await idle.closed;
    await busy.write(post.slice(-3));
    expect((await busy.next()).headers.connection).toBe('close');
    await closed;
  });

  test('may be closed by their client for writing before the answer', async () => {
    const server = await start({ tls: false });
    const wire = await dial(server);
    wire.socket.end(HELLO);
    expect((await wire.next()).status).toBe(200);
  });
});

test('connections that another process has accepted speak HTTP/2', async () => {
  const session = await dialHttp2(await start());
  onTestFinished(() => session.destroy());
  expect((await ask2(session, { ':path': '/echo/said/hello' })).status).toBe(200);
});

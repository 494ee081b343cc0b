import { connect as connectTcp } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  echoService,
  type ListeningOptions,
  listening,
  message,
  serverTls,
  Wire,
} from '../../../test/support/listening.ts';
import { network } from '../peer/client-network.ts';
import { InFlight } from './in-flight.ts';

const HELLO = message('GET', '/echo/said/x');
const HELD = message('GET', '/echo/held');
const SLOW = { timeout: 10_000 };

async function start(options: ListeningOptions) {
  const gate = Promise.withResolvers<void>();
  const server = await listening({ services: [echoService(gate.promise)], ...options });
  onTestFinished(() => server.server.close(0));
  const connect = async () => {
    const wire = await dial(server);
    onTestFinished(() => void wire.socket.destroy());
    return wire;
  };
  return { server, connect, open: gate.resolve };
}

describe.each([
  ['plain', false as const],
  ['TLS', serverTls],
])('requests beyond the bound on those in flight, %s', (_name, tls) => {
  test('get 503 with Retry-After in the format of their API, and health is answered', async () => {
    const { server, connect, open } = await start({ tls, serverLimits: { requests: 8 } });
    const held = await Promise.all(Array.from({ length: 4 }, connect));
    for (const wire of held) wire.socket.write(HELD);
    const inFlight = (count: number) =>
      expect.poll(() => server.metrics.page(), SLOW).toContain(`http_requests_in_flight{listener="main"} ${count}`);
    await inFlight(4);
    const wire = await connect();
    const refused = await wire.ask(HELLO);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: { kind: 'unavailable' } });
    expect((await wire.ask(message('GET', '/healthz/live'))).status).toBe(200);
    open();
    for (const one of held) expect((await one.next()).status).toBe(200);
    await inFlight(0);
    expect((await wire.ask(HELLO)).status).toBe(200);
  });
});

test('requests beyond the bound are refused over HTTP/2 alike', async () => {
  const { server, open } = await start({ serverLimits: { requests: 8 } });
  const session = await dialHttp2(server);
  onTestFinished(() => session.destroy());
  const held = Array.from({ length: 4 }, () => ask2(session, { ':path': '/echo/held' }));
  await expect.poll(() => server.metrics.page(), SLOW).toContain('http_requests_in_flight{listener="main"} 4');
  expect(await ask2(session, { ':path': '/echo/said/x' })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
  });
  open();
  for (const reply of await Promise.all(held)) expect(reply.status).toBe(200);
  expect((await ask2(session, { ':path': '/echo/said/x' })).status).toBe(200);
});

test('one address has half of them, a trusted proxy all, and others the rest', () => {
  const inFlight = new InFlight(10);
  const enter = (address: string, count: number, isProxy = false) =>
    Array.from({ length: count }, () => inFlight.enter(address, () => isProxy)).filter(Boolean).length;
  expect(enter('192.0.2.1', 5)).toBe(5);
  // Refused requests take no share of the limit.
  expect(enter('192.0.2.1', 50)).toBe(0);
  inFlight.leave('192.0.2.1');
  expect(enter('2001:db8::1', 3)).toBe(3);
  expect(enter('192.0.2.9', 9, true)).toBe(3);
  for (let i = 0; i < 3; i++) inFlight.leave('192.0.2.9');
  expect(enter('2001:db8::2', 2)).toBe(2);
});

describe('connections of one address', () => {
  test('are closed beyond the bound, and free when others end', async () => {
    const { server, connect } = await start({ tls: false, limits: { connectionsPerAddress: 2 } });
    const [first, second] = [await connect(), await connect()];
    expect((await first.ask(HELLO)).status).toBe(200);
    expect((await second.ask(HELLO)).status).toBe(200);
    await new Wire(connectTcp(server.port, '127.0.0.1')).closed;
    expect((await first.ask(HELLO)).status).toBe(200);
    first.socket.destroy();
    const ask = async () => (await (await connect()).ask(HELLO).catch(() => undefined))?.status;
    await expect.poll(ask, SLOW).toBe(200);
  });

  test('are not counted for a proxy that may speak for its clients', async () => {
    const forwarded = { trustedProxies: ['127.0.0.0/8'], format: 'rfc9440' } as const;
    const { connect } = await start({ tls: false, forwarded, limits: { connectionsPerAddress: 1 } });
    for (let i = 0; i < 4; i++) expect((await (await connect()).ask(HELLO)).status).toBe(200);
  });

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['', ''],
  ])('%s counts for %s', (address, expected) => {
    expect(network(address)).toBe(expected);
  });
});

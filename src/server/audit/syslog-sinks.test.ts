import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { QueuedSink } from './audit-sink.ts';
import { type SyslogAddress, syslogSink } from './syslog-sinks.ts';

const LINE = '{"time":"2026-01-01T00:00:00.000Z","type":"test","name":"Zürich"}';
const MESSAGE = new RegExp(
  `^<86>1 \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z [!-~]+ lockkeeper ${process.pid} audit - (.*)$`,
);

function sinkTo(address: SyslogAddress, timeoutMs = 5_000): QueuedSink {
  const sink = syslogSink(address, 'authpriv');
  const queued = new QueuedSink({ name: 'syslog', type: 'syslog', sink, changed() {}, failed() {}, timeoutMs });
  onTestFinished(() => queued.close());
  return queued;
}

/** A collector that takes framed messages; `stop` drops its connections. */
async function collector(where: ListenOptions, reads = true) {
  const sockets = new Set<Socket>();
  let received = Buffer.alloc(0);
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (reads) {
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
      });
    } else socket.pause();
  });
  server.listen(where);
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  onTestFinished(stop);
  return { stop, port: (server.address() as AddressInfo).port, messages: () => frames(received) };
}

/** Framing of RFC 6587 §3.4.1. */
function frames(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const space = rest.indexOf(' ');
    const end = space + 1 + Number(rest.subarray(0, space));
    found.push(rest.subarray(space + 1, end).toString());
    rest = rest.subarray(end);
  }
  return found;
}

async function untilTaken(sink: QueuedSink): Promise<void> {
  await expect.poll(() => sink.write([`${LINE}\n`])).toBe(true);
}

describe.each(['tcp', 'unix'] as const)('a collector over %s', (transport) => {
  async function place(): Promise<{ where: ListenOptions; address: SyslogAddress }> {
    if (transport === 'unix') {
      const folder = mkdtempSync(join(tmpdir(), 'syslog-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, 'log');
      return { where: { path }, address: { transport, path } };
    }
    const { port, stop } = await collector({ host: '127.0.0.1', port: 0 });
    await stop();
    return { where: { host: '127.0.0.1', port }, address: { transport, host: '127.0.0.1', port } };
  }

  test('gets each line as a message of its own, behind its length', async () => {
    const { where, address } = await place();
    const { messages } = await collector(where);
    const sink = sinkTo(address);
    expect(await Promise.all([sink.write([`${LINE}\n`, `${LINE}\n`]), sink.write(['{"n":3}\n'])])).toEqual([
      true,
      true,
    ]);
    await expect.poll(() => messages().length).toBe(3);
    expect(messages().map((text) => MESSAGE.exec(text)?.[1])).toEqual([LINE, LINE, '{"n":3}']);
  });

  test('that is not there is a failure with a reason, and is found when it comes', async () => {
    const { where, address } = await place();
    const sink = sinkTo(address);
    expect(await sink.write([`${LINE}\n`])).toBe(false);
    expect(sink.failure).toMatch(/^(ECONNREFUSED|ENOENT)$/);
    const { messages } = await collector(where);
    expect(await sink.write([`${LINE}\n`])).toBe(true);
    await expect.poll(() => messages().length).toBe(1);
  });

  test('that goes away is noticed, and found again', async () => {
    const { where, address } = await place();
    const first = await collector(where);
    const sink = sinkTo(address);
    await untilTaken(sink);
    await first.stop();
    await expect.poll(() => sink.write([`${LINE}\n`])).toBe(false);
    const second = await collector(where);
    await untilTaken(sink);
    await expect.poll(() => second.messages().length).toBeGreaterThan(0);
  });

  test('that reads nothing counts as failed, for what waits and for what comes', async () => {
    const { where, address } = await place();
    const { stop } = await collector(where, false);
    const sink = sinkTo(address, 50);
    const line = `${'x'.repeat(4_000_000)}\n`;
    // The lines exceed the buffers of the operating system at some point.
    while (await sink.write([line]));
    expect(sink.failure).toBe('a write timed out');
    expect(await sink.write(['{}\n'])).toBe(false);
    await stop();
    await collector(where);
    await untilTaken(sink);
  });
});

describe('a collector over udp', () => {
  async function socket(port = 0) {
    const received: string[] = [];
    const bound = createSocket('udp4').on('message', (bytes) => received.push(bytes.toString()));
    bound.bind(port, '127.0.0.1');
    await once(bound, 'listening');
    const stop = async () => {
      const closed = once(bound, 'close');
      bound.close();
      await closed;
    };
    return { received, stop, port: bound.address().port };
  }

  test('gets each line as a datagram; one that is gone is noticed by the line after', async () => {
    const first = await socket();
    const sink = sinkTo({ transport: 'udp', host: '127.0.0.1', port: first.port });
    expect(await sink.write([`${LINE}\n`, '{"n":2}\n'])).toBe(true);
    await expect.poll(() => first.received.map((text) => MESSAGE.exec(text)?.[1])).toEqual([LINE, '{"n":2}']);
    await first.stop();
    await expect.poll(() => sink.write([`${LINE}\n`])).toBe(false);
    expect(sink.failure).toBe('ECONNREFUSED');
    const second = await socket(first.port);
    await untilTaken(sink);
    await expect.poll(() => second.received.length).toBeGreaterThan(0);
    await second.stop();
  });

  test('is a failure when its name means nothing', async () => {
    const sink = sinkTo({ transport: 'udp', host: 'nowhere.invalid', port: 514 });
    expect(await sink.write([`${LINE}\n`])).toBe(false);
    expect(sink.failure).toMatch(/^E[A-Z_]+$/);
  });
});

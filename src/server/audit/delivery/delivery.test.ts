import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpCollector, syslogCollector } from '../../../../test/support/collectors/audit-collectors.ts';
import { createRoot } from '../../../../test/support/pki.ts';
import { DiskBuffer } from '../buffer/disk-buffer.ts';
import { BatchSender, type Receiver, type RefusedLine } from './batch-sender.ts';
import { BufferedSink } from './buffered-sink.ts';
import { HttpReceiver } from './http-receiver.ts';
import type { ReceiverSecrets } from './receiver-secrets.ts';
import { SyslogReceiver } from './syslog-receiver.ts';

const MIB = 1_048_576;
const root = createRoot({ subject: 'Collector CA' });
const issued = root.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
const tls = { cert: issued.pem, key: issued.keyPem };
const believed = async (): Promise<ReceiverSecrets> => ({ tls: { minVersion: 'TLSv1.2', ca: [root.pem] } });

const line = (n: number) => `${JSON.stringify({ time: '2026-01-01T12:00:00.000Z', n, text: 'Zürich' })}\n`;
const numbers = (lines: readonly string[]) => lines.map((text) => JSON.parse(text).n as number);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'delivery-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function sinkTo(receiver: Receiver, directory = folder(), mostBytes = MIB) {
  const failures: (string | undefined)[] = [];
  const refused: RefusedLine[] = [];
  const changed = (failure: string | undefined, at?: RefusedLine) => {
    failures.push(failure);
    if (at) refused.push(at);
  };
  const told = { changed, tried: () => {} };
  const sink = new BufferedSink({ directory, mostBytes }, receiver, told);
  onTestFinished(() => sink.close());
  const write = async (from: number, to: number) => {
    for (let n = from; n < to; n++) await sink.write([line(n)]);
  };
  return { sink, failures, refused, write, waiting: () => sink.metrics.backlog?.().bytes };
}
const http = (url: string, secrets = async (): Promise<ReceiverSecrets> => ({}), gzip = false) =>
  new HttpReceiver({ url, tokenHeader: 'Authorization', gzip, secrets });
const syslog = (port: number, secrets = believed, isTls = true) =>
  new SyslogReceiver({ target: { host: '127.0.0.1', port }, isTls, facility: 'authpriv', secrets });

describe('a collector over HTTP', () => {
  it('gets lines in order, in batches, with the token, compressed', async () => {
    const collector = await httpCollector(() => 200, tls);
    const secrets = async () => ({ ...(await believed()), token: 'secret-1' });
    const { sink, write, waiting } = sinkTo(http(collector.url, secrets, true));
    await sink.reopen();
    await write(0, 50);
    await expect.poll(() => numbers(collector.lines())).toEqual(upTo(50));
    await expect.poll(waiting).toBe(0);
    expect(collector.deliveries.length).toBeLessThan(10);
    expect(collector.deliveries[0]?.headers).toMatchObject({
      authorization: 'Bearer secret-1',
      'content-encoding': 'gzip',
      'content-type': 'application/x-ndjson',
    });
  });

  it.each([
    ['answers 500', 500],
    ['leads elsewhere', 302],
    ['wants another token', 401],
  ])('that %s gets everything once it takes something', async (_what, status) => {
    let refusals = 3;
    const collector = await httpCollector(() => (refusals-- > 0 ? status : 200));
    const { sink, write, failures } = sinkTo(http(collector.url));
    await sink.reopen();
    await write(0, 10);
    await expect.poll(() => numbers(collector.lines()), { timeout: 10_000 }).toEqual(upTo(10));
    await expect.poll(() => failures).toEqual([`answered with ${status}`, undefined]);
  });

  it('that closes mid-way, or before its answer, gets the lines again', async () => {
    let breaks = 2;
    const collector = await httpCollector((_delivery, response) => {
      if (breaks-- <= 0) return 200;
      response.destroy();
      return undefined;
    });
    const { sink, write, failures } = sinkTo(http(collector.url));
    await sink.reopen();
    await write(0, 10);
    await expect.poll(() => numbers(collector.lines()), { timeout: 10_000 }).toEqual(upTo(10));
    await expect.poll(() => failures).toEqual(['ECONNRESET', undefined]);
  });

  it.each([
    ['says so', (response: ServerResponse) => response.writeHead(413).end()],
    ['ends the connection', (response: ServerResponse) => response.destroy()],
  ])(
    'that wants less at once and %s gets less',
    async (_how, refuse) => {
      const collector = await httpCollector(({ text }, response) => {
        if (text.length <= 600) return 200;
        refuse(response);
        return undefined;
      });
      const { sink, write } = sinkTo(http(collector.url));
      await sink.reopen();
      await sink.write(upTo(40).map(line));
      await write(40, 41);
      await expect.poll(() => numbers(collector.lines()), { timeout: 15_000 }).toEqual(upTo(41));
    },
    20_000,
  );

  it('that refuses a line says so of this line alone, and gets what is before it', async () => {
    let isRefusing = true;
    const collector = await httpCollector(({ text }) => (isRefusing && text.includes('"n":17,') ? 400 : 200));
    const { sink, failures, refused } = sinkTo(http(collector.url));
    await sink.reopen();
    await sink.write(upTo(40).map(line));
    await expect.poll(() => sink.metrics.backlog?.().isLineRefused, { timeout: 10_000 }).toBe(true);
    expect(numbers(collector.lines())).toEqual(upTo(17));
    const waits = upTo(40).slice(17).map(line).join('');
    expect(sink.metrics.backlog?.()).toMatchObject({
      bytes: Buffer.byteLength(waits),
      failure: 'answered with 400 to a single line',
    });
    // The log line starts with the number of waiting lines.
    await expect.poll(() => failures).toEqual(['answered with 400', 'answered with 400 to a single line']);
    const [{ file = '', offset = 0, waitingLines } = {}] = refused;
    expect(readFileSync(file).subarray(offset).toString()).toBe(waits);
    expect(waitingLines).toBe(23);
    // The sender halves the batch each time, and does not send single lines.
    expect(collector.deliveries.length).toBeLessThan(15);
    isRefusing = false;
    await expect.poll(() => numbers(collector.lines()), { timeout: 10_000 }).toEqual(upTo(40));
    await expect.poll(() => failures.at(-1)).toBeUndefined();
    expect(sink.metrics.backlog?.()).toMatchObject({ bytes: 0, failure: undefined, isLineRefused: false });
  }, 30_000);

  it('that will never take a line gets those behind it once somebody has marked it', async () => {
    const collector = await httpCollector(({ text }) => (text.includes('"n":3,') ? 422 : 200));
    const { sink, refused } = sinkTo(http(collector.url));
    await sink.reopen();
    await sink.write(upTo(9).map(line));
    await expect.poll(() => refused, { timeout: 10_000 }).toHaveLength(1);
    const [{ file = '', offset = 0 } = {}] = refused;
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, '-', offset);
    closeSync(descriptor);
    const others = upTo(9).filter((n) => n !== 3);
    await expect.poll(() => numbers(collector.lines()), { timeout: 10_000 }).toEqual(others);
  }, 30_000);

  it('that does not get through with much in its time gets less', async () => {
    const buffer = await DiskBuffer.open(folder(), MIB);
    await buffer.append(upTo(40).map(line));
    const collector = await httpCollector(({ text }) => (text.length > 600 ? undefined : 200));
    const failures: (string | undefined)[] = [];
    const changed = (failure: string | undefined) => failures.push(failure);
    const receiver = http(collector.url);
    const sender = new BatchSender({ buffer, receiver, changed, tried: () => {}, deliveryMs: 500 });
    await sender.drain(new AbortController().signal);
    receiver.close();
    await buffer.close();
    expect(numbers(collector.lines())).toEqual(upTo(40));
    expect(failures).toContain('a delivery timed out');
    expect(failures.at(-1)).toBeUndefined();
  }, 30_000);

  it('that answers without an end is not waited for', async () => {
    const collector = await httpCollector((_delivery, response) => {
      response.writeHead(200).write('x'.repeat(200_000));
      return undefined;
    });
    const { sink, write, waiting } = sinkTo(http(collector.url));
    await sink.reopen();
    await write(0, 1);
    await expect.poll(waiting).toBe(0);
  });

  it('that is not who it says it is gets nothing', async () => {
    const collector = await httpCollector(() => 200, tls);
    const { sink, write, failures } = sinkTo(http(collector.url));
    await sink.reopen();
    await write(0, 1);
    await expect.poll(() => failures).toEqual(['UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
    expect(collector.deliveries).toEqual([]);
  });

  it('that hangs while a server ends gets the rest from the next one', async () => {
    const directory = folder();
    const hanging = await httpCollector(() => undefined);
    const before = sinkTo(http(hanging.url), directory);
    await before.sink.reopen();
    await before.write(0, 5);
    await expect.poll(() => hanging.deliveries.length).toBe(1);
    await before.sink.close();
    const collector = await httpCollector();
    const after = sinkTo(http(collector.url), directory);
    await after.sink.reopen();
    await after.write(5, 7);
    await expect.poll(() => numbers(collector.lines())).toEqual(upTo(7));
  });

  it('that takes nothing until the buffer is full: then nothing is taken here, and it goes on from there', async () => {
    let status = 503;
    const collector = await httpCollector(() => status);
    const { sink, write } = sinkTo(http(collector.url), folder(), 10 * Buffer.byteLength(line(1)));
    await sink.reopen();
    await write(0, 10);
    await expect(write(10, 11)).rejects.toThrow('the buffer is full');
    status = 200;
    await expect.poll(() => numbers(collector.lines()), { timeout: 10_000 }).toEqual(upTo(10));
    await expect.poll(() => sink.metrics.backlog?.().bytes).toBe(0);
    await write(10, 11);
    await expect.poll(() => numbers(collector.lines())).toEqual(upTo(11));
  });

  it('gets what a process left that has ended and does not come back', async () => {
    const directory = folder();
    const closed = await httpCollector();
    await closed.stop();
    const [first, second] = [sinkTo(http(closed.url), directory), sinkTo(http(closed.url), directory)];
    await first.sink.reopen();
    await second.sink.reopen();
    await first.write(0, 3);
    await second.write(100, 103);
    await first.sink.close();
    await second.sink.close();
    // Lines that the collector has not accepted count as waiting.
    const waiting = sinkTo(http(closed.url), directory);
    await waiting.sink.reopen();
    const left = [0, 1, 2, 100, 101, 102].map(line).join('');
    await expect.poll(waiting.waiting).toBe(Buffer.byteLength(left));
    expect(waiting.sink.metrics.backlog?.().ageMs).toBeGreaterThan(0);
    await waiting.sink.close();
    const collector = await httpCollector();
    const alone = sinkTo(http(collector.url), directory);
    await alone.sink.reopen();
    await expect.poll(() => numbers(collector.lines()).sort((a, b) => a - b)).toEqual([0, 1, 2, 100, 101, 102]);
  });
});

it('what a process left is not waited for by one that ends before it has begun with it', async () => {
  const buffer = await DiskBuffer.open(folder(), MIB);
  await buffer.append([line(0)]);
  const deliver = () => Promise.reject(new Error('away'));
  const receiver: Receiver = { deliver, reload: async () => {}, close: () => {} };
  const sender = new BatchSender({ buffer, receiver, changed: () => {}, tried: () => {} });
  await sender.drain(AbortSignal.abort());
  expect(buffer.bytes).toBe(line(0).length + 1);
  await buffer.close();
});

describe('a collector of syslog over TLS', () => {
  const messages = (collected: readonly string[]) =>
    collected.map((text) => /^<86>1 (\S+) \S+ lockkeeper \d+ audit - (.*)$/.exec(text));

  it('gets messages of RFC 5424 in frames, with the time of their lines', async () => {
    const collector = await syslogCollector(tls);
    const { sink, write, waiting } = sinkTo(syslog(collector.port));
    await sink.reopen();
    await write(0, 20);
    await expect.poll(() => numbers(messages(collector.messages()).map((found) => found?.[2] ?? ''))).toEqual(upTo(20));
    expect(messages(collector.messages())[0]?.[1]).toBe('2026-01-01T12:00:00.000Z');
    await expect.poll(waiting).toBe(0);
  });

  it('gets our certificate if it requests one, and refuses clients without one', async () => {
    const clients = createRoot({ subject: 'Client CA' });
    const client = clients.issue({ subject: 'lockkeeper' });
    const asking = { ...tls, ca: [clients.pem], requestCert: true, rejectUnauthorized: true };
    const collector = await syslogCollector(asking);
    const nameless = sinkTo(syslog(collector.port));
    await nameless.sink.reopen();
    await nameless.write(0, 1);
    await expect.poll(() => nameless.failures[0]).toBe('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
    const own = async () => ({
      tls: { minVersion: 'TLSv1.2' as const, ca: [root.pem], cert: client.pem, key: client.keyPem },
    });
    const named = sinkTo(syslog(collector.port, own));
    await named.sink.reopen();
    await named.write(0, 3);
    await expect.poll(() => collector.messages()).toHaveLength(3);
  });

  it('that is not who it says it is gets nothing', async () => {
    const collector = await syslogCollector(tls);
    const { sink, write, failures } = sinkTo(syslog(collector.port, async () => ({})));
    await sink.reopen();
    await write(0, 1);
    await expect.poll(() => failures).toEqual(['UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
    expect(collector.messages()).toEqual([]);
  });

  it('that breaks off, or closes before it has read, gets the lines again', async () => {
    const collector = await syslogCollector(tls, (socket: Socket, number) => {
      if (number === 0) socket.destroy();
      else if (number === 1) socket.once('data', () => socket.destroy());
      else return false;
      return true;
    });
    const { sink, failures } = sinkTo(syslog(collector.port), folder(), 4 * MIB);
    await sink.reopen();
    const long = upTo(20).map((n) => `${JSON.stringify({ n, text: 'x'.repeat(40_000) })}\n`);
    await sink.write(long);
    await expect.poll(() => collector.messages(), { timeout: 10_000 }).toHaveLength(20);
    await expect.poll(() => failures.at(-1)).toBeUndefined();
    expect(failures.length).toBeGreaterThan(1);
  });

  it('is reached without TLS too', async () => {
    const collector = await syslogCollector();
    const { sink, write } = sinkTo(syslog(collector.port, async () => ({}), false));
    await sink.reopen();
    await write(0, 3);
    await expect.poll(() => collector.messages()).toHaveLength(3);
  });
});

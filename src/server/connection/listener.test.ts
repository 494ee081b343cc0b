import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  echoService,
  type Listening,
  type ListeningOptions,
  listening,
  message,
  serverRoot,
  serverTls,
  Wire,
} from '../../../test/support/listening.ts';
import { PeerBudget } from '../peer/peer-budget.ts';
import { Listener } from './listener.ts';
import { DEFAULT_LIMITS } from './listener-limits.ts';

const HELLO = message('GET', '/echo/said/hello');

async function start(options: ListeningOptions = {}): Promise<Listening> {
  const server = await listening(options);
  onTestFinished(() => server.server.close(0));
  return server;
}

async function connect(server: Listening, options: Parameters<typeof dial>[1] = {}): Promise<Wire> {
  const wire = await dial(server, options);
  onTestFinished(() => void wire.socket.destroy());
  return wire;
}

describe('TLS', () => {
  test('1.2 and 1.3 are spoken, HTTP/1.1 and HTTP/2 on the same port', async () => {
    const server = await start();
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const options = { minVersion: version, maxVersion: version };
      const wire = await connect(server, options);
      expect((wire.socket as TLSSocket).getProtocol()).toBe(version);
      expect((await wire.ask(HELLO)).status).toBe(200);
      const session = await dialHttp2(server, options);
      onTestFinished(() => session.destroy());
      expect((await ask2(session, { ':path': '/echo/said/hello' })).status).toBe(200);
    }
  });

  test('older versions are refused, and 1.2 too where 1.3 is asked for', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(connect(await start(), old)).rejects.toThrow();
    const strict = await start({ tls: { ...serverTls, minVersion: 'TLSv1.3' } });
    await expect(connect(strict, { maxVersion: 'TLSv1.2' })).rejects.toThrow();
    await expect(connect(strict)).resolves.toBeInstanceOf(Wire);
  });

  test('renegotiation is refused', async () => {
    const wire = await connect(await start(), { maxVersion: 'TLSv1.2' });
    await wire.ask(HELLO);
    const refused = new Promise((resolve) => {
      (wire.socket as TLSSocket).renegotiate({}, (error) => resolve(error?.message));
      wire.socket.once('error', (error) => resolve(error.message));
    });
    expect(await refused).toMatch(/no.renegotiation/i);
  });

  test('a new certificate is for new connections, the security of the old one included', async () => {
    const server = await start();
    const old = await connect(server);
    const renewed = serverRoot.issue({ subject: 'renewed', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    const tls = { ...serverTls, certificate: renewed.pem, privateKey: renewed.keyPem };
    expect(() => server.server.reloadTls('main', { ...tls, privateKey: serverTls.privateKey })).toThrow();
    expect(() => server.server.reloadTls('other', tls)).toThrow('no listener');
    expect((await (await connect(server)).ask(HELLO)).status).toBe(200);
    server.server.reloadTls('main', tls);
    const wire = await connect(server);
    const raw = (wire.socket as TLSSocket).getPeerX509Certificate()?.raw ?? Buffer.alloc(0);
    expect(new X509Certificate(raw).subject).toContain('renewed');
    expect((await wire.ask(HELLO)).status).toBe(200);
    expect((await old.ask(HELLO)).status).toBe(200);
    const session = (wire.socket as TLSSocket).getSession();
    const resumed = await connect(server, { ...(session && { session }) });
    expect((resumed.socket as TLSSocket).isSessionReused()).toBe(false);
  });

  test('handshakes that fail are counted and harm nobody', async () => {
    const server = await start({ limits: { handshakeMs: 50 } });
    const plain = new Wire(connectTcp(server.port, '127.0.0.1'));
    await plain.write(HELLO);
    await plain.closed;
    const silent = new Wire(connectTcp(server.port, '127.0.0.1'));
    await silent.closed;
    expect((await (await connect(server)).ask(HELLO)).status).toBe(200);
    const { text } = await (await connect(server)).ask(message('GET', '/metrics'));
    expect(text).toContain('tls_handshake_errors_total{listener="main"} 2');
  });

  test('a listener for a proxy speaks plain HTTP/1.1', async () => {
    const { headers, status } = await (await connect(await start({ tls: false }))).ask(HELLO);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('strict-transport-security');
  });
});

describe.each([
  ['plain', false as const],
  ['TLS', serverTls],
])('limits of HTTP/1.1, %s', (_name, tls) => {
  test('what is not HTTP is answered 400 and the connection closed', async () => {
    const server = await start({ tls });
    const refused = ['GET\r\n\r\n', '\0\0\0\0', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'];
    refused.push(message('POST', '/echo/said/x', { 'Content-Length': '-1' }));
    refused.push(message('POST', '/echo/said/x', { 'Transfer-Encoding': 'chunked', 'Content-Length': '3' }));
    refused.push(
      `${message('POST', '/echo/said/x', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })}zz\r\n`,
    );
    for (const text of refused) {
      const wire = await connect(server);
      const reply = await wire.ask(text);
      expect([text, reply.status, reply.headers.connection]).toEqual([text, 400, 'close']);
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      await wire.closed;
    }
    await expect.poll(() => server.requests().map((line) => line.status)).toEqual(refused.map(() => 400));
    expect((await (await connect(server)).ask(HELLO)).status).toBe(200);
  });

  test('requests before what is not HTTP are answered first', async () => {
    const wire = await connect(await start({ tls }));
    await wire.write(`${HELLO}${HELLO}nonsense\r\n\r\n`);
    for (const status of [200, 200, 400]) expect((await wire.next()).status).toBe(status);
    await wire.closed;
  });

  test('a request without Host is answered in the shape of its API', async () => {
    const wire = await connect(await start({ tls }));
    const { status, body } = await wire.ask('GET /echo/said/x HTTP/1.1\r\n\r\n');
    expect([status, body.kind]).toEqual([400, 'bad-request']);
  });

  test('a head that is too large is answered 431', async () => {
    const server = await start({ tls, limits: { headerBytes: 8_000 } });
    const large = (size: number) => message('GET', '/echo/said/x', { 'X-Large': 'a'.repeat(size) });
    const wire = await connect(server);
    expect((await wire.ask(large(9_000))).status).toBe(431);
    await wire.closed;
    expect((await (await connect(server)).ask(large(7_000))).status).toBe(200);
  });

  test('a head or a body that does not come to an end is answered 408', async () => {
    const server = await start({ tls, limits: { headersMs: 60, requestMs: 120 } });
    for (const start of [
      'GET / HT',
      message('POST', '/echo/said/x', { 'Content-Type': 'application/json', 'Content-Length': '9' }),
    ]) {
      const wire = await connect(server);
      expect((await wire.ask(start)).status).toBe(408);
      await wire.closed;
    }
    const silent = await connect(server);
    await silent.closed;
  });

  test('a body over the limit is answered 413, announced or not', async () => {
    const server = await start({ tls, limits: { bodyBytes: 1_000 } });
    const json = { 'Content-Type': 'application/json' };
    const announced = await connect(server);
    expect((await announced.ask(message('POST', '/echo/said/x', json, `"${'a'.repeat(1_000)}"`))).status).toBe(413);
    const chunked = await connect(server);
    const head = message('POST', '/echo/said/x', { ...json, 'Transfer-Encoding': 'chunked' });
    expect((await chunked.ask(`${head}7d0\r\n${'1'.repeat(2_000)}\r\n0\r\n\r\n`)).status).toBe(413);
  });

  test('a connection without requests is closed after a while, not before', async () => {
    const server = await start({ tls, limits: { keepAliveMs: 50 } });
    const wire = await connect(server);
    expect((await wire.ask(HELLO)).status).toBe(200);
    expect((await wire.ask(message('LIST', '/echo/said/x'))).status).toBe(200);
    await wire.closed;
  });

  test('connections over the limit are closed at once', async () => {
    const server = await start({ tls, limits: { connections: 1 } });
    const first = await connect(server);
    await first.ask(HELLO);
    const second = new Wire(connectTcp(server.port, '127.0.0.1'));
    await second.closed;
    expect((await first.ask(HELLO)).status).toBe(200);
  });
});

describe('limits of HTTP/2', () => {
  test('a head that is too large resets its stream and no other', async () => {
    const session = await dialHttp2(await start());
    onTestFinished(() => session.destroy());
    // The client obeys the limit once it knows it, so the test waits for the first response.
    await ask2(session, { ':path': '/echo/said/x' });
    await expect(ask2(session, { ':path': '/echo/said/x', 'x-large': 'a'.repeat(20_000) })).rejects.toThrow();
    expect((await ask2(session, { ':path': '/echo/said/x' })).status).toBe(200);
  });

  test('a body that does not come to an end is answered 408 and ends its stream and no other', async () => {
    const session = await dialHttp2(await start({ limits: { requestMs: 60 } }));
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':method': 'POST', ':path': '/echo/said/x', 'content-type': 'application/json' });
    stream.write('"');
    const [head] = await once(stream, 'response');
    expect(head[':status']).toBe(408);
    await once(stream.resume(), 'close');
    const whole = await ask2(
      session,
      { ':method': 'POST', ':path': '/echo/said/x', 'content-type': 'application/json' },
      '1',
    );
    expect(whole.body.body).toBe(1);
  });

  test('a body over the limit is answered 413', async () => {
    const session = await dialHttp2(await start({ limits: { bodyBytes: 1_000 } }));
    onTestFinished(() => session.destroy());
    const headers = { ':method': 'POST', ':path': '/echo/said/x', 'content-type': 'application/json' };
    expect((await ask2(session, headers, `"${'a'.repeat(2_000)}"`)).status).toBe(413);
    expect((await ask2(session, headers, '1')).status).toBe(200);
  });

  test('a connection on which nothing moves is closed, its requests answered', async () => {
    const gate = Promise.withResolvers<void>();
    const session = await dialHttp2(
      await start({ limits: { keepAliveMs: 60 }, services: [echoService(gate.promise)] }),
    );
    const held = ask2(session, { ':path': '/echo/held' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    gate.resolve();
    expect((await held).body).toEqual({ held: true });
    if (!session.closed) await once(session, 'close');
  });

  test('a client gets the maximum number of streams', async () => {
    const session = await dialHttp2(await start({ limits: { streams: 7 } }));
    onTestFinished(() => session.destroy());
    await ask2(session, { ':path': '/echo/said/x' });
    expect(session.remoteSettings.maxConcurrentStreams).toBe(7);
  });
});

test.each([
  ['plain', false as const],
  ['TLS', serverTls],
])('a connection that breaks in the middle of anything harms nobody, %s', async (_name, tls) => {
  const server = await start({ tls });
  const posted = message('POST', '/echo/said/x', { 'Content-Type': 'application/json', 'Content-Length': '9' });
  for (const text of ['', 'LI', 'LIST', HELLO.slice(0, 30), posted, HELLO.repeat(20), 'LIST /'.padEnd(20_000, 'x')]) {
    const wire = await connect(server);
    wire.socket.write(text, () => (tls ? wire.socket.destroy() : wire.socket.resetAndDestroy()));
    await wire.closed;
  }
  expect((await (await connect(server)).ask(HELLO)).status).toBe(200);
});

test('a connection that cannot be accepted is reported, and the next one is accepted', async () => {
  const failures: string[] = [];
  const listener = new Listener(
    { name: 'main', address: { host: '127.0.0.1', port: 0 }, requestClientCertificate: false, limits: DEFAULT_LIMITS },
    new PeerBudget(Date.now),
    {
      connections() {},
      handshakeFailed() {},
      refused: () => ({ requestId: '', contentType: 'text/plain', body: '' }),
      acceptFailed: (error) => void failures.push(error.message),
    },
  );
  onTestFinished(() => listener.close(0));
  listener.server.on('request', (_request, response) => response.end());
  const { port } = await listener.listen();
  listener.server.emit('error', new Error('accept EMFILE'));
  expect(failures).toEqual(['accept EMFILE']);
  const wire = await dial({ port, secure: false });
  expect((await wire.ask(HELLO)).status).toBe(200);
  wire.socket.destroy();
});

test('an HTTP/2 connection that breaks in the middle of anything harms nobody', async () => {
  const server = await start();
  connectTls({ host: '127.0.0.1', port: server.port, ca: serverRoot.pem })
    .on('error', () => {})
    .destroy();
  const session = await dialHttp2(server);
  session.request({ ':path': '/echo/said/x' }).on('error', () => {});
  session.destroy();
  expect((await (await connect(server)).ask(HELLO)).status).toBe(200);
});

import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  echoService,
  type Listening,
  listening,
  message,
  type Wire,
} from '../../../test/support/listening.ts';

const REQUEST = message('LIST', '/echo/said/roles');
/** Positions at which a packet can end, after the last letter of the first line. */
const SPLITS = Array.from({ length: REQUEST.indexOf('\r\n') + 2 }, (_, i) => i + 1);

async function start(secure: boolean, gate?: Promise<void>): Promise<Listening> {
  const server = await listening({ ...(!secure && { tls: false }), services: [echoService(gate)] });
  onTestFinished(() => server.server.close(0));
  return server;
}

async function connect(server: Listening): Promise<Wire> {
  const wire = await dial(server);
  onTestFinished(() => void wire.socket.destroy());
  return wire;
}

const said = (method: string, word: string) => message(method, `/echo/said/${word}`);

describe.each([
  ['plain', false],
  ['TLS', true],
])('LIST over HTTP/1.1, %s', (_name, secure) => {
  test('is answered as the first, the second and every later request of a connection', async () => {
    const wire = await connect(await start(secure));
    for (const method of ['LIST', 'LIST', 'GET', 'LIST', 'LINK', 'LIST', 'LINK', 'LINK', 'LIST']) {
      expect((await wire.ask(said(method, 'x'))).body).toMatchObject({ method, url: '/echo/said/x' });
    }
  });

  test('is answered wherever the first packet of a connection ends', async () => {
    const server = await start(secure);
    for (const split of SPLITS) {
      const wire = await connect(server);
      const reply = await wire.ask(REQUEST.slice(0, split), REQUEST.slice(split));
      expect([split, reply.body?.method]).toEqual([split, 'LIST']);
      wire.socket.destroy();
    }
  });

  test('is answered wherever a later packet ends, behind other verbs and behind itself', async () => {
    const server = await start(secure);
    for (const before of ['GET', 'LIST']) {
      const wire = await connect(server);
      for (const split of SPLITS) {
        expect((await wire.ask(said(before, 'a'))).body.method).toBe(before);
        const reply = await wire.ask(REQUEST.slice(0, split), REQUEST.slice(split));
        expect([before, split, reply.body?.method]).toEqual([before, split, 'LIST']);
      }
    }
  });

  test('is answered when every byte is a packet', async () => {
    const wire = await connect(await start(secure));
    for (let i = 0; i < 2; i++) expect((await wire.ask(...REQUEST)).body.method).toBe('LIST');
  });

  test('keeps its place among pipelined requests, however they are cut into packets', async () => {
    const server = await start(secure);
    const methods = ['GET', 'LIST', 'LIST', 'POST', 'LINK', 'LIST', 'GET', 'LIST'];
    const requests = methods.map((method, i) =>
      method === 'POST'
        ? message('POST', `/echo/said/${i}`, { 'Content-Type': 'application/json' }, '{"LIST /":1}')
        : said(method, String(i)),
    );
    const all = requests.join('');
    for (const size of [all.length, 61, 20, 7]) {
      const wire = await connect(server);
      const pieces = all.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      await wire.write(...pieces);
      for (const [i, method] of methods.entries()) {
        expect((await wire.next()).body).toMatchObject({ method, url: `/echo/said/${i}` });
      }
      wire.socket.destroy();
    }
  });

  test('waits for the responses that are due before it, wherever its packet ends', async () => {
    for (const split of [0, 1, 2, 3, 4, 5, 6, 30]) {
      const gate = Promise.withResolvers<void>();
      const server = await start(secure, gate.promise);
      const wire = await connect(server);
      const held = message('GET', '/echo/held');
      await wire.write(
        held + said('GET', 'second') + REQUEST.slice(0, split),
        REQUEST.slice(split),
        said('GET', 'last'),
      );
      gate.resolve();
      expect((await wire.next()).body).toEqual({ held: true });
      expect((await wire.next()).body).toMatchObject({ method: 'GET', url: '/echo/said/second' });
      expect((await wire.next()).body).toMatchObject({ method: 'LIST', url: '/echo/said/roles' });
      expect((await wire.next()).body).toMatchObject({ method: 'GET', url: '/echo/said/last' });
    }
  });

  test('is not timed out while it waits for an earlier response', async () => {
    const gate = Promise.withResolvers<void>();
    const server = await listening({
      ...(!secure && { tls: false }),
      services: [echoService(gate.promise)],
      limits: { headersMs: 50, requestMs: 50 },
    });
    onTestFinished(() => server.server.close(0));
    const wire = await connect(server);
    await wire.write(message('GET', '/echo/held') + REQUEST);
    await new Promise((resolve) => setTimeout(resolve, 200));
    gate.resolve();
    expect((await wire.next()).status).toBe(200);
    expect((await wire.next()).body.method).toBe('LIST');
  });

  test('is answered when the response before it ends between two pieces of its verb', async () => {
    for (const earlier of ['GET', 'LIST']) {
      const gate = Promise.withResolvers<void>();
      const wire = await connect(await start(secure, gate.promise));
      await wire.ask(said(earlier, 'x'));
      await wire.write(`${message('GET', '/echo/held')}L`);
      gate.resolve();
      expect((await wire.next()).body).toEqual({ held: true });
      expect((await wire.ask('I', REQUEST.slice(2))).body.method).toBe('LIST');
    }
  });

  test('is answered behind a head whose first packet ended like another verb', async () => {
    const wire = await connect(await start(secure));
    for (let i = 0; i < 2; i++) {
      await wire.ask('GET /echo/said/x HTTP/1.1\r\nHost: UN', 'IX\r\n\r\n');
      expect((await wire.ask(REQUEST)).body.method).toBe('LIST');
    }
  });

  test('waits without reading on, however much is sent behind it', async () => {
    const gate = Promise.withResolvers<void>();
    const wire = await connect(await start(secure, gate.promise));
    const large = message('GET', '/echo/said/x', { 'X-Large': 'x'.repeat(12_000) });
    await wire.write(message('GET', '/echo/held') + REQUEST, ...Array.from({ length: 20 }, () => large.repeat(15)));
    gate.resolve();
    expect((await wire.next()).body).toEqual({ held: true });
    expect((await wire.next()).body.method).toBe('LIST');
    for (let i = 0; i < 300; i++) expect((await wire.next()).status).toBe(200);
  });

  test('may carry a body, which is not looked at', async () => {
    const wire = await connect(await start(secure));
    const body = message('LIST', '/echo/said/x', { 'Content-Type': 'application/json' }, '{"LIST ');
    const chunked = `${message('LIST', '/echo/said/y', { 'Transfer-Encoding': 'chunked' })}5\r\nLIST \r\n0\r\n\r\n`;
    await wire.write(body + chunked + said('GET', 'z'));
    expect((await wire.next()).body).toMatchObject({ method: 'LIST', url: '/echo/said/x' });
    expect((await wire.next()).body).toMatchObject({ method: 'LIST', url: '/echo/said/y' });
    expect((await wire.next()).body).toMatchObject({ method: 'GET', url: '/echo/said/z' });
  });

  test('may expect a 100 Continue before its body', async () => {
    const wire = await connect(await start(secure));
    await wire.write(`${message('LIST', '/echo/said/x', { Expect: '100-continue', 'Content-Length': '2' })}{}`);
    expect((await wire.next()).status).toBe(100);
    expect((await wire.next()).body.method).toBe('LIST');
  });

  test('is answered on a connection that the client closes for writing', async () => {
    const wire = await connect(await start(secure));
    wire.socket.end(message('LIST', '/nowhere'));
    expect((await wire.next()).status).toBe(404);
  });

  test('ends the connection when it says so, or when the request before it did', async () => {
    const server = await start(secure);
    const last = await connect(server);
    expect((await last.ask(message('LIST', '/echo/said/x', { Connection: 'close' }))).headers.connection).toBe('close');
    await last.closed;
    const behind = await connect(server);
    await behind.write(message('GET', '/echo/said/x', { Connection: 'close' }) + REQUEST);
    expect((await behind.next()).body.method).toBe('GET');
    await behind.closed;
    await expect(behind.next()).rejects.toThrow('closed');
  });

  test.each([
    ['GEST /x', ['GE', 'ST /x']],
    ['BIST /x', ['B', 'IST /x']],
    ['UNLIST /x', ['UNLIST /x']],
    ['UNLIST /x', ['UNL', 'IST /x']],
    ['UNLIST /x', ['UN', 'LIST /x']],
    ['LISX /x', ['LIS', 'X /x']],
    ['LISTS /x', ['LIST', 'S /x']],
    ['LISTEN /x', ['LISTEN /x']],
    ['list /x', ['list /x']],
    ['SCAN /x', ['SCAN /x']],
  ])('%s is no LIST, in packets %j', async (_verb, pieces) => {
    const server = await start(secure);
    for (const before of ['', 'GET', 'LIST']) {
      const wire = await connect(server);
      if (before) await wire.ask(said(before, 'x'));
      const [first = '', ...others] = pieces;
      const reply = await wire.ask(
        first,
        ...others.map((piece) => `${piece} HTTP/1.1\r\nHost: a\r\n\r\n`),
        ' HTTP/1.1\r\n\r\n',
      );
      // A method that arrives in pieces is reported as an unknown method or as invalid HTTP.
      expect([400, 405], before).toContain(reply.status);
      expect(reply.headers.connection).toBe('close');
      await wire.closed;
    }
  });

  test('half a verb is answered 408 when the rest does not come, and 400 when the client gives up', async () => {
    const server = await listening({ ...(!secure && { tls: false }), limits: { headersMs: 60, requestMs: 60 } });
    onTestFinished(() => server.server.close(0));
    for (const half of ['L', 'LI', 'LIS', 'LIST']) {
      const late = await connect(server);
      expect([half, (await late.ask(half)).status]).toEqual([half, 408]);
      await late.closed;
    }
    const gone = await connect(await start(secure));
    gone.socket.end('LIST');
    expect((await gone.next()).status).toBe(400);
    await gone.closed;
  });

  test('leaves no listener, no timer and no warning behind, thousands of times on one connection', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const sockets: import('node:net').Socket[] = [];
    const service = echoService();
    const server = await listening({
      ...(!secure && { tls: false }),
      services: [
        {
          ...service,
          routes: async (app) => {
            app.addHook('onRequest', async ({ raw }) => void sockets.push(raw.socket));
            await service.routes(app);
          },
        },
      ],
    });
    onTestFinished(() => server.server.close(0));
    const wire = await connect(server);
    const listeners = () => {
      const socket = sockets.at(-1);
      return socket
        ?.eventNames()
        .map((name) => `${String(name)} ${socket.listenerCount(name)}`)
        .sort();
    };
    for (let i = 0; i < 3; i++) await wire.ask(REQUEST);
    const early = listeners();
    for (let i = 0; i < 150; i++) {
      await wire.write(REQUEST.repeat(20));
      for (let n = 0; n < 20; n++) expect((await wire.next()).status).toBe(200);
    }
    await wire.ask(REQUEST);
    expect(new Set(sockets).size).toBe(1);
    expect(sockets).toHaveLength(3004);
    expect(listeners()).toEqual(early);
    expect(warnings).toEqual([]);
  });
});

test('LIST over HTTP/2 needs none of this', async () => {
  const session = await dialHttp2(await start(true));
  onTestFinished(() => session.destroy());
  expect((await ask2(session, { ':method': 'LIST', ':path': '/echo/said/x' })).body.method).toBe('LIST');
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { dial, type Listening, listening, message, type Wire } from '../../../test/support/listening.ts';
import { AppError } from '../../lib/errors.ts';
import { parseJsonBody } from '../../lib/json.ts';
import type { Service } from '../../lib/service.ts';
import { plainErrors } from '../request/error-edge.ts';
import { MAX_WAITING_BYTES } from './pipelining-queue.ts';

/** Number of requests in progress, and its maximum so far. */
interface Count {
  now: number;
  most: number;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Echoes each request after a turn of the event loop. `gate` holds back the response of `/slow/held`. */
function slowService(count: Count, gate: Promise<void>): Service {
  return {
    name: 'slow',
    prefix: '/slow',
    errors: plainErrors,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
      app.addHook('onRequest', async () => {
        count.most = Math.max(count.most, ++count.now);
      });
      app.addHook('onSend', async () => void count.now--);
      app.route({
        method: ['GET', 'LIST', 'POST'],
        url: '/:word',
        handler: async ({ method, params, body }) => {
          const { word } = params as { word: string };
          await (word === 'held' ? gate : turn());
          return { method, word, body };
        },
      });
    },
  };
}

interface Running {
  readonly server: Listening;
  readonly wire: Wire;
  readonly count: Count;
  readonly open: () => void;
}

async function start(secure: boolean): Promise<Running> {
  const count = { now: 0, most: 0 };
  const gate = Promise.withResolvers<void>();
  const server = await listening({ ...(!secure && { tls: false }), services: [slowService(count, gate.promise)] });
  onTestFinished(() => server.server.close(0));
  const wire = await dial(server);
  onTestFinished(() => void wire.socket.destroy());
  return { server, wire, count, open: gate.resolve };
}

const get = (word: string | number) => message('GET', `/slow/${word}`);

describe.each([
  ['plain', false],
  ['TLS', true],
])('requests in a pipeline, %s', (_name, secure) => {
  test('are executed one at a time, in order, regardless of their number in a packet', async () => {
    const { wire, count } = await start(secure);
    const requests = Array.from({ length: 1_000 }, (_, i) => {
      if (i % 7 === 3) return message('LIST', `/slow/${i}`);
      if (i % 5 === 2) return message('POST', `/slow/${i}`, JSON_TYPE, `{"i":${i}}`);
      return get(i);
    });
    await wire.write(requests.join(''));
    for (let i = 0; i < requests.length; i++) {
      const { status, body } = await wire.next();
      expect([status, body.word]).toEqual([200, String(i)]);
    }
    expect(count.most).toBe(1);
  });

  test('are answered wherever their packets end, with bodies of every kind', async () => {
    const { server } = await start(secure);
    const all = [
      get('a'),
      message('POST', '/slow/b', JSON_TYPE, '{"b":1}'),
      `${message('POST', '/slow/c', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' })}3\r\n{"c\r\n4\r\n":2}\r\n0\r\n\r\n`,
      message('LIST', '/slow/d'),
      message('POST', '/slow/e', JSON_TYPE, '{"LIST /":3}'),
      get('f'),
    ].join('');
    for (const size of [all.length, 150, 33, 10]) {
      const wire = await dial(server);
      await wire.write(...(all.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []));
      const bodies = [undefined, { b: 1 }, { c: 2 }, undefined, { 'LIST /': 3 }, undefined];
      for (const [i, body] of bodies.entries()) {
        expect((await wire.next()).body).toMatchObject({ word: 'abcdef'[i], ...(body && { body }) });
      }
      expect((await wire.ask(get('again'))).status).toBe(200);
      wire.socket.destroy();
    }
  });

  test('are not read or executed while a response is due', async () => {
    const { server, wire, count, open } = await start(secure);
    wire.socket.write(get('held') + get('x').repeat(200_000));
    await expect.poll(() => count.now).toBe(1);
    const other = await dial(server);
    for (let i = 0; i < 20; i++) expect((await other.ask(get(i))).status).toBe(200);
    expect(count.now).toBe(1);
    expect(count.most).toBeLessThanOrEqual(2);
    // Unread data fills the socket buffers, and then blocks the client.
    expect(wire.socket.writableLength).toBeGreaterThan(MAX_WAITING_BYTES);
    other.socket.destroy();
    open();
    expect((await wire.next()).body.word).toBe('held');
    for (let i = 0; i < 100; i++) expect((await wire.next()).body.word).toBe('x');
  });

  test('leave others their turn', async () => {
    const { server, wire } = await start(secure);
    const other = await dial(server);
    await wire.write(get('x').repeat(500));
    await wire.next();
    // Other clients get responses while the five hundred are in progress. A server that finishes a packet first has
    // none of them left.
    expect((await other.ask(get('y'))).body.word).toBe('y');
    expect(server.requests().length).toBeLessThan(500);
    other.socket.destroy();
  });

  test('get 100 Continue in their turn', async () => {
    const { wire, open } = await start(secure);
    const expecting = message('POST', '/slow/b', { ...JSON_TYPE, Expect: '100-continue', 'Content-Length': '2' });
    await wire.write(get('held') + expecting, '{}', get('c'));
    open();
    expect((await wire.next()).body.word).toBe('held');
    expect((await wire.next()).status).toBe(100);
    expect((await wire.next()).body).toMatchObject({ word: 'b', body: {} });
    expect((await wire.next()).body.word).toBe('c');
  });

  test('are answered before what is not HTTP behind them', async () => {
    const { wire } = await start(secure);
    await wire.write(`${get('a').repeat(3)}nonsense\r\n\r\n`);
    for (const status of [200, 200, 200, 400]) expect((await wire.next()).status).toBe(status);
    await wire.closed;
  });

  test('end with the connection of the request that closes it', async () => {
    const { server, wire } = await start(secure);
    await wire.write(get('a') + message('GET', '/slow/b', { Connection: 'close' }) + get('c').repeat(10));
    expect((await wire.next()).body.word).toBe('a');
    expect((await wire.next()).headers.connection).toBe('close');
    await wire.closed;
    expect(server.requests()).toHaveLength(2);
  });

  test.each(['before', 'behind'])('%s one that would change the protocol never hang', async (place) => {
    const { wire } = await start(secure);
    const upgrade = message('GET', '/slow/u', { Connection: 'Upgrade', Upgrade: 'websocket' });
    await wire.write(place === 'before' ? get('a') + upgrade + get('b') : upgrade + get('a').repeat(2));
    expect((await wire.next()).status).toBe(200);
    await wire.closed;
  });
});

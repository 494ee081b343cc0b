import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { dial, echoService, listening, message } from '../../../test/support/listening.ts';
import type { Service } from '../../lib/service.ts';

const SLOW = { timeout: 10_000 };

/** A service whose responses continue until the connection closes. */
function streams(): Service {
  return {
    ...echoService(),
    name: 'streams',
    prefix: '/streams',
    routes(app) {
      app.get('/one', async (request, reply) => {
        const stream = new Readable({ read() {} });
        request.event.endless(() => stream.push(null));
        stream.push('begun\n');
        return reply.send(stream);
      });
    },
  };
}

async function start(limits: { requests: number; streams: number }) {
  const server = await listening({ tls: false, services: [echoService(), streams()], serverLimits: limits });
  onTestFinished(() => server.server.close(0));
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = get(`http://127.0.0.1:${server.port}/streams/one`, { agent: false }, resolve);
      request.on('error', reject);
      onTestFinished(() => void request.destroy());
    });
  return { server, open };
}

test('answers without an end take no place of requests, and have a bound of their own', async () => {
  const { server, open } = await start({ requests: 4, streams: 6 });
  const opened = [await open(), await open(), await open()];
  expect(opened.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  // One IP address may use half of them.
  const refused = await open();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  const wire = await dial(server);
  onTestFinished(() => void wire.socket.destroy());
  expect((await wire.ask(message('GET', '/echo/said/x'))).status).toBe(200);
  opened[0]?.destroy();
  await expect.poll(async () => (await open()).statusCode, SLOW).toBe(200);
});

test('they end when the server begins to stop, in full', async () => {
  const { server, open } = await start({ requests: 4, streams: 6 });
  const stream = await open();
  let text = '';
  stream.on('data', (chunk) => (text += chunk));
  const ended = new Promise((resolve) => stream.once('end', resolve));
  server.server.drain();
  await ended;
  expect(text).toBe('begun\n');
  expect((await open()).statusCode).toBe(503);
});

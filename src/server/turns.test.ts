import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ask2, dial, dialHttp2, echoService, listening, message } from '../../test/support/listening.ts';
import { Turns } from './turns.ts';

test('connections take turns, each with one request in a turn of the event loop', async () => {
  const turns = new Turns();
  const begun: string[] = [];
  const [one, other] = [{}, {}];
  for (let i = 0; i < 4; i++) turns.take(one, () => begun.push(`one ${i}`));
  turns.take(other, () => begun.push('other 0'));
  expect(begun).toEqual(['one 0', 'other 0']);
  await nextTurn();
  turns.take(other, () => begun.push('other 1'));
  expect(begun.slice(2)).toEqual(['one 1', 'other 1']);
  while (begun.length < 6) await nextTurn();
  expect(begun.slice(4)).toEqual(['one 2', 'one 3']);
  await nextTurn();
  turns.take(one, () => begun.push('at once'));
  expect(begun.at(-1)).toBe('at once');
});

test('a hundred requests in a packet of HTTP/2 do not stand before the one of somebody else', async () => {
  const server = await listening({ services: [echoService()] });
  onTestFinished(() => server.server.close(0));
  const [session, wire] = [await dialHttp2(server), await dial(server)];
  onTestFinished(() => session.destroy());
  await wire.ask(message('GET', '/echo/said/x'));
  const many = Array.from({ length: 100 }, () => ask2(session, { ':path': '/echo/said/many' }));
  // They are on their way by now.
  await nextTurn();
  expect((await wire.ask(message('GET', '/echo/said/one'))).status).toBe(200);
  for (const reply of await Promise.all(many)) expect(reply.status).toBe(200);
  const versions = server.requests().map(({ http_version: version }) => version);
  expect(versions.lastIndexOf('1.1')).toBeLessThan(versions.lastIndexOf('2.0'));
});

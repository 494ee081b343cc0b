import { expect, onTestFinished, test } from 'vitest';
import { dial, listening, message } from '../../test/support/listening.ts';
import { Readiness } from './health.ts';

const fails = { name: 'database', run: () => Promise.reject(new Error('down')) };
const works = { name: 'database', run: async () => {} };

test('a process that runs is alive, and ready when every check passes', async () => {
  const server = await listening({ tls: false, checks: [works] });
  onTestFinished(() => server.server.close(0));
  const wire = await dial(server);
  expect(await wire.ask(message('GET', '/healthz/live'))).toMatchObject({ status: 200, body: { live: true } });
  expect(await wire.ask(message('GET', '/healthz/ready'))).toMatchObject({
    status: 200,
    body: {
      ready: true,
      checks: [
        { name: 'accepting', ok: true },
        { name: 'database', ok: true },
      ],
    },
  });
  wire.socket.destroy();
});

test('a process whose database does not answer is alive and not ready', async () => {
  const server = await listening({ tls: false, checks: [fails, { ...works, name: 'other' }] });
  onTestFinished(() => server.server.close(0));
  const wire = await dial(server);
  expect((await wire.ask(message('GET', '/healthz/live'))).status).toBe(200);
  const { status, body } = await wire.ask(message('GET', '/healthz/ready'));
  expect(status).toBe(503);
  expect(body).toEqual({
    ready: false,
    checks: [
      { name: 'accepting', ok: true },
      { name: 'database', ok: false },
      { name: 'other', ok: true },
    ],
  });
  wire.socket.destroy();
});

test('a process that is about to stop is not ready, and checks that throw have failed', async () => {
  const readiness = new Readiness([
    {
      name: 'broken',
      run() {
        throw new Error('at once');
      },
    },
  ]);
  expect(await readiness.health()).toMatchObject({ checks: [{ ok: true }, { ok: false }] });
  readiness.drain();
  expect(await readiness.health()).toMatchObject({ ready: false, checks: [{ ok: false }, { ok: false }] });
});

test('a check that does not come to an end has failed', async () => {
  const readiness = new Readiness([{ name: 'stuck', run: () => new Promise(() => {}) }]);
  expect(await readiness.health()).toMatchObject({
    ready: false,
    checks: [{ ok: true }, { name: 'stuck', ok: false }],
  });
});

test('those who ask at the same time share one round of checks', async () => {
  let rounds = 0;
  const readiness = new Readiness([{ name: 'counted', run: async () => rounds++ }]);
  await Promise.all([readiness.health(), readiness.health(), readiness.health()]);
  expect(rounds).toBe(1);
  await readiness.health();
  expect(rounds).toBe(2);
});

import { expect, onTestFinished, test, vi } from 'vitest';
import { dial, listening, message } from '../../../test/support/listening.ts';
import { CHECK_HOLDS_MS, CHECK_MS, DETAILS_HOLD_MS, Readiness } from './health.ts';

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

test('callers within a second share one round of checks, and a stop is reported at once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let rounds = 0;
  const readiness = new Readiness([{ name: 'counted', run: async () => rounds++ }]);
  await Promise.all([readiness.health(), readiness.health(), readiness.health()]);
  vi.advanceTimersByTime(CHECK_HOLDS_MS - 1);
  expect((await readiness.health()).ready).toBe(true);
  expect(rounds).toBe(1);
  vi.advanceTimersByTime(1);
  await readiness.health();
  expect(rounds).toBe(2);
  readiness.drain();
  expect((await readiness.health()).ready).toBe(false);
});

test('a check that is stuck is not begun again, and is believed once it has come to its end', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let rounds = 0;
  const gate = Promise.withResolvers<void>();
  const run = () => {
    rounds++;
    return gate.promise;
  };
  const readiness = new Readiness([{ name: 'stuck', run }]);
  for (let round = 0; round < 3; round++) {
    const health = readiness.health();
    vi.advanceTimersByTime(CHECK_MS);
    expect((await health).checks[1]).toEqual({ name: 'stuck', ok: false, reason: 'no response within 2 s' });
  }
  expect(rounds).toBe(1);
  gate.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await readiness.health()).ready).toBe(true);
  expect(rounds).toBe(2);
});

test('a check that fails says why in the words of the system, and names no file', async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write '/srv/secret'"), { code: 'ENOSPC' });
  const readiness = new Readiness([
    { name: 'blobs', run: () => Promise.reject(new Error('not available', { cause: full })) },
  ]);
  expect((await readiness.health()).checks[1]).toEqual({ name: 'blobs', ok: false, reason: 'ENOSPC' });
});

test('verbose callers share results for a while, and a running check', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  let gate = Promise.withResolvers<void>();
  const readiness = new Readiness();
  expect(await readiness.details()).toEqual([]);
  vi.advanceTimersByTime(DETAILS_HOLD_MS);
  readiness.explainBy(async () => {
    looks++;
    await gate.promise;
    return [{ name: 'disk', status: 'success' }];
  });
  const asked = [readiness.details(), readiness.details()];
  vi.advanceTimersByTime(10 * DETAILS_HOLD_MS);
  asked.push(readiness.details());
  gate.resolve();
  for (const details of await Promise.all(asked)) expect(details).toEqual([{ name: 'disk', status: 'success' }]);
  expect(looks).toBe(1);
  gate = Promise.withResolvers();
  gate.resolve();
  vi.advanceTimersByTime(DETAILS_HOLD_MS - 1);
  await readiness.details();
  expect(looks).toBe(1);
  vi.advanceTimersByTime(1);
  await readiness.details();
  expect(looks).toBe(2);
});

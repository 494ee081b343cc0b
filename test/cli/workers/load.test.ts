import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresUrl } from '../../support/databases.ts';
import { type LoadOptions, startLoad } from '../../support/load.ts';
import { WorkersInstallation } from '../../support/workers.ts';

/** Requests of each kind before the event. */
const REQUESTS = 100;
const LOAD = { clients: 4, path: '/v1/sys/health' };

const KINDS: readonly [string, 'tls' | 'plain', Pick<LoadOptions, 'protocol' | 'keepAlive'>][] = [
  ['new connections, plain', 'plain', { protocol: 1, keepAlive: false }],
  ['connections that are kept, plain', 'plain', { protocol: 1, keepAlive: true }],
  ['new connections, TLS', 'tls', { protocol: 1, keepAlive: false }],
  ['connections that are kept, TLS', 'tls', { protocol: 1, keepAlive: true }],
  ['new connections, HTTP/2', 'tls', { protocol: 2, keepAlive: false }],
  ['connections that are kept, HTTP/2', 'tls', { protocol: 2, keepAlive: true }],
];

describe.skipIf(postgresUrl === undefined)('several workers under load', () => {
  let installation: WorkersInstallation;

  beforeAll(async () => {
    installation = new WorkersInstallation('limits: { lame_duck: 1s }\nlog: { level: warn }\nworkers: 2');
    await installation.init();
  }, 180_000);
  afterAll(() => installation.remove());

  it.each(KINDS)(
    'drop no request when the server gets the signal to stop: %s',
    { timeout: 120_000 },
    async (_, where, how) => {
      const server = await installation.serve('log.level=info');
      const load = startLoad(server[where], { ...LOAD, ...how });
      await expect.poll(load.answered, { timeout: 100_000 }).toBeGreaterThan(REQUESTS);
      const before = load.answered();
      server.command.signal('SIGTERM');
      const { answered, dropped } = await load.over;
      expect(dropped).toEqual([]);
      expect(answered).toBeGreaterThan(before);
      expect(await server.command.ended()).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('drop no request while each of them is replaced', { timeout: 120_000 }, async () => {
    const server = await installation.serve('log.level=info');
    const loads = KINDS.map(([, where, how]) => startLoad(server[where], { ...LOAD, clients: 2, ...how }));
    const all = () => Math.min(...loads.map((load) => load.answered()));
    await expect.poll(all, { timeout: 50_000 }).toBeGreaterThan(REQUESTS / 4);
    const before = server.workerPids();
    server.command.signal('SIGHUP');
    await expect.poll(() => server.logged('all workers were replaced').length, { timeout: 50_000 }).toBe(1);
    const after = server.workerPids();
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    const replaced = all();
    await expect.poll(all, { timeout: 50_000 }).toBeGreaterThan(replaced);
    server.command.signal('SIGTERM');
    for (const { dropped } of await Promise.all(loads.map((load) => load.over))) expect(dropped).toEqual([]);
    expect(await server.command.ended()).toMatchObject({ code: 0, stderr: '' });
  });

  it('lose only the requests of a worker that is killed', { timeout: 120_000 }, async () => {
    const server = await installation.serve('log.level=info');
    const one = { ...LOAD, clients: 1, protocol: 1, keepAlive: true } as const;
    const loads = Array.from({ length: LOAD.clients }, () => startLoad(server.plain, one));
    const least = () => Math.min(...loads.map((load) => load.answered()));
    await expect.poll(least, { timeout: 50_000 }).toBeGreaterThan(REQUESTS / LOAD.clients);
    const [victim = 0, other = 0] = server.workerPids();
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => server.logged('a crashed worker was replaced').length, { timeout: 30_000 }).toBe(1);
    const pids = server.workerPids();
    expect(pids).toContain(other);
    expect(pids).not.toContain(victim);
    const before = loads.map((load) => load.answered());
    const goOn = () => loads.every((load, index) => load.answered() > (before[index] ?? 0));
    await expect.poll(goOn, { timeout: 50_000 }).toBe(true);
    server.command.signal('SIGTERM');
    // Two of four connections were on the other worker: their clients notice nothing.
    const dropped = await Promise.all(loads.map(async (load) => (await load.over).dropped.length));
    expect(dropped.filter((count) => count === 0).length).toBeGreaterThanOrEqual(2);
    expect(await server.command.ended()).toMatchObject({ code: 0, stderr: '' });
  });
});

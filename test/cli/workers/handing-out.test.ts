import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresUrl } from '../../support/databases.ts';
import { get } from '../../support/plain-http.ts';
import { WorkersInstallation } from '../../support/workers.ts';

const CONNECTIONS = 60;
/** One connection is on the way to the worker. */
const MOST_LOST = 1;

describe.skipIf(postgresUrl === undefined)('connections that are handed to a worker', () => {
  let installation: WorkersInstallation;

  beforeAll(async () => {
    installation = new WorkersInstallation('limits: { lame_duck: 0s }\nworkers: 2');
    await installation.init();
  }, 180_000);
  afterAll(() => installation.remove());

  it('which is paused and then killed are answered by another one', { timeout: 120_000 }, async () => {
    const server = await installation.serve();
    const [victim = 0] = server.workerPids();
    process.kill(victim, 'SIGSTOP');
    let answered = 0;
    let ended = 0;
    const asking = Array.from({ length: CONNECTIONS }, async () => {
      const answer = await get(`${server.plainAddress}/healthz/live`).catch(() => undefined);
      ended += 1;
      if (answer?.status === 200) answered += 1;
    });
    // Meanwhile the other worker serves.
    await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(0);
    await sleep(200);
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => ended, { timeout: 30_000 }).toBe(CONNECTIONS);
    await Promise.all(asking);
    expect(answered).toBeGreaterThanOrEqual(CONNECTIONS - MOST_LOST);
    server.command.signal('SIGTERM');
    expect(await server.command.ended()).toMatchObject({ code: 0 });
  });

  it('go to the running worker while the other one is paused', { timeout: 120_000 }, async () => {
    const server = await installation.serve();
    const [still = 0] = server.workerPids();
    process.kill(still, 'SIGSTOP');
    const waiting: Promise<unknown>[] = [];
    let answered = 0;
    for (let i = 0; i < CONNECTIONS; i++) {
      const answer = get(`${server.plainAddress}/healthz/live`).then(() => {
        answered += 1;
      });
      waiting.push(answer);
      await Promise.race([answer, sleep(100)]);
    }
    expect(answered).toBeGreaterThanOrEqual(CONNECTIONS - 2);
    process.kill(still, 'SIGCONT');
    await Promise.all(waiting);
    server.command.signal('SIGTERM');
    expect(await server.command.ended()).toMatchObject({ code: 0 });
  });
});

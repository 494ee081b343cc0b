import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresUrl } from '../../support/databases.ts';
import { WorkersInstallation, type WorkersServer } from '../../support/workers.ts';

const EMBEDDED = 'workspaces: { execution: embedded, embedded_agent: { slots: 1, isolation: none } }';

describe.skipIf(postgresUrl === undefined)('the agent of a server with several workers', () => {
  let installation: WorkersInstallation;
  let server: WorkersServer;
  beforeAll(async () => {
    installation = new WorkersInstallation(`limits: { lame_duck: 0s }\nworkers: 2\n${EMBEDDED}`);
    await installation.init();
    server = await installation.serve();
  }, 180_000);
  afterAll(() => installation.remove());

  const said = () => server.logged('agent').filter((line) => typeof line.agent === 'string');
  const waiting = () => said().filter(({ agent }) => String(agent).includes('registered, waiting for jobs')).length;

  it('is one process, which the main process starts with a token from a worker', { timeout: 60_000 }, async () => {
    await expect.poll(waiting, { timeout: 40_000 }).toBe(1);
    // The agent is a child of the main process, beside the two workers.
    expect(server.workerPids()).toHaveLength(3);
    expect(said().filter((line) => 'worker' in line)).toEqual([]);
  });
});

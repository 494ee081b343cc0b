import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Dialect } from '../../../../src/storage/index.ts';
import { agentsOf } from './agents.ts';
import { startApi, type TestApi } from './api.ts';
import { newOrganization, type TestOrganization } from './organization.ts';
import { runsOf, type TestRuns } from './runs.ts';

/** A server with a new organization that has an agent pool, and short functions for them. */
export interface WithPool {
  readonly api: TestApi;
  readonly acme: TestOrganization;
  readonly runs: TestRuns;
  readonly agents: ReturnType<typeof agentsOf>;
  readonly pool: string;
}

/** Placeholder for the variables of a suite until its first test. */
export const NOT_STARTED = {} as WithPool;

/**
 * Starts a server for a suite. Each test gets a new organization with an agent pool, without agents.
 * @param setUp runs before each test
 */
export function withAgentPool(kind: Dialect, setUp: (made: WithPool) => void | Promise<void>): void {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    const acme = await newOrganization(api);
    const agents = agentsOf(api, acme);
    await setUp({ api, acme, agents, runs: runsOf(api, acme), pool: await agents.pool('first') });
  });
}

import { defineConfig } from 'vitest/config';

/** Agents, servers and engines are killed during runs, networks and clusters are lost, jobs take all they can. */
export default defineConfig({
  test: {
    include: ['test/outage/**/*.test.ts'],
    // Polls wait long enough for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 240_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 3,
    globalSetup: ['test/support/temporary.ts', 'test/support/compile-cache.ts', 'test/support/program.ts'],
  },
});

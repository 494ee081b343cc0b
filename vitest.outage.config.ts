import { defineConfig } from 'vitest/config';

/** Agents, servers and engines that are killed while runs are carried out, and networks that are lost: minutes of waiting. */
export default defineConfig({
  test: {
    include: ['test/outage/**/*.test.ts'],
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 240_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 3,
    globalSetup: ['test/support/temporary.ts', 'test/support/program.ts'],
  },
});

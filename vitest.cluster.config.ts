import { defineConfig } from 'vitest/config';

/** Several nodes on one PostgreSQL, of which some are killed, paused and replaced while they are used: minutes of waiting. */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/support/temporary.ts', 'test/support/program.ts'],
  },
});

import { defineConfig } from 'vitest/config';

/** Several nodes on one PostgreSQL. The tests kill, pause and replace nodes under load, which takes minutes. */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/support/temporary.ts', 'test/support/compile-cache.ts', 'test/support/program.ts'],
  },
});

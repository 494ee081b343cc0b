import { defineConfig } from 'vitest/config';

/** Tasks of an operator, with the operator's tools: promtool, HSMs, images, units, charts, object storage. */
export default defineConfig({
  test: {
    include: ['test/operations/**/*.test.ts'],
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/support/temporary.ts', 'test/support/compile-cache.ts', 'test/support/program.ts'],
  },
});

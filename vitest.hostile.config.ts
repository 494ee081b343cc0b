import { defineConfig } from 'vitest/config';

/** Servers under attack beside an honest client: one file at a time, nothing else beside it. */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.test.ts'],
    globalSetup: 'test/support/temporary.ts',
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 180_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});

import { defineConfig } from 'vitest/config';

/** The console in a real browser, against the real server. Without a browser they are skipped, and say so; not where `CI` is set. */
export default defineConfig({
  test: {
    include: ['test/console/**/*.test.ts'],
    globalSetup: 'test/console/support/built.ts',
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 15_000 } },
    // Where everything is checked, the message is all there is to see.
    chaiConfig: { truncateThreshold: 2_000 },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});

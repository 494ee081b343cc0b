import { defineConfig } from 'vitest/config';

/**
 * The console in a real browser, against the real server. Without a browser the tests are skipped with a message; with
 * `CI` set they fail.
 */
export default defineConfig({
  test: {
    include: ['test/console/**/*.test.ts'],
    globalSetup: ['test/support/temporary.ts', 'test/console/support/built.ts'],
    // Polls wait long enough for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // A CI log shows only the message, so it must not be truncated early.
    chaiConfig: { truncateThreshold: 2_000 },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Each worker loads the server once.
    isolate: false,
    maxWorkers: 2,
  },
});

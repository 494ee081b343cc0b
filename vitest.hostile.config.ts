import { defineConfig } from 'vitest/config';

/** Servers under attack, with an honest client beside the attacker. Files run one at a time. */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.test.ts'],
    globalSetup: ['test/support/temporary.ts', 'test/support/compile-cache.ts', 'test/support/program.ts'],
    // Polls wait long enough for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});

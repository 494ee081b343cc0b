import { defineConfig } from 'vitest/config';

/** Tests that start the program many times. */
const PROGRAM = ['test/cli/**/*.test.ts'];

/** Tests that measure their whole process. */
const ALONE = ['src/**/*.alone.test.ts', 'test/**/*.alone.test.ts'];

/** Suites with their own configuration file. */
const OTHERS = ['clients', 'cluster', 'console', 'hostile', 'operations', 'outage'];

export default defineConfig({
  test: {
    // Polls wait long enough for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // A CI log shows only the message, so it must not be truncated early.
    chaiConfig: { truncateThreshold: 2_000 },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each worker runs one file at a time: real servers, real sockets. Two workers match two cores.
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: 'test/support/temporary.ts',
    // Projects run in order of their names: slow ones come first, so that the workers finish together.
    projects: [
      {
        extends: true,
        test: { name: '1 program', include: PROGRAM, globalSetup: 'test/support/program.ts', isolate: false },
      },
      { extends: true, test: { name: '2 alone', include: ALONE } },
      // Loading the server takes longer than most of these files: each worker loads it once.
      {
        extends: true,
        test: {
          name: '3 shared',
          include: ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...PROGRAM, ...ALONE, ...OTHERS.map((suite) => `test/${suite}/**`)],
          isolate: false,
        },
      },
    ],
  },
});

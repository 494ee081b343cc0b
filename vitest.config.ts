import { defineConfig } from 'vitest/config';

/** They start the program, again and again. */
const PROGRAM = ['test/cli/**/*.test.ts', 'test/crash/**/*.test.ts'];

/** They watch what their whole process does, or takes. */
const ALONE = ['src/**/*.alone.test.ts', 'test/**/*.alone.test.ts'];

/** Suites of their own, with a configuration each. */
const OTHERS = ['clients', 'cluster', 'console', 'hostile', 'operations', 'outage'];

export default defineConfig({
  test: {
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 15_000 } },
    // Where everything is checked, the message is all there is to see.
    chaiConfig: { truncateThreshold: 2_000 },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One loop a file: real servers, real sockets. Two workers suit two cores.
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: 'test/support/temporary.ts',
    // In this order, which is that of their names: what takes long comes first, so that the workers end together.
    projects: [
      {
        extends: true,
        test: { name: '1 program', include: PROGRAM, globalSetup: 'test/support/program.ts', isolate: false },
      },
      { extends: true, test: { name: '2 alone', include: ALONE } },
      // To load the server takes longer than most of these files do: a worker loads it once.
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

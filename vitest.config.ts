import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { filesWithoutProgram } from './test/support/machine/programs.ts';

/** Tests that start many processes: the program, engines. */
const PROCESSES = ['test/cli/**/*.test.ts', 'src/runner/**/*.test.ts'];

/** Tests that measure their whole process. */
const ALONE = ['src/**/*.alone.test.ts', 'test/**/*.alone.test.ts'];

const ALL = ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'];

/** Suites with their own configuration file. */
const OTHERS = ['clients', 'cluster', 'console', 'hostile', 'operations', 'outage'].map((suite) => `test/${suite}/**`);

/** With a PostgreSQL server, only files run that choose their database (test/support/databases.ts). */
const independent =
  process.env.LOCKKEEPER_TEST_POSTGRES === undefined
    ? []
    : globSync(ALL, { exclude: OTHERS }).filter(
        (file) => !/\b(databaseKinds|postgresUrl)\b/.test(readFileSync(file, 'utf8')),
      );

const unwanted = [...OTHERS, ...independent];
const exclude = [...unwanted, ...filesWithoutProgram(unwanted)];

export default defineConfig({
  test: {
    // Polls wait long enough for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // A CI log shows only the message, so it must not be truncated early.
    chaiConfig: { truncateThreshold: 2_000 },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each worker runs one file at a time: real servers, real sockets. A third of the time, tests wait: for a timeout,
    // an interval or another process. So two cores have work for four workers.
    pool: 'forks',
    maxWorkers: 4,
    globalSetup: ['test/support/temporary.ts', 'test/support/compile-cache.ts'],
    // Projects run in order of their names: slow ones come first, so that the workers finish together.
    projects: [
      {
        extends: true,
        test: {
          name: '1 processes',
          include: PROCESSES,
          exclude,
          globalSetup: 'test/support/program.ts',
          isolate: false,
        },
      },
      { extends: true, test: { name: '2 alone', include: ALONE, exclude } },
      // Loading the server takes longer than most of these files: each worker loads it once.
      {
        extends: true,
        test: { name: '3 shared', include: ALL, exclude: [...PROCESSES, ...ALONE, ...exclude], isolate: false },
      },
    ],
  },
});

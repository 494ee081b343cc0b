import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/clients/**', 'test/hostile/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One loop a file: real servers, real sockets. Two workers suit two cores.
    pool: 'forks',
    maxWorkers: 2,
  },
});

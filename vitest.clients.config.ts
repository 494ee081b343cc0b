import { defineConfig } from 'vitest/config';

/** What needs more than Node.js: unmodified clients of other people (hvac, pytfe, node-vault, OpenBao's in Go, go-tfe, OpenTofu, curl, OpenSSL). */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    exclude: process.env.CLIENTS_WITHOUT === 'tofu' ? ['test/clients/tofu/**'] : [],
    globalSetup: 'test/clients/support/installation.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});

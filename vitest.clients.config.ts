import { defineConfig } from 'vitest/config';

/** They run it, or have a server run it. */
const WITH_TOFU = ['tofu', 'remote-runs', 'go-tfe', 'go-tfe-v2', 'tfe-provider', 'providers'].map(
  (folder) => `test/clients/${folder}/**`,
);

/** Tests that need more than Node.js: clients of other people (docs/reference/clients.md lists them). */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    exclude: process.env.CLIENTS_WITHOUT === 'tofu' ? WITH_TOFU : [],
    globalSetup: 'test/clients/support/installation.ts',
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});

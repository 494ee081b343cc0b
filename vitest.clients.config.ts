import { defineConfig } from 'vitest/config';
import { isLeftOut } from './test/clients/support/installation.ts';

/** Tests of clients that run the engine, or that need a server to run it. */
const WITH_TOFU = [
  'tofu',
  'remote-runs',
  'go-tfe',
  'go-tfe-v2',
  'tfe-provider',
  'vault-provider',
  'providers',
  'gitea/runs',
].map((folder) => `test/clients/${folder}/**`);

/** Tests that need more than Node.js: third-party clients (docs/reference/clients.md lists them). */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    exclude: [...(isLeftOut('tofu') ? WITH_TOFU : []), ...(isLeftOut('gitea') ? ['test/clients/gitea/**'] : [])],
    // Builds of the clients are too large for memory.
    globalSetup: [
      'test/clients/support/installation.ts',
      'test/support/temporary.ts',
      'test/support/compile-cache.ts',
      'test/support/program.ts',
    ],
    // Polls wait long enough for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});

import { defineConfig } from 'vitest/config';

/** What needs more than Node.js: unmodified clients of other people (curl, OpenSSL). */
export default defineConfig({
  test: { include: ['test/clients/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});

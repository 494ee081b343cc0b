#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// As in main.ts; the command lines run this for every host that they talk to.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lockkeeper', import.meta.url)));
void import('./cli/credentials/run-helper.ts').then(async ({ runHelper }) => {
  process.exitCode = await runHelper(process.argv.slice(2));
});

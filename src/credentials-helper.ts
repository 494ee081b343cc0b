#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Same setup as main.ts. `tofu` and `terraform` run this program for every host that they contact.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lockkeeper', import.meta.url)));
void import('./cli/credentials/run-helper.ts').then(async ({ runHelper }) => {
  process.exitCode = await runHelper(process.argv.slice(2));
});

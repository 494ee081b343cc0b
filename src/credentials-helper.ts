#!/usr/bin/env node
import { start } from './start.ts';

// `tofu` and `terraform` run this program for every host that they contact.
start(async () => (await import('./cli/credentials/run-helper.ts')).runHelper);

#!/usr/bin/env node
import { start } from './start.ts';

start(async () => (await import('./cli/program.ts')).run);

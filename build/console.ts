/** Builds the console unless it is up to date: `node build/console.ts [--compress]`. */
import { buildConsole } from './console-build.ts';

await buildConsole(process.argv.includes('--compress'));

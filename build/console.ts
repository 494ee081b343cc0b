/** Builds the console, unless what is there was built of the same sources: `node build/console.ts [--compress]`. */
import { buildConsole } from './console-build.ts';

await buildConsole(process.argv.includes('--compress'));

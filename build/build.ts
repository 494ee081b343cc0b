/** Makes the package: `dist`, from nothing. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { buildConsole, CONSOLE_DIST } from './console-build.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}dist`;

rmSync(DIST, { recursive: true, force: true });
await bundle(DIST);
await buildConsole(true);
// Not what the build says of itself.
cpSync(CONSOLE_DIST, `${DIST}/console`, { recursive: true, filter: (path) => !/[/\\]\.[^/\\]+$/.test(path) });
// The types of the library.
execFileSync(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`, '-p', `${ROOT}tsconfig.build.json`], {
  stdio: 'inherit',
});

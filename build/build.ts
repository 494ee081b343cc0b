/** Makes the package: `dist`, from nothing. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}dist`;

rmSync(DIST, { recursive: true, force: true });
await bundle(DIST);
// The types of the library.
execFileSync(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`, '-p', `${ROOT}tsconfig.build.json`], {
  stdio: 'inherit',
});

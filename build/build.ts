/** Builds the package `dist` from scratch. The build is reproducible: equal sources give equal bytes. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { buildConsole, CONSOLE_DIST, consoleModules } from './console-build.ts';
import { partsOf } from './parts.ts';
import { sbom } from './sbom.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}dist`;

rmSync(DIST, { recursive: true, force: true });
const parts = await bundle(DIST);
await buildConsole(true);
// Skips build metadata.
cpSync(CONSOLE_DIST, `${DIST}/console`, { recursive: true, filter: (path) => !/[/\\]\.[^/\\]+$/.test(path) });
writeFileSync(`${DIST}/sbom.cdx.json`, sbom([...parts, ...partsOf(consoleModules())]));
// Emits the library's types.
execFileSync(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`, '-p', `${ROOT}tsconfig.build.json`], {
  stdio: 'inherit',
});
// Sets file modes, because the archive would otherwise contain those of the builder's umask.
for (const name of globSync('**', { cwd: DIST })) {
  const path = `${DIST}/${name}`;
  chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
}

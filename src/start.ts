// No named import of `enableCompileCache`: an older Node.js would fail with a SyntaxError before the version is checked.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Oldest version of Node.js, as in package.json. */
const OLDEST = '24.15';

/**
 * Starts a program whose modules are loaded only if Node.js is new enough. Not awaited: the executable loads the entry point
 * as CommonJS is, which waits for nothing.
 * @param load imports the program. Resolves to its function, which returns an exit code
 */
export function start(load: () => Promise<(args: string[]) => number | Promise<number>>): void {
  if (!isNewEnough(process.versions.node)) {
    const { versions, execPath } = process;
    process.stderr.write(
      `lockkeeper: Node.js ${OLDEST} or later is needed; ${execPath} is ${versions.node}. Install a newer Node.js\n`,
    );
    process.exitCode = 1;
    return;
  }
  // Halves the time to start. In a folder of our own: in a shared one, others could put code there. Where it cannot be
  // written, nothing is kept.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lockkeeper', import.meta.url)));
  void load().then(async (run) => {
    process.exitCode = await run(process.argv.slice(2));
  });
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

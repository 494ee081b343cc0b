import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress } from './compress.ts';
import { assertWithinBudgets, weigh } from './console-budgets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = `${ROOT}console`;
export const CONSOLE_DIST = `${CONSOLE}/dist`;
const STAMP = `${CONSOLE_DIST}/.stamp`;
/** The files of packages that the build has used. */
const MODULES = `${CONSOLE_DIST}/.modules`;

/**
 * Builds the console where its sources have changed since the last time.
 * @param compressed as the package has it, within its budgets; what is compressed serves whoever needs no more than a build too
 * @throws Error for a build that is too heavy
 */
export async function buildConsole(compressed = false): Promise<void> {
  const stamp = stampOfSources();
  const there = stampThere();
  if (there === `${stamp} compressed` || (there === stamp && !compressed)) return;
  const begun = performance.now();
  // To load it takes a third of a second, which a start with nothing to build need not wait for.
  const { build } = await import('vite');
  // Whoever builds in a test would else get what the libraries have for their developers.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const made = await build({ configFile: `${CONSOLE}/vite.config.ts`, logLevel: 'warn' });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  writeFileSync(MODULES, modulesOf([made].flat() as readonly Made[]).join('\n'));
  if (compressed) {
    await compress(CONSOLE_DIST);
    assertWithinBudgets(weigh(CONSOLE_DIST));
  }
  writeFileSync(STAMP, compressed ? `${stamp} compressed` : stamp);
  // Standard output belongs to whoever starts the server.
  console.error(`the console is built (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}

/** The files of packages that the console which is built is made of, fonts included. */
export function consoleModules(): readonly string[] {
  return readFileSync(MODULES, 'utf8').split('\n');
}

/** What a build says that it has made. */
interface Made {
  readonly output: readonly {
    /** Of a chunk. */
    readonly moduleIds?: readonly string[];
    /** Of what was copied, from the folder of the console. */
    readonly originalFileNames?: readonly string[];
  }[];
}

function modulesOf(made: readonly Made[]): string[] {
  const files = made.flatMap(({ output }) =>
    output.flatMap(({ moduleIds = [], originalFileNames = [] }) => [
      ...moduleIds,
      ...originalFileNames.map((name) => resolve(CONSOLE, name)),
    ]),
  );
  return [...new Set(files.filter((file) => file.includes('/node_modules/')))].sort();
}

/** Of all that the build reads: the sources, and the versions of the packages. */
function stampOfSources(): string {
  const own = globSync('console/{*,src/**}', { cwd: ROOT }).filter((name) => statSync(`${ROOT}${name}`).isFile());
  const hash = createHash('sha256').update(process.versions.node);
  const others = ['src/lib/exact-json/exact-json.ts', 'build/console-build.ts', 'package-lock.json'];
  for (const name of [...own.toSorted(), ...others]) hash.update(`${name}\0`).update(readFileSync(`${ROOT}${name}`));
  return hash.digest('hex');
}

function stampThere(): string | undefined {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

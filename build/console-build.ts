import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress } from './compress.ts';
import { assertWithinBudgets, assertWithoutCircles, weigh } from './console-budgets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = `${ROOT}console`;
export const CONSOLE_DIST = `${CONSOLE}/dist`;
const STAMP = `${CONSOLE_DIST}/.stamp`;
/** Package files that the build used. */
const MODULES = `${CONSOLE_DIST}/.modules`;

/**
 * Builds the console if its sources have changed.
 * @param compressed compresses the files as in the package and checks their budgets; a compressed build also satisfies
 * callers that need no compression
 * @throws Error for a build above its budgets
 */
export async function buildConsole(compressed = false): Promise<void> {
  const stamp = stampOfSources();
  const there = stampThere();
  if (there === `${stamp} compressed` || (there === stamp && !compressed)) return;
  const begun = performance.now();
  // Loaded on demand, because it takes a third of a second.
  const { build } = await import('vite');
  // Sets the mode, because a build in a test would otherwise include development code of libraries.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const made = await build({ configFile: `${CONSOLE}/vite.config.ts`, logLevel: 'warn' });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  assertWithoutCircles(CONSOLE_DIST);
  writeFileSync(MODULES, modulesOf([made].flat() as readonly Made[]).join('\n'));
  if (compressed) {
    await compress(CONSOLE_DIST);
    assertWithinBudgets(weigh(CONSOLE_DIST));
  }
  writeFileSync(STAMP, compressed ? `${stamp} compressed` : stamp);
  // Logs nothing to standard output, which belongs to the server.
  console.error(`the console is built (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}

/** Returns the package files in the built console, including fonts. */
export function consoleModules(): readonly string[] {
  return readFileSync(MODULES, 'utf8').split('\n');
}

/** Metadata of a build. */
interface Made {
  readonly output: readonly {
    /** Modules of a chunk. */
    readonly moduleIds?: readonly string[];
    /** Source of a copied file, relative to the console's folder. */
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

/** Returns a hash of the build's inputs: sources and package versions. */
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

import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compress } from './compress.ts';
import { assertWithinBudgets, weigh } from './console-budgets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = `${ROOT}console`;
export const CONSOLE_DIST = `${CONSOLE}/dist`;
const STAMP = `${CONSOLE_DIST}/.stamp`;

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
  await build({ configFile: `${CONSOLE}/vite.config.ts`, logLevel: 'warn' });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  if (compressed) {
    await compress(CONSOLE_DIST);
    assertWithinBudgets(weigh(CONSOLE_DIST));
  }
  writeFileSync(STAMP, compressed ? `${stamp} compressed` : stamp);
  // Standard output belongs to whoever starts the server.
  console.error(`the console is built (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}

/** Of all that the build reads: the sources, and the versions of the packages. */
function stampOfSources(): string {
  const own = globSync('console/{*,src/**}', { cwd: ROOT }).filter((name) => statSync(`${ROOT}${name}`).isFile());
  const hash = createHash('sha256').update(process.versions.node);
  for (const name of [...own.toSorted(), 'package-lock.json'])
    hash.update(`${name}\0`).update(readFileSync(`${ROOT}${name}`));
  return hash.digest('hex');
}

function stampThere(): string | undefined {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../build/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the bundled program, if this test run has one. Each entry has the name of its source. */
    program?: string;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache');

/**
 * Bundles the program as the package does, once per test run. Tests then run the shipped code, and each of their
 * hundreds of processes saves the second of CPU time that loading 2,000 modules takes. The suites of `.ci/run` share the
 * program in `LOCKKEEPER_TEST_PROGRAM`.
 */
export default async function build(project: TestProject): Promise<(() => void) | undefined> {
  const given = process.env.LOCKKEEPER_TEST_PROGRAM;
  if (given !== undefined) {
    project.provide('program', join(ROOT, given, 'dist'));
    return undefined;
  }
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'lockkeeper-program-'));
  project.provide('program', await bundleInto(folder));
  return () => rmSync(folder, { recursive: true });
}

/** @returns the folder of the entries */
async function bundleInto(folder: string): Promise<string> {
  // The program reads its version from the parent folder.
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const program = join(folder, 'dist');
  await bundle(program);
  return program;
}

// `node test/support/program.ts FOLDER`
const [, script, into] = process.argv;
if (script === fileURLToPath(import.meta.url) && into !== undefined) {
  rmSync(join(ROOT, into), { recursive: true, force: true });
  await bundleInto(join(ROOT, into));
}

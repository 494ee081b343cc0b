import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../build/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the program in few files, where a run has it; the name of each entry is that of its source. */
    program?: string;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache');

/**
 * Puts the program together as the package has it, once for the run: that is what is tested, and to find and load 2,000 modules
 * would cost each of the hundreds of processes of these tests a second of a processor.
 */
export default async function build(project: TestProject): Promise<() => void> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'lockkeeper-program-'));
  // The program reads its version beside the folder that it is in.
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const program = join(folder, 'dist');
  await bundle(program);
  project.provide('program', program);
  return () => rmSync(folder, { recursive: true });
}

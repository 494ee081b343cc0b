import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the program in few files, where a run has it; the name of each entry is that of its source. */
    program?: string;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache');
/** Each is found by its name: by who starts it, or by the program itself. */
const ENTRIES = ['src/main.ts', 'src/credentials-helper.ts', 'src/storage/sqlite/checkpoint-worker.ts'];

/**
 * Puts the sources and the packages together in few files, once for the run: to find and load 2,000 modules costs each of the
 * hundreds of processes of these tests a second of a processor. Fastify stays what it is, since parts of it are replaced.
 */
export default async function build(project: TestProject): Promise<() => void> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'lockkeeper-program-'));
  // The program reads its version beside the folder that it is in.
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const program = join(folder, 'bin');
  const bundle = await rolldown({
    input: ENTRIES.map((entry) => join(ROOT, entry)),
    platform: 'node',
    external: [/^fastify/, /^pino/, /^pg/, /^prom-client/, /^@aws-sdk/],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  await bundle.write({ dir: program, entryFileNames: '[name].js' });
  await bundle.close();
  project.provide('program', program);
  return () => rmSync(folder, { recursive: true });
}

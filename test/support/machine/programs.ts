import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Checks for the programs that tests start beyond Node.js. Debian's packages have the same names. */
const PROGRAMS: Readonly<Record<string, () => boolean>> = {
  git: () => existsSync(join(outputOf('git', '--exec-path'), 'git-http-backend')),
  openssl: () => outputOf('openssl', 'version') !== '',
  curl: () => outputOf('curl', '--version') !== '',
};

/** Nothing may be left out where one of these environment variables is set. `.ci/run` sets the second one. */
const STRICT = ['CI', 'LOCKKEEPER_TEST_ROUNDS'];

/** Shell at the start of a call or of a command. */
const SHELL = /[([]\s*'(?:ba)?sh',/;
/** Relative import that is left when the types are gone. */
const IMPORT = /^(?:import|export)\b(?! type\b)[^;'"]*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;

/**
 * Returns the test files that need a program which this machine does not have, and prints a line for each program.
 * @param exclude globs of files that do not run in any case
 * @throws Error for the missing program, if nothing may be left out
 */
export function filesWithoutProgram(exclude: readonly string[]): string[] {
  return Object.keys(PROGRAMS).flatMap((program) => {
    if (PROGRAMS[program]?.()) return [];
    const strict = STRICT.find((name) => process.env[name]);
    const remedy = `apt-get install ${program}`;
    if (strict) throw new Error(`Tests need ${program}, and none may be left out with ${strict} set: ${remedy}`);
    const files = filesThatNeed(program, exclude);
    console.warn(`Test files left out because they need ${program}: ${files.length}. To run them: ${remedy}`);
    return files;
  });
}

/**
 * Returns the test files of a folder that start a program, or that import a module of the tests that starts it, over any
 * number of imports. A file starts it with a call whose first argument it is, or in a shell: then it contains its name.
 */
export function filesThatNeed(program: string, exclude: readonly string[], root = process.cwd()): string[] {
  // Arguments of a program are never text: `provider('git', 'token')` starts nothing.
  const call = new RegExp(`\\(\\s*'${program}',(?!\\s*')|\\[\\s*'${program}',`);
  const word = new RegExp(`\\b${program}\\b`);
  const modules = globSync(['test/**/*.ts', '{src,console/src}/**/*.test.ts'], { cwd: root, exclude });
  const texts = new Map(modules.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const needed = new Set<string>();
  for (const [file, text] of texts) if (call.test(text) || (SHELL.test(text) && word.test(text))) needed.add(file);
  const imported = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));
  for (let before = -1; before < needed.size; ) {
    before = needed.size;
    for (const [file, imports] of imported) if (imports.some((one) => needed.has(one))) needed.add(file);
  }
  return [...needed].filter((file) => file.endsWith('.test.ts')).sort();
}

const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(IMPORT)].map(([, statically, dynamically]) => join(file, '..', statically ?? dynamically ?? ''));

/** Returns what a program prints, or nothing if it is missing or fails. */
function outputOf(program: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

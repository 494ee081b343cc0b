import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from '../support/cases.ts';

/** Skipped cases, by reason: files (`…_test.go`), tests (`TestX`) and subtests (`TestX/when_y`, in Go's spelling). */
export type Skipped = Readonly<Record<string, readonly string[]>>;

export interface Selection {
  readonly tests: readonly string[];
  /** Skipped subtests of the selected tests, in Go's spelling. */
  readonly skippedSubtests: readonly string[];
  /** Skipped cases, with their reasons. */
  readonly leftOut: readonly Case[];
}

interface TestFile {
  readonly name: string;
  readonly tests: readonly string[];
  /** Each string literal in the file, in the spelling of a subtest name. */
  readonly words: ReadonlySet<string>;
}

/**
 * Selects all tests of a Go package except the skipped ones.
 * @throws Error for a skipped entry that matches no test
 */
export function select(folder: string, skipped: Skipped): Selection {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('_test.go'))
    .map((name) => readTestFile(folder, name));
  const entries = new Set(Object.values(skipped).flat());
  const stale = [...entries].filter((entry) => !files.some((file) => fits(entry, file, entries)));
  if (stale.length > 0) throw new Error(`skipped.json names what is not there: ${stale.join(', ')}`);
  const running = files.filter(({ name }) => !entries.has(name)).flatMap(({ tests }) => tests);
  return {
    tests: running.filter((test) => !entries.has(test)),
    skippedSubtests: [...entries].filter((entry) => entry.includes('/')),
    leftOut: Object.entries(skipped).flatMap(([detail, names]) =>
      names.map((name): Case => ({ name, outcome: 'skipped', detail })),
    ),
  };
}

function readTestFile(folder: string, name: string): TestFile {
  const source = readFileSync(join(folder, name), 'utf8');
  const tests = [...source.matchAll(/^func (Test\w+)\(/gm)].map(([, test = '']) => test);
  const words = [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text = '']) => text.replaceAll(' ', '_'));
  return { name, tests, words: new Set(words) };
}

function fits(entry: string, { name, tests, words }: TestFile, entries: ReadonlySet<string>): boolean {
  if (entry === name) return tests.length > 0;
  const [test = '', ...subtests] = entry.split('/');
  if (!tests.includes(test) || entries.has(name)) return false;
  return subtests.length === 0 || (!entries.has(test) && subtests.every((subtest) => words.has(subtest)));
}

/** Arguments of `go test` for a selection. */
export function selectionArguments(tests: readonly string[], skippedSubtests: readonly string[]): string[] {
  const skip = skippedSubtests.map((path) => path.split('/').map(exactly).join('/')).join('|');
  return ['-run', `^(${tests.join('|')})$`, ...(skip ? ['-skip', skip] : [])];
}

function exactly(text: string): string {
  return `^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
}

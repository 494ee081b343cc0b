import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Failure } from './report.ts';

const ROOT = new URL('..', import.meta.url);
export const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url));

export interface Suite {
  readonly name: string;
  /** Shell command that runs Vitest; further arguments can follow. */
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the suite of a script in `package.json`. */
export function suite(name: string, script: string, env: Record<string, string> = {}): Suite {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  return { name, command: scripts[script], env };
}

/** Returns the program and arguments that run a failed test, or the whole file, by itself. */
export function onlyThis({ command }: Suite, { file = '', test }: Failure): string[] {
  const name = test === undefined ? [] : ['-t', `^${test.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`];
  return ['env', ...withoutFilters(command), file, ...name];
}

/** Returns the shell command that does this in the root of the project, whatever the shell's PATH is. */
export function textOfOnlyThis(suite: Suite, failure: Failure): string {
  const [env = '', ...words] = onlyThis(suite, failure).map(quoted);
  const settings = Object.entries(suite.env ?? {}).map(([name, value]) => `${name}=${quoted(value)}`);
  return [env, 'PATH="$PWD/node_modules/.bin:$PATH"', ...settings, ...words].join(' ');
}

const quoted = (word: string): string => (/^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Returns the words of a command without the paths that follow `vitest run`. */
function withoutFilters(command: string): string[] {
  const words = command.split(/\s+/);
  const options = words.indexOf('run') + 1;
  const isOption = (at: number) => words[at]?.startsWith('-') ?? false;
  const isValue = (at: number) => at > options && isOption(at - 1) && !words[at - 1]?.includes('=');
  return words.filter((_, at) => at < options || isOption(at) || isValue(at));
}

/** Returns the identity of a failure: suite, file and name. */
export const labelOf = ({ name }: Suite, { file, test }: Failure): string =>
  [`${name}:`, file ?? 'the whole suite', ...(test === undefined ? [] : ['>', test])].join(' ').replaceAll(/\s+/g, ' ');

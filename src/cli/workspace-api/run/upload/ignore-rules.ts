import { usageError } from '../../../errors/command-error.ts';

export const IGNORE_FILE = '.terraformignore';

/** Decides by its path, relative to the folder, whether a file or a folder is left out of an upload. */
export interface IgnoreRules {
  ignores(path: string, isFolder: boolean): boolean;
  /** Whether a folder that is left out can be skipped: no later rule takes something in it back. */
  skips(path: string): boolean;
}

interface Rule {
  readonly pattern: RegExp;
  /** `!` at the start of the line: takes back what an earlier rule leaves out. */
  readonly isNegated: boolean;
}

/** Rules that hold before those of the file, as in OpenTofu and Terraform. */
const DEFAULTS = ['.terraform/', '!.terraform/modules/', '.git/'];

/**
 * Reads a `.terraformignore` file as OpenTofu and Terraform do: one pattern in a line, the last one that matches
 * decides. `*` and `?` match no slash, `**` does, and `[…]` is a set of characters; a pattern without a slash at its start
 * matches at every depth; one with a slash at its end matches what is in a folder.
 * @throws CommandError for a pattern that cannot be read, because the files that it should leave out must not be sent
 */
export function ignoreRules(text: string): IgnoreRules {
  const lines = text.split('\n').map((line) => line.trim());
  const rules = [...DEFAULTS, ...lines.filter((line) => line !== '' && !line.startsWith('#'))].flatMap(ruleOf);
  const lastFor = (path: string) => rules.findLastIndex(({ pattern }) => pattern.test(path));
  const decides = (paths: readonly string[]) => Math.max(...paths.map(lastFor));
  return {
    ignores(path, isFolder) {
      const last = rules[decides(isFolder ? [path, `${path}/`] : [path])];
      return last !== undefined && !last.isNegated;
    },
    skips(path) {
      const last = lastFor(`${path}/`);
      return last >= 0 && rules.slice(last).every(({ isNegated }) => !isNegated);
    },
  };
}

function ruleOf(line: string): Rule[] {
  const isNegated = line.startsWith('!');
  const written = isNegated ? line.slice(1) : line;
  if (written === '' || written === '/') return [];
  const below = written.endsWith('/') ? `${written}**` : written;
  const anchored = below.startsWith('/') ? below.slice(1) : `**/${below}`;
  try {
    return [{ pattern: new RegExp(`^${anchored.replaceAll(TOKEN, translated)}$`, 'su'), isNegated }];
  } catch {
    throw usageError(
      `${IGNORE_FILE}: the pattern ${line} has a set of characters that cannot be read. Write [abc], [a-c] or [^abc], or \\[ for the character itself`,
    );
  }
}

/** The parts of a pattern that are not a literal character. A `]` at the start of a set belongs to the set. */
const TOKEN = /\*\*\/|\*\*|\*|\?|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[\\^$.|+()[\]{}/-]/gsu;

function translated(token: string): string {
  if (token.startsWith('[')) return setOf(token);
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  // `\*` means the character itself.
  const literal = token.length > 1 ? token.slice(1) : token;
  return /[\\^$.|+()[\]{}/*?]/u.test(literal) ? `\\${literal}` : literal;
}

/** @throws SyntaxError for a set without an end, and for a named class such as `[:alpha:]` */
function setOf(token: string): string {
  if (/^\[\^?\]?$/u.test(token) || token.includes('[:')) throw new SyntaxError(token);
  return token.replace(/^(\[\^?)\](?=.)/u, '$1\\]');
}

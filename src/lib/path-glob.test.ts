import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePathGlob, matchesPathGlob, pathGlobProblem } from './path-glob.ts';

const matches = (pattern: string, path: string): boolean => matchesPathGlob(compilePathGlob(pattern), path);

/** Paths that a pattern matches, and paths that it does not match. */
const TABLE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['/**/*', ['a.tf', 'a/b/.hidden', '.github/x'], []],
  ['/module/**/*', ['module/main.tf', 'module/a/b.tf'], ['modules/a.tf', 'module', 'a/module/b']],
  ['/**/networking/*', ['networking/x.tf', 'a/b/networking/x.tf'], ['a/networking/b/x.tf', 'anetworking/x']],
  ['/**/networking/**/*', ['a/networking/b/x.tf', 'networking/x'], ['networking']],
  ['/**/*.tf', ['main.tf', 'a/b/main.tf', '.hidden/main.tf', '.tf'], ['main.tfvars', 'main.tf/x']],
  ['/submodule/*.???', ['submodule/a.tfv', 'submodule/.tfv'], ['submodule/a.tf', 'submodule/x/a.tfv']],
  ['/a/*', ['a/b', 'a/.b'], ['a/b/c', 'a']],
  ['/a/b', ['a/b'], ['a/b/c', 'a/bc', 'b']],
  ['a/b', ['a/b', '/a/b'], ['x/a/b']],
  ['./a//b', ['a/b'], []],
  ['/a/[bc].tf', ['a/b.tf', 'a/c.tf'], ['a/d.tf', 'a/.tf']],
  ['/a/[!bc]', ['a/d'], ['a/b', 'a/']],
  ['/[^a]', ['b'], ['a']],
  ['/[a-c0-9]', ['b', '7'], ['d', '-']],
  ['/[]a]', [']', 'a'], ['b']],
  ['/[a-]', ['a', '-'], ['b']],
  ['/[\\]]', [']'], ['\\']],
  ['/[a', ['[a'], ['a']],
  ['/[a/b]', ['[a/b]'], ['a', 'b']],
  ['/[]', ['[]'], []],
  ['/a b/*', ['a b/ü.tf'], []],
  ['/?', ['ü', '😀'], ['', 'ab', '😀a']],
  ['/*😀', ['a😀', '😀😀'], ['😀a']],
  ['/a/**', ['a/b', 'a/b/c'], ['a', 'ab']],
  ['/a/', ['a/b', 'a/b/c'], ['a', 'ab/c']],
  ['/**/**/a', ['a', 'x/a', 'x/y/a'], ['x/ya']],
  ['/a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c', 'a/b/b/c'], ['a/c', 'a/b/cd']],
  ['/a**/b', ['ac/b', 'a/b'], ['a/c/b']],
  ['/a/\\*', ['a/*'], ['a/b']],
  ['/a\\/b', ['a/b'], ['ab']],
  ['/a\\\\b', ['a\\b'], ['ab']],
  ['/a\\', ['a\\'], ['a']],
  ['/\\{a\\}', ['{a}'], ['a']],
  ['/', ['a', 'a/b'], []],
  ['', [], ['a', 'a/b']],
];

describe('a pattern for paths', () => {
  test.each(TABLE)('%j', (pattern, matching, others) => {
    for (const path of matching) expect(matches(pattern, path), path).toBe(true);
    for (const path of others) expect(matches(pattern, path), path).toBe(false);
  });

  test.each(['/{a,b}/*', '/a}', '!/a', '!'])('%j is refused', (pattern) => {
    expect(pathGlobProblem(pattern)).toMatch(/^(A pattern cannot start with "!"|Braces are not supported)\. \w/);
  });

  test.each(['/**/*', '/a!', '\\!a', '/\\{a\\}', '/[{}]', '', '[', '\\'])('%j is not refused', (pattern) => {
    expect(pathGlobProblem(pattern)).toBeUndefined();
  });

  test('a pattern of many stars takes no more comparisons than its length times that of the path', () => {
    const glob = compilePathGlob(`/${'*a'.repeat(500)}b`);
    expect(matchesPathGlob(glob, 'a'.repeat(4000))).toBe(false);
    const folders = compilePathGlob(`/${'**/a/'.repeat(200)}b`);
    expect(matchesPathGlob(folders, 'a/'.repeat(2000))).toBe(false);
  });

  const name = fc.stringMatching(/^[ab.]{1,4}$/).filter((text) => text !== '.');
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
  const segment = fc.oneof(
    fc.constant('**'),
    fc.stringMatching(/^[ab.*?]{1,4}$/).filter((text) => text !== '.'),
    fc.constant('[ab]'),
  );
  const pattern = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join('/')}`);

  test('matches as a simple recursive definition says', () => {
    fc.assert(
      fc.property(pattern, path, (glob, file) => {
        expect(matches(glob, file)).toBe(reference(glob.split('/').slice(1), file.split('/')));
      }),
      { numRuns: 3000 },
    );
  });

  test('never throws, whatever the pattern and the path are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (glob, file) => {
        expect(typeof matches(glob, file)).toBe('boolean');
        pathGlobProblem(glob);
      }),
      { numRuns: 2000 },
    );
  });
});

function reference(segments: readonly string[], names: readonly string[]): boolean {
  const [segment, ...others] = segments;
  const [first, ...rest] = names;
  if (segment === undefined) return names.length === 0;
  if (segment === '**' && others.length === 0) return names.length > 0;
  if (segment === '**') return reference(others, names) || (first !== undefined && reference(segments, rest));
  return first !== undefined && referenceName(segment, first) && reference(others, rest);
}

function referenceName(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob.startsWith('[ab]')) return /^[ab]/.test(name) && referenceName(glob.slice(4), name.slice(1));
  if (glob.startsWith('*')) {
    return referenceName(glob.slice(1), name) || (name !== '' && referenceName(glob, name.slice(1)));
  }
  const matchesFirst = glob[0] === '?' ? name !== '' : glob[0] === name[0];
  return matchesFirst && referenceName(glob.slice(1), name.slice(1));
}

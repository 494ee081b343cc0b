import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePathGlob, matchesPathGlob } from '../../../lib/path-glob.ts';
import { type ChangedFiles, FileMatcher } from './changed-files.ts';
import type { TriggerSettings } from './triggers.ts';
import { checkText } from './words.ts';

const settings = (more: Partial<TriggerSettings>): TriggerSettings => ({
  'vcs-repo': { branch: null, 'tags-regex': null },
  'file-triggers-enabled': true,
  'queue-all-runs': false,
  'speculative-enabled': true,
  'trigger-patterns': [],
  'trigger-prefixes': [],
  'working-directory': null,
  ...more,
});
const answer = async (files: ChangedFiles, more: Partial<TriggerSettings>) => {
  const { code, values } = await new FileMatcher(files).answer(settings(more));
  return [code, ...[values.prefix ?? values.pattern ?? [], values.paths ?? []].flat()].join(' ');
};
const directory = (path: string, ...prefixes: string[]) => ({
  'working-directory': path,
  'trigger-prefixes': prefixes,
});
const prefixes = (...list: string[]) => ({ 'trigger-prefixes': list });
const patterns = (...list: string[]) => ({ 'trigger-patterns': list });

describe('changed files', () => {
  test.each<[string, ChangedFiles, Partial<TriggerSettings>, string]>([
    ['no triggers', ['a'], {}, 'whole-repository'],
    ['no triggers, and no change', [], {}, 'whole-repository'],
    ['triggers turned off', ['a'], { 'file-triggers-enabled': false, ...directory('b') }, 'any-push'],
    ['working directory', ['env/a/x.tf', 'z'], directory('env/a'), 'directory-matches env/a env/a/x.tf'],
    ['working directory with slashes', ['env/a/x.tf'], directory('/./env//a/'), 'directory-matches env/a env/a/x.tf'],
    ['the root as working directory', ['a'], directory('./'), 'whole-repository'],
    ['another folder', ['env/ab/x.tf', 'x'], directory('env/a'), 'other-files env/ab/x.tf'],
    [
      'prefix besides the working directory',
      ['modules/x'],
      directory('env', 'modules'),
      'prefix-matches modules modules/x',
    ],
    ['working directory besides the prefix', ['env/x'], directory('env', 'modules'), 'directory-matches env env/x'],
    ['prefix alone', ['env/x'], prefixes('modules'), 'other-files env/x'],
    ['prefix that is a file', ['a/b.tf'], prefixes('/a/b.tf'), 'prefix-matches a/b.tf a/b.tf'],
    ['prefix of a name', ['a/bc'], prefixes('a/b'), 'other-files a/bc'],
    ['prefix with a slash', ['a/b/c'], prefixes('/a/b/'), 'prefix-matches a/b a/b/c'],
    ['the root as prefix', ['a/b'], prefixes('/'), 'prefix-matches / a/b'],
    ['second prefix', ['b/x'], prefixes('a', 'b'), 'prefix-matches b b/x'],
    ['pattern', ['a/x.tf', 'b'], patterns('/**/*.tf'), 'pattern-matches /**/*.tf a/x.tf'],
    [
      'pattern without the working directory',
      ['env/x'],
      { ...patterns('/b/*'), ...directory('env') },
      'other-files env/x',
    ],
    ['first pattern that matches', ['b/x'], patterns('/a/*', '/b/*', '/**/x'), 'pattern-matches /b/* b/x'],
    ['three paths at most', ['a/1', 'a/2', 'a/3', 'a/4'], patterns('/a/*'), 'pattern-matches /a/* a/1 a/2 a/3'],
    ['file that replaced a folder', ['a', 'a/b'], patterns('/a'), 'pattern-matches /a a'],
    ['folder that replaced a file', ['a', 'a/b'], patterns('/a/b'), 'pattern-matches /a/b a/b'],
    ['no change', [], directory('a'), 'no-file'],
    ['unknown', 'unreadable', directory('a'), 'files-unknown'],
    ['unknown, without triggers', 'unreadable', {}, 'whole-repository'],
    ['new branch', 'new-branch', directory('a'), 'new-branch'],
  ])('%s', async (_, files, more, expected) => {
    expect(await answer(files, more)).toBe(expected);
  });

  test('the tree finds what matching each path finds', async () => {
    const name = fc.constantFrom('a', 'b', 'ab', '.a', 'a.tf');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const segment = fc.constantFrom('**', '*', 'a', 'b', 'a*', '?', '[ab]', '*.tf');
    const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), pattern, async (files, glob) => {
        const { code, values } = await new FileMatcher(files).answer(settings(patterns(glob)));
        const matching = files.filter((file) => matchesPathGlob(compilePathGlob(glob), file));
        expect(code).toBe(matching.length > 0 ? 'pattern-matches' : 'other-files');
        if (matching.length > 0) expect(matching).toEqual(expect.arrayContaining(values.paths as string[]));
        if (matching.length > 0) expect(values.paths).toHaveLength(Math.min(3, matching.length));
      }),
    );
  });

  test('equal triggers are compared once', async () => {
    const matcher = new FileMatcher(['a/b']);
    const [first, second] = await Promise.all([1, 2].map(() => matcher.answer(settings(patterns('/a/*')))));
    expect(second).toBe(first);
  });

  test('patterns that take too long let the workspace run', async () => {
    const files = Array.from({ length: 20_000 }, (_, index) => `${'a'.repeat(100)}${index}`);
    const costly = patterns(...Array.from({ length: 20 }, (_, index) => `/${'*a'.repeat(300)}${index}b`));
    expect(await answer(files, costly)).toBe('files-too-many');
  });

  test('long texts are cut, and many triggers counted out', async () => {
    const long = 'x'.repeat(500);
    const check = await new FileMatcher([`a/${long}`]).answer(
      settings(patterns(...'123456'.split('').map((n) => n + long))),
    );
    const text = checkText(check);
    expect(text.length).toBeLessThan(1500);
    expect(text).toMatch(/^No changed file matches 1x+…, 2x+…, .*5x+…, …\. Changed files: 1, the first is a\/x+…\.$/);
  });
});

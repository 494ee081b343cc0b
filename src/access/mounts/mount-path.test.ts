import { describe, expect, it } from 'vitest';
import { mountPath, pathsAbove } from './mount-path.ts';

describe('the path of a mount', () => {
  it.each([
    ['cert', 'cert'],
    ['cert/', 'cert'],
    ['/cert', 'cert'],
    ['team/a.b_c-1', 'team/a.b_c-1'],
    ['tune', 'tune'],
    ['tune/cert', 'tune/cert'],
    ['x'.repeat(128), 'x'.repeat(128)],
  ])('%s is stored as %s', (text, path) => {
    expect(mountPath(text)).toBe(path);
  });

  it.each([
    '',
    '/',
    '//',
    'a//b',
    'a//',
    '.',
    '..',
    'a/../b',
    '.hidden',
    'a b',
    'a*',
    'a+b',
    '+',
    'ä',
    'a\nb',
    'a%2fb',
    'a/tune',
    'a/b/tune/',
    'x'.repeat(129),
    'a/b/c/d/e/f/g/h/i',
  ])('refuses %j', (text) => {
    expect(() => mountPath(text)).toThrow('invalid mount path');
  });

  it('is checked against the paths above it', () => {
    expect(pathsAbove('a/b/c')).toEqual(['a', 'a/b']);
    expect(pathsAbove('a')).toEqual([]);
  });
});

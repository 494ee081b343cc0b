import { describe, expect, it } from 'vitest';
import { PathPatterns } from './path-patterns.ts';

const patterns = new PathPatterns();
for (const pattern of ['things/:name', 'things/:name/size', 'all/*rest', 'all/*rest/end', '/slash/first', 'open/*'])
  patterns.add(pattern);
patterns.add('keys/:key', ['key']);
patterns.add('keys/:key/uses/:number', ['key']);
patterns.add('keys/mine');
patterns.add('deep/*token/end', ['token']);

const shown = (path: string) => {
  const parts = path.split('/');
  return patterns
    .shown(parts)
    .map((is, index) => (is ? parts[index] : '?'))
    .join('/');
};

describe('redaction of paths', () => {
  it.each([
    ['things/web', 'things/web'],
    ['things/web/size', 'things/web/size'],
    ['things/web/colour/red', 'things/web/?/?'],
    ['thing/web', '?/?'],
    ['all/a/b/c', 'all/a/b/c'],
    ['all/a/b/end', 'all/a/b/end'],
    ['slash/first', 'slash/first'],
    ['open/a/b', 'open/?/?'],
    ['keys/abc', 'keys/?'],
    ['keys/abc/uses/3', 'keys/?/uses/3'],
    ['keys/abc/def', 'keys/?/?'],
    ['keys/mine', 'keys/?'],
    ['deep/a/b/end', 'deep/?/?/?'],
    ['constructor/__proto__', '?/?'],
    ['', '?'],
  ])('%s is %s', (path, expected) => {
    expect(shown(path)).toBe(expected);
  });

  it('refuses a secret that is not a parameter of the pattern', () => {
    expect(() => new PathPatterns().add('lookup/:token', ['tokne'])).toThrow('lookup/:token has no parameter tokne');
  });
});

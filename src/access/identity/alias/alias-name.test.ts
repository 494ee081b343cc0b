import { describe, expect, it } from 'vitest';
import { aliasNameOf } from './alias-name.ts';

describe('the name of an alias', () => {
  it.each([
    ['web-1', 'web-1'],
    [' web-1\u00a0', 'web-1'],
    ['Web-1', 'Web-1'],
    ['web 1', 'web 1'],
    ['caf\u0065\u0301', 'caf\u00e9'],
    ['spiffe://example.com/a', 'spiffe://example.com/a'],
    ['__proto__', '__proto__'],
    ['x'.repeat(2048), 'x'.repeat(2048)],
  ])('%j is stored as %j', (text, name) => {
    expect(aliasNameOf(text)).toBe(name);
  });

  it.each(['', '   ', 'a\0b', 'a\nb', 'x\u007f', 'x'.repeat(2049), 'ä'.repeat(1025)])('%j is refused', (text) => {
    expect(aliasNameOf(text)).toBeUndefined();
  });
});

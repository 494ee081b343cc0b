import { describe, expect, it } from 'vitest';
import { fileName } from './file-names.ts';

describe('the name of a file for an item', () => {
  it('is the name of the item if a file may have it', () => {
    expect(fileName('Default Project')).toBe('Default Project');
  });

  it.each(['../../etc/passwd', 'a/b', '.hidden', '', 'a\nb', 'a\0b', 'x'.repeat(5000), 'C:\\a'])(
    'is safe for %j',
    (name) => {
      expect(fileName(name)).toMatch(/^[^./\\\n\0][^/\\\n\0]{0,120}$/);
    },
  );

  it('differs for names that look alike', () => {
    expect(fileName('a/b')).not.toBe(fileName('a:b'));
    expect(fileName('a/b')).toBe(fileName('a/b'));
  });
});

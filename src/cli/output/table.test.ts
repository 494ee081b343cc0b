import { describe, expect, it } from 'vitest';
import { table } from './table.ts';

describe('a table', () => {
  it('has two columns for an object', () => {
    expect(table({ name: 'web', 'max-ttl': 60, tags: ['a'], none: null })).toBe(
      'name     web\nmax-ttl  60\ntags     ["a"]\nnone\n',
    );
  });

  it('has a heading and a row for each object of a list, whatever each of them lacks', () => {
    expect(
      table([
        { name: 'a', locked: true },
        { name: 'longer', id: 1 },
      ]),
    ).toBe('NAME    LOCKED  ID\na       true\nlonger          1\n');
  });

  it('is a line for each text of a list, and nothing for nothing', () => {
    expect(table(['a', 'b'])).toBe('a\nb\n');
    expect(table([])).toBe('');
    expect(table(undefined)).toBe('');
  });

  it('keeps further lines of a text below its own column', () => {
    expect(table({ policy: 'one\n  two\n' })).toBe('policy  one\n          two\n');
  });

  it('spells out what would steer the terminal', () => {
    expect(table({ name: '\u001b]0;x\u0007\r\u009b2J' })).toBe('name  \\x1b]0;x\\x07\\x0d\\x9b2J\n');
    expect(table([{ '\u001b[2J': 'x' }])).not.toContain('\u001b');
  });
});

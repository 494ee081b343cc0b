import { describe, expect, it } from 'vitest';
import { type Explanation, endOfBlock, faultIn, marksOf, purposeOf, warningsOf } from './marks.ts';
import { isSameTest, readTests, writeTests } from './question.ts';

const TEXT = `# What it is for,
// in two lines.
path "a/{b" { # }
  capabilities = ["read"]
}

path "a/*" { capabilities = ["list"] }`;

const block = (policy: string, line: number) => ({ policy, line, path: 'a', capabilities: [] });
const EXPLANATION = {
  allowed: false,
  rule: { path: 'a', policies: [], capabilities: [], blocks: [block('own', 3), block('other', 1)] },
  overridden: [{ path: 'a/*', policies: [], capabilities: [], because: 'it is shorter', blocks: [block('own', 7)] }],
  dropped: [{ policy: 'other', path: 'b', line: 2, because: 'it has expired' }],
} as unknown as Explanation;

describe('marks of a policy', () => {
  it('cover the blocks of that policy only, from the first line to the last', () => {
    expect(marksOf(EXPLANATION, 'own', TEXT)).toEqual([
      { kind: 'denies', line: 3, to: 5, label: 'decides: denied' },
      { kind: 'overridden', line: 7, label: 'overridden, because it is shorter' },
    ]);
    expect(marksOf(EXPLANATION, 'other', TEXT)).toHaveLength(2);
  });

  it('end a block at its closing brace, whatever texts and comments contain', () => {
    const lines = TEXT.split('\n');
    expect([3, 7, 1].map((line) => endOfBlock(lines, line))).toEqual([5, 7, 5]);
    expect(endOfBlock(['path "a" {'], 1)).toBe(1);
  });

  it('are read from messages of the server', () => {
    expect(faultIn('failed to parse policy: line 12, column 3: expected a "}"')).toMatchObject({
      kind: 'fault',
      line: 12,
      note: 'expected a "}"',
    });
    expect(faultIn('cannot update "root" policy')).toBeUndefined();
    const warnings = [
      'policy "own": line 2, path "a+/\\"b": + is odd',
      'policy "other": line 1, path "a": b',
      'and 3 more',
    ];
    expect(warningsOf(warnings, 'own')).toEqual([{ kind: 'warning', line: 2, label: 'warning', note: '+ is odd' }]);
  });

  it('have the purpose of the policy from its first comment', () => {
    expect(purposeOf(TEXT)).toBe('What it is for, in two lines.');
    expect([purposeOf(''), purposeOf('path "a" {} # b')]).toEqual(['', '']);
  });
});

describe('tests of a policy', () => {
  it('are written into the URL and read back', () => {
    const tests = [
      { capability: 'update', path: 'auth/cert/certs/a,b', allowed: true },
      { capability: 'read', path: 'sys/seal', allowed: false },
    ];
    expect(writeTests(tests)).toBe('update:auth/cert/certs/a%2Cb,-read:sys/seal');
    expect(readTests(writeTests(tests))).toEqual(tests);
    expect(readTests('nonsense,,read:')).toEqual([]);
    expect(isSameTest(tests[0] as never, { ...tests[0], allowed: false } as never)).toBe(true);
  });
});

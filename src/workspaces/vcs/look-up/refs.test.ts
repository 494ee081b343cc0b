import { describe, expect, test } from 'vitest';
import { compareRefs, defaultBranchOf, type KnownRef, prefixesOf, type Wanted } from './refs.ts';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
const ref = (name: string, commitId: string, target: string | null = null) => ({ name, commitId, target });
const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  branches: ['main'],
  followsDefault: false,
  followsTags: false,
  ...more,
});

describe('the comparison of refs', () => {
  test('a branch that is seen for the first time is noted without a change', () => {
    const { changes, rows } = compareRefs([], [ref('refs/heads/main', A)], wanted());
    expect([changes, rows.map(({ name, commitId }) => ({ name, commitId }))]).toEqual([
      [],
      [{ name: 'refs/heads/main', commitId: A }],
    ]);
  });

  test('a push, a deletion and a new branch are changes', () => {
    const known = (commitId: string): KnownRef[] => [{ name: 'refs/heads/main', commitId }];
    const changes = (before: string, after: string) =>
      compareRefs(known(before), after === '' ? [] : [ref('refs/heads/main', after)], wanted()).changes;
    expect(changes(A, A)).toEqual([]);
    expect(changes(A, B)).toEqual([{ kind: 'push', ref: 'main', beforeId: A, afterId: B }]);
    expect(changes(A, '')).toEqual([{ kind: 'push', ref: 'main', beforeId: A, afterId: null }]);
    expect(changes('', B)).toEqual([{ kind: 'push', ref: 'main', beforeId: null, afterId: B }]);
  });

  test('a branch whose name begins like a followed one is not followed', () => {
    const known = [{ name: 'refs/heads/main', commitId: A }];
    const refs = [ref('refs/heads/main', A), ref('refs/heads/main-2', B)];
    expect(compareRefs(known, refs, wanted())).toMatchObject({ changes: [], rows: [] });
  });

  test('the default branch is that of the repository now', () => {
    const head = ref('HEAD', B, 'refs/heads/trunk');
    expect(defaultBranchOf([head])).toBe('trunk');
    const { rows, changes } = compareRefs(
      [{ name: 'refs/heads/trunk', commitId: A }],
      [head],
      wanted({ branches: [], followsDefault: true }),
    );
    expect(changes).toEqual([{ kind: 'push', ref: 'trunk', beforeId: A, afterId: B }]);
    expect(rows).toHaveLength(1);
  });

  test('tags are noted once; later ones are changes, and so are moved and deleted ones', () => {
    const tags = wanted({ followsTags: true, branches: [] });
    const first = compareRefs([], [ref('refs/tags/v1', A)], tags);
    expect([first.changes, first.rows.length]).toEqual([[], 2]);
    const known = [
      { name: 'refs/tags/', commitId: '' },
      { name: 'refs/tags/v1', commitId: A },
      { name: 'refs/tags/v2', commitId: A },
    ];
    const next = compareRefs(known, [ref('refs/tags/v1', B), ref('refs/tags/v3', C)], tags);
    expect(next.changes).toEqual([
      { kind: 'tag', ref: 'v1', beforeId: A, afterId: B },
      { kind: 'tag', ref: 'v2', beforeId: A, afterId: null },
      { kind: 'tag', ref: 'v3', beforeId: null, afterId: C },
    ]);
    expect(next.removed).toEqual(['refs/tags/v2']);
    expect(compareRefs(known, [], wanted({ branches: [] })).removed).toHaveLength(3);
  });

  test('changes above the limit are left for the next look-up', () => {
    const tags = wanted({ followsTags: true, branches: [] });
    const refs = Array.from({ length: 500 }, (_, index) => ref(`refs/tags/v${index}`, A));
    const known: KnownRef[] = [{ name: 'refs/tags/', commitId: '' }];
    const seen = new Set<string>();
    for (let isCut = true; isCut; ) {
      const diff = compareRefs(known, refs, tags);
      for (const change of diff.changes) seen.add(change.ref);
      known.push(...diff.rows);
      isCut = diff.isCut;
    }
    expect([seen.size, known.length]).toEqual([500, 501]);
  });

  test('the prefixes are the branches, and tags only if they are followed', () => {
    expect(prefixesOf(wanted({ branches: ['a/b'] }))).toEqual(['HEAD', 'refs/heads/a/b']);
    expect(prefixesOf(wanted({ followsTags: true })).at(-1)).toBe('refs/tags/');
  });
});

import { expect, test } from 'vitest';
import type { Pull } from '../provider/port.ts';
import { comparePulls, isForkOf, type KnownPull, knownPull } from './pulls.ts';

const pull = (more: Partial<Pull> = {}): Pull => ({
  ...{ number: 1, state: 'open', isDraft: false, title: '', body: '', url: '', headRef: 'change', headId: 'a' },
  ...{ baseRef: 'main', headRepositoryId: '1', baseRepositoryId: '1', mergeBaseId: null },
  author: { name: 'ada', avatarUrl: null, url: null },
  ...more,
});
const known = (...pulls: Pull[]) => new Map<number, KnownPull>(pulls.map((each) => [each.number, knownPull(each)]));
const changes = (before: Pull | undefined, after: Pull) =>
  comparePulls(before ? known(before) : new Map(), [after]).map(({ beforeId, afterId }) => [beforeId, afterId]);

test('a pull request changes when it is opened, gets commits, another target, is ready, closed or reopened', () => {
  expect(changes(undefined, pull())).toEqual([[null, 'a']]);
  expect(changes(pull(), pull({ title: 'other' }))).toEqual([]);
  expect(changes(pull(), pull({ headId: 'b' }))).toEqual([['a', 'b']]);
  expect(changes(pull(), pull({ baseRef: 'next' }))).toEqual([['a', 'a']]);
  expect(changes(pull({ isDraft: true }), pull())).toEqual([['a', 'a']]);
  expect(changes(pull(), pull({ state: 'merged' }))).toEqual([['a', null]]);
  expect(changes(pull({ state: 'closed' }), pull())).toEqual([['a', 'a']]);
  expect(changes(pull({ state: 'closed' }), pull({ state: 'merged' }))).toEqual([]);
  expect(changes(undefined, pull({ state: 'closed' }))).toEqual([]);
});

test('a fork is another repository by its id, also if it was deleted', () => {
  expect([
    isForkOf(pull()),
    isForkOf(pull({ headRepositoryId: '2' })),
    isForkOf(pull({ headRepositoryId: null })),
  ]).toEqual([false, true, true]);
});

import { describe, expect, test } from 'vitest';
import type { RetainedKind } from '../hooks/retained.ts';
import { type PolicySettings, retentionOf } from './policy.ts';
import { camelCase, nextPolicySettings } from './rules.ts';

const DELETES = 'data-retention-policy-delete-olders';
const kinds: RetainedKind[] = ['state-versions', 'configuration-versions', 'runs'];
const all = (settings: PolicySettings) =>
  kinds.map((kind) => {
    const retention = retentionOf({ type: DELETES, settings }, kind);
    return retention === undefined ? '-' : `${retention.days}/${retention.keepLatest}`;
  });

describe('§1.13: data that a policy deletes', () => {
  test.each<[PolicySettings, string[]]>([
    [{ 'delete-older-than-n-days': 30 }, ['30/0', '30/0', '-']],
    [{ 'delete-older-than-n-days': 30, 'delete-run-data-and-logs': true }, ['30/0', '30/0', '30/0']],
    [{ 'delete-older-than-n-days': 30, 'delete-state-versions': false }, ['-', '30/0', '-']],
    [{ 'state-versions-delete-after-n-days': 5 }, ['5/0', '-', '-']],
    [{ 'delete-older-than-n-days': 30, 'run-data-and-logs-delete-after-n-days': 7 }, ['30/0', '30/0', '7/0']],
    [{ 'delete-older-than-n-days': 30, 'configuration-versions-keep-latest-count': 9 }, ['30/0', '30/9', '-']],
  ])('%j', (settings, expected) => {
    expect(all(settings)).toEqual(expected);
  });

  test('a policy against deletion deletes nothing, whatever else is set', () => {
    const policy = { type: 'data-retention-policy-dont-deletes', settings: { 'delete-older-than-n-days': 1 } } as const;
    expect(kinds.map((kind) => retentionOf(policy, kind))).toEqual([undefined, undefined, undefined]);
  });
});

test('names have two spellings', () => {
  expect(camelCase('delete-older-than-n-days')).toBe('deleteOlderThanNDays');
  expect(camelCase('run-data-keep-latest-count')).toBe('runDataKeepLatestCount');
});

test('an absent member stays, null removes it, in either spelling', () => {
  const current = { 'delete-older-than-n-days': 30, 'state-versions-keep-latest-count': 4 };
  expect(nextPolicySettings(DELETES, { deleteOlderThanNDays: 7 }, current)).toEqual({
    ...current,
    'delete-older-than-n-days': 7,
  });
  expect(nextPolicySettings(DELETES, { stateVersionsKeepLatestCount: null }, current)).toEqual({
    'delete-older-than-n-days': 30,
  });
  expect(() => nextPolicySettings(DELETES, { 'delete-older-than-n-days': null }, current)).toThrow();
});

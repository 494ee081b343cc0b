import { expect, test } from 'vitest';
import { linesOf, variablesOf } from '../../shell/start-run/start-run.ts';
import { worked } from './durations.ts';
import { inGroup, operationOf, queryOf, readRunsSearch } from './search.ts';

test('the URL keeps known parameters only', () => {
  const search = readRunsSearch({
    ...{ status: 'waits', operation: 'destroy', source: 'toString', search: 'a b', workspace: 'x' },
    ...{ other: '1', page: '2' },
  });
  expect(search).toEqual({ status: 'waits', operation: 'destroy', search: 'a b', workspace: 'x' });
  expect(queryOf(search)).toEqual({
    'filter[status]': expect.stringMatching(/^planned,/),
    'filter[operation]': 'destroy',
    'search[basic]': 'a b',
    'filter[workspace_names]': 'x',
  });
  expect(readRunsSearch({ status: 'constructor', operation: ['destroy'] })).toEqual({});
});

test('a group counts the runs of all its statuses, and marks incomplete counts', () => {
  const counts = { statuses: { pending: 2, plan_queued: 1, errored: 1000 }, 'at-least': ['errored'] };
  expect([inGroup(counts, 'queued'), inGroup(counts, 'errored'), inGroup(counts, 'waits')]).toEqual([
    '3',
    '1,000+',
    '0',
  ]);
});

test('the duration of a run counts work, not waiting', () => {
  const phase = (times: Record<string, string>) => ({ attributes: { 'status-timestamps': times } });
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const plan = phase({ 'queued-at': at(0), 'started-at': at(10), 'finished-at': at(30) });
  expect(worked([plan, phase({})], 0)).toBe(20);
  expect(worked([plan, phase({ 'started-at': at(100) })], 105_000)).toBe(25);
  expect(worked([phase({ 'queued-at': at(1) }), undefined], 0)).toBeUndefined();
});

test('variables are parsed from lines', () => {
  expect(variablesOf('size = 3\n\n name="a = b"\n').variables).toEqual([
    { key: 'size', value: '3' },
    { key: 'name', value: '"a = b"' },
  ]);
  expect(variablesOf('size 3').fault).toBe('Not a variable: size 3');
  expect(linesOf(' a\n\nb ')).toEqual(['a', 'b']);
});

test('kinds of runs in words', () => {
  const none = { 'plan-only': false, 'save-plan': false, 'is-destroy': false, 'refresh-only': false };
  expect(operationOf(none)).toBe('plan and apply');
  expect(operationOf({ ...none, 'plan-only': true, 'is-destroy': true })).toBe('plan only, destroy');
});

import { expect, test } from 'vitest';
import { changesOf, type Filled } from './settings.ts';

const before: Filled = {
  ...{ name: 'net', description: '', mode: '', pool: '', engine: '', version: 'latest', directory: '' },
  ...{ autoApply: false, structured: true, destroyPlan: true, assessments: false },
};

test('unchanged settings are not sent', () => {
  expect(changesOf(before, before)).toEqual({});
  expect(changesOf(before, { ...before, name: 'network', autoApply: true })).toEqual({
    name: 'network',
    'auto-apply': true,
  });
});

test('execution mode and agent pool are set together, or inherited together', () => {
  const own = { ...before, mode: 'agent', pool: 'apool-1' };
  expect(changesOf(before, own)).toEqual({ 'execution-mode': 'agent', 'agent-pool-id': 'apool-1' });
  expect(changesOf(before, { ...before, mode: 'local' })).toEqual({ 'execution-mode': 'local' });
  expect(changesOf(own, before)).toEqual({ 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } });
  expect(changesOf(own, { ...own, pool: 'apool-2' })).toEqual({
    'execution-mode': 'agent',
    'agent-pool-id': 'apool-2',
  });
  expect(changesOf({ ...before, engine: 'terraform' }, before)).toEqual({ engine: null });
});

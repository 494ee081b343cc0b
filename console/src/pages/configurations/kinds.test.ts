import { expect, it } from 'vitest';
import { kindOf } from './kinds.ts';

it('describes the purpose of a configuration', () => {
  const made = { provisional: false, speculative: false, 'auto-queue-runs': false };
  expect(kindOf(made)).toBe('runs');
  expect(kindOf({ ...made, 'auto-queue-runs': true })).toBe('a run after the upload');
  expect(kindOf({ ...made, provisional: true })).toContain('provisional');
  expect(kindOf({ ...made, provisional: true, speculative: true })).toBe('plans only');
});

import { expect, it } from 'vitest';
import { kindOf } from './kinds.ts';

it('what a configuration is for is told by what was asked when it was made', () => {
  const made = { provisional: false, speculative: false, 'auto-queue-runs': false };
  expect(kindOf(made)).toBe('runs');
  expect(kindOf({ ...made, 'auto-queue-runs': true })).toBe('a run, once it is there');
  expect(kindOf({ ...made, provisional: true })).toContain('provisional');
  expect(kindOf({ ...made, provisional: true, speculative: true })).toBe('plans only');
});

import { expect, test } from 'vitest';
import { attributesOf, hasPassed, planOf } from './auto-destroy.ts';

const attributes = (at: string | null, duration: string | null, inherits = false) =>
  ({
    'auto-destroy-at': at,
    'auto-destroy-activity-duration': duration,
    'inherits-project-auto-destroy': inherits,
  }) as Parameters<typeof planOf>[0];

test('saved settings are sent again unchanged', () => {
  const time = '2026-12-24T18:00:00.000Z';
  expect(planOf(attributes(null, null))).toMatchObject({ when: 'never' });
  expect(attributesOf(planOf(attributes(time, null)))).toEqual({ 'auto-destroy-at': '2026-12-24T18:00:00Z' });
  // A duration also has a time, as soon as there was activity.
  expect(attributesOf(planOf(attributes(time, '6h')))).toEqual({ 'auto-destroy-activity-duration': '6h' });
});

test('settings of the project are not taken as settings of the workspace', () => {
  expect(planOf(attributes('2026-12-24T18:00:00.000Z', '30d', true))).toEqual({
    when: 'project',
    at: '',
    duration: '14d',
  });
  expect(attributesOf({ when: 'never', at: '', duration: '' })).toEqual({
    'auto-destroy-at': null,
    'inherits-project-auto-destroy': false,
  });
});

test('a time in the past is noticed, and an empty one is not', () => {
  const now = Date.UTC(2030, 0, 1, 12);
  expect([hasPassed('2030-01-01T12:00', now), hasPassed('2030-01-01T12:01', now), hasPassed('', now)]).toEqual([
    true,
    false,
    false,
  ]);
});

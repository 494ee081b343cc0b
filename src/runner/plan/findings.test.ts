import { expect, test } from 'vitest';
import { findingsOf } from './findings.ts';
import type { ResourceChange } from './plan-json.ts';

const drift = (actions: string[], mode = 'managed'): ResourceChange => ({
  ...{ mode, type: 'x_thing', provider_name: 'registry/x' },
  change: { actions },
});
const there = (mode = 'managed') => ({ mode });

test('a resource that was changed or is gone has drifted; one that was moved, or is only read, has not', () => {
  const { drifted } = findingsOf({
    resource_drift: [
      drift(['update']),
      drift(['delete']),
      drift(['no-op']),
      drift(['update'], 'data'),
      drift(['read']),
    ],
    output_changes: { out: { actions: ['update'] } },
  });
  expect(drifted).toBe(2);
});

test('the others are those that are there, in all modules', () => {
  const child = { resources: [there(), there('data')], child_modules: [{ resources: [there()] }] };
  const plan = {
    prior_state: { values: { root_module: { resources: [there(), there()], child_modules: [child] } } },
    resource_drift: [drift(['update']), drift(['delete'])],
  };
  expect(findingsOf(plan)).toMatchObject({ drifted: 2, undrifted: 3 });
  expect(findingsOf({})).toEqual({ drifted: 0, undrifted: 0, checks: { pass: 0, fail: 0, error: 0, unknown: 0 } });
});

test('each instance of a condition counts, one without instances by itself', () => {
  const { checks } = findingsOf({
    checks: [
      { status: 'fail', instances: [{ status: 'pass' }, { status: 'fail' }] },
      { status: 'pass' },
      { status: 'error', instances: [] },
      { status: 'something new' },
    ],
  });
  expect(checks).toEqual({ pass: 2, fail: 1, error: 1, unknown: 1 });
});

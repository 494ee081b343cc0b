import { expect, test } from 'vitest';
import { printed } from '../../../test/support/runner/printed.ts';
import { factsOf } from './facts.ts';

const drift = (actions: string[], mode = 'managed') => ({
  ...{ mode, type: 'x_thing', provider_name: 'registry/x' },
  change: { actions },
});
const there = (mode = 'managed') => ({ address: 'x_thing.a', mode, values: { mode: 'managed' } });
const findingsOf = async (plan: object) => (await factsOf(printed(plan))).findings;

test('a changed or deleted resource has drifted; a moved or read one has not', async () => {
  const { resourcesDrifted } = await findingsOf({
    resource_drift: [
      drift(['update']),
      drift(['delete']),
      drift(['no-op']),
      drift(['update'], 'data'),
      drift(['read']),
    ],
    output_changes: { out: { actions: ['update'] } },
  });
  expect(resourcesDrifted).toBe(2);
});

test('the other existing resources of all modules have not drifted', async () => {
  const child = { resources: [there(), there('data')], child_modules: [{ resources: [there()] }] };
  const root = { resources: [there(), there()], child_modules: [child], address: 'child_modules' };
  const plan = {
    prior_state: { values: { outputs: { child_modules: { value: [there()] } }, root_module: root } },
    resource_drift: [drift(['update']), drift(['delete'])],
  };
  expect(await findingsOf(plan)).toMatchObject({ resourcesDrifted: 2, resourcesUndrifted: 3 });
  const none = { resourcesDrifted: 0, resourcesUndrifted: 0, checks: { pass: 0, fail: 0, error: 0, unknown: 0 } };
  expect(await findingsOf({})).toEqual(none);
  const deep = Array.from({ length: 100 }).reduce<object>((inner) => ({ child_modules: [inner] }), root);
  expect(await findingsOf({ prior_state: { values: { root_module: deep } } })).toEqual(none);
});

test('each instance of a check counts, and a check without instances once', async () => {
  const { checks } = await findingsOf({
    checks: [
      { status: 'fail', instances: [{ status: 'pass' }, { status: 'fail' }] },
      { status: 'pass' },
      { status: 'error', instances: [] },
      { status: 'something new' },
    ],
  });
  expect(checks).toEqual({ pass: 2, fail: 1, error: 1, unknown: 1 });
});
